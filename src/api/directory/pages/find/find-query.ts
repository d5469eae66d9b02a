import { category, type Category } from '../../../../events/directory/category.ts';
import { defined } from '../../../../ground/defined.ts';
import type { SearchQuery } from '../../search/search-query.ts';
import { defaultRadiusKm, largestRadiusKm } from '../../search/search-query.ts';
import { languages, type Language } from '../../../pages/frame/language.ts';
import { findPath } from './search-box.ts';

/** The longest text that is searched for, in characters. */
export const longestText = 200;
const longestName = 120;
const longestCursor = 8_000;
const smallestRadiusKm = 0.5;

/** A search as the address of a page of results says it. */
export interface FindQuery {
  readonly text?: string;
  /** A postal code, a city or coordinates. */
  readonly near?: string;
  /** In kilometres, whatever unit the page shows: an address means the same in every language. */
  readonly radiusKm?: number;
  readonly category?: Category;
  readonly city?: string;
  readonly spoken?: string;
  readonly free?: true;
  readonly open?: true;
  /** Where it is not the order that such a search has anyway. */
  readonly sort?: 'relevance';
  readonly cursor?: string;
  /** The language of the page, where the address says it. Links keep it. */
  readonly lang?: Language;
}

export interface ReadQuery {
  readonly query: FindQuery;
  /** The text was longer than what is searched for. */
  readonly cut: boolean;
}

/** Reads an address that anybody may have written. What cannot be meant is left out, and what is too large is cut. */
export function readFindQuery(parameters: URLSearchParams): ReadQuery {
  const text = oneLine(parameters.get('q'));
  const radius = Number((parameters.get('radius') ?? '').replace(',', '.').trim() || NaN);
  const lang = languages.find((each) => each === parameters.get('lang'));
  const kind = category.safeParse(parameters.get('category'));
  const cursor = parameters.get('cursor') ?? '';
  const near = cutTo(oneLine(parameters.get('near')), longestName);
  return {
    query: withoutEmpty({
      text: cutTo(text, longestText),
      near,
      radiusKm: Number.isNaN(radius) || near === '' ? undefined : inRange(radius),
      category: kind.success ? kind.data : undefined,
      city: cutTo(oneLine(parameters.get('city')), longestName),
      spoken: cutTo(oneLine(parameters.get('language')), longestName),
      free: isYes(parameters.get('free')),
      open: isYes(parameters.get('open')),
      // By distance is what `near` means, and there is no relevance without words.
      sort: parameters.get('sort') === 'relevance' && near !== '' && text !== '' ? 'relevance' : undefined,
      cursor: cursor.length <= longestCursor ? cursor : '',
      lang,
    }),
    cut: text.length > longestText,
  };
}

/** Undefined for the radius that is meant where none is given. */
function inRange(radiusKm: number): number | undefined {
  const possible = Math.min(largestRadiusKm, Math.max(smallestRadiusKm, radiusKm));
  return possible === defaultRadiusKm ? undefined : Math.round(possible * 10) / 10;
}

/** A checkbox that is ticked, however its value is written. */
const isYes = (value: string | null): true | undefined =>
  value !== null && /^(1|true|yes|on)$/i.test(value.trim()) ? true : undefined;

const oneLine = (text: string | null): string =>
  // eslint-disable-next-line no-control-regex -- these are what is left out
  (text ?? '').replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim();

/** Never half of a character. */
export const cutTo = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** Without what is empty. */
const withoutEmpty = (query: {
  readonly [Name in keyof FindQuery]: FindQuery[Name] | undefined;
}): FindQuery =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''));

/** The search that the address asks for. */
export const searchQueryOf = ({
  text,
  near,
  radiusKm,
  category,
  city,
  spoken,
  free,
  open,
  sort,
}: FindQuery): SearchQuery => ({
  ...defined({ text, near, radiusKm: near === undefined ? undefined : (radiusKm ?? defaultRadiusKm) }),
  ...defined({ category, city, language: spoken, free, openAt: open && 'now', sort }),
});

/** Other values for some members. Undefined removes one. */
export type Changes = { readonly [Name in keyof FindQuery]?: FindQuery[Name] | undefined };

/** The address of a search: that of `query` with these changes, on its first page. */
export function findAddress(query: FindQuery, changes: Changes = {}): string {
  const { text, near, radiusKm, category, city, spoken, free, open, sort, cursor, lang } = {
    ...query,
    cursor: undefined,
    ...changes,
  };
  const pairs: readonly (readonly [string, string | number | undefined])[] = [
    ['q', text],
    ['near', near],
    ['radius', near === undefined ? undefined : radiusKm],
    ['category', category],
    ['city', city],
    ['language', spoken],
    ['free', free && 1],
    ['open', open && 1],
    ['sort', sort],
    ['lang', lang],
    ['cursor', cursor],
  ];
  const parameters = new URLSearchParams();
  for (const [name, value] of pairs) if (value !== undefined) parameters.set(name, String(value));
  const written = parameters.toString();
  return written === '' ? findPath : `${findPath}?${written}`;
}
