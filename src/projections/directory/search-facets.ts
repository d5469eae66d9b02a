import type { ImpersonalFields } from '../../events/directory/resource-fields.ts';
import { cityKey } from './search-keys.ts';
import { languagesIn } from './languages.ts';
import { searchWords } from './search-words.ts';

/** The cities and languages of a record by the names that are shown. */
export interface Facets {
  readonly cities: readonly string[];
  /** In English, where the language is known. */
  readonly languages: readonly string[];
}

/** More words name no language: "translation line available on request". */
const mostWordsOfLanguage = 2;

export function facetsOf({ locations = [], languages = [] }: ImpersonalFields): Facets {
  const cities = new Map<string, string>();
  for (const { city = '' } of locations) {
    const key = cityKey(city);
    if (key !== '' && !cities.has(key)) cities.set(key, oneLine(city));
  }
  const names = languages.flatMap((text) => {
    const known = languagesIn(text);
    if (known.length > 0) return known.map(({ english }) => english);
    const { length } = searchWords(text);
    return length > 0 && length <= mostWordsOfLanguage ? [oneLine(text)] : [];
  });
  return { cities: [...cities.values()], languages: [...new Set(names)] };
}

/** As text: `city|city`, a tab, `language|language`. Undefined where there are none. */
export function writtenFacets(fields: ImpersonalFields): string | undefined {
  const { cities, languages } = facetsOf(fields);
  if (cities.length + languages.length === 0) return undefined;
  return `${cities.join('|')}\t${languages.join('|')}`;
}

/** The facets of such a text. */
export function readFacets(facets: string): Facets {
  const [cities = [], languages = []] = facets.split('\t').map((names) => names.split('|').filter(Boolean));
  return { cities, languages };
}

/** Without the characters that separate names. */
const oneLine = (text: string): string => text.replace(/[|\s]+/g, ' ').trim();
