import { isCategory } from '../../../events/directory/category.ts';
import { wordsOf } from '../../../stores/documents/port.ts';
import { queryOf } from '../../http/query-string.ts';
import type { Filter } from '../cursor.ts';

/** Interface section 8. */
export const defaultLimit = 100;
export const maximumLimit = 500;
const maximumWords = 20;
const maximumLetters = 200;

export interface LegacyQuery {
  readonly key: string | undefined;
  readonly filter: Filter;
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
  const words = [...new Set(wordsOf((given.get('q') ?? '').slice(0, maximumLetters)))].slice(0, maximumWords);
  return {
    key: given.get('key') ?? undefined,
    filter: {
      ...(isCategory(category) ? { category } : {}),
      ...(words.length > 0 ? { words: words.join(' ') } : {}),
    },
    limit: limit === undefined || limit === 0 ? defaultLimit : Math.min(limit, maximumLimit),
    offset: count(given.get('offset')) ?? 0,
  };
}

function count(text: string | null): number | undefined {
  if (text === null || !/^\d+$/.test(text)) return undefined;
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
