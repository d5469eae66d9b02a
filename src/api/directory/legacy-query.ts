import { isCategory } from '../../events/directory/category.ts';
import { queryOf } from '../http/query-string.ts';
import { isLanguage, type Language } from '../pages/frame/language.ts';
import { longestPlaceText, longestText } from './list-query.ts';

/** Interface section 8. */
export const defaultLimit = 100;
export const maximumLimit = 500;

/** Of slugs. */
const longestSlug = 100;

export interface LegacyQuery {
  readonly key: string | undefined;
  readonly category: string | undefined;
  /** What somebody looks for. */
  readonly text: string | undefined;
  /** A place as people write it: only what is around it, the nearest first. */
  readonly near: string | undefined;
  /** The slug of a team: its records alone. */
  readonly team: string | undefined;
  /** Of the words for distances and hours. Without it there are none. */
  readonly language: Language | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Reads the query of the legacy endpoint, which never refuses one (interface 4.3). Invalid values are ignored, values
 * that are too large are reduced, and of a repeated parameter the first one counts.
 */
export function readLegacyQuery(target: string): LegacyQuery {
  const parameters = new URLSearchParams(queryOf(target));
  const limit = count(parameters.get('limit'));
  const category = parameters.get('category') ?? '';
  const language = parameters.get('lang');
  return {
    key: parameters.get('key') ?? undefined,
    category: isCategory(category) ? category : undefined,
    text: textOf(parameters.get('q'), longestText),
    near: textOf(parameters.get('near'), longestPlaceText),
    team: textOf(parameters.get('team'), longestSlug),
    language: isLanguage(language) ? language : undefined,
    limit: limit === undefined || limit === 0 ? defaultLimit : Math.min(limit, maximumLimit),
    offset: count(parameters.get('offset')) ?? 0,
  };
}

function textOf(value: string | null, longest: number): string | undefined {
  const text = (value ?? '').slice(0, longest).toWellFormed().trim();
  return text === '' ? undefined : text;
}

function count(text: string | null): number | undefined {
  if (text === null || !/^\d+$/.test(text)) return undefined;
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
