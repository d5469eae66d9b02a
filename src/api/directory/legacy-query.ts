import { isCategory } from '../../events/directory/category.ts';
import { queryOf } from '../http/query-string.ts';
import { longestText } from './list-query.ts';

/** Interface section 8. */
export const defaultLimit = 100;
export const maximumLimit = 500;

export interface LegacyQuery {
  readonly key: string | undefined;
  readonly category: string | undefined;
  /** What somebody looks for. */
  readonly text: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Reads the query of the legacy endpoint, which never refuses one (interface 4.3). Invalid values are ignored, values
 * that are too large are reduced, and of a repeated parameter the first one counts.
 */
export function readLegacyQuery(target: string): LegacyQuery {
  const given = new URLSearchParams(queryOf(target));
  const limit = count(given.get('limit'));
  const category = given.get('category') ?? '';
  const text = (given.get('q') ?? '').slice(0, longestText).toWellFormed().trim();
  return {
    key: given.get('key') ?? undefined,
    category: isCategory(category) ? category : undefined,
    text: text === '' ? undefined : text,
    limit: limit === undefined || limit === 0 ? defaultLimit : Math.min(limit, maximumLimit),
    offset: count(given.get('offset')) ?? 0,
  };
}

function count(text: string | null): number | undefined {
  if (text === null || !/^\d+$/.test(text)) return undefined;
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
