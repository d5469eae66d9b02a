import type { ImpersonalFields } from '../../events/directory/resource-fields.ts';
import { languageNamed, languagesIn } from './languages.ts';
import { searchWords, together } from './search-words.ts';

/**
 * What a record and a filter are compared by: the same of whatever people write for the same thing. Letters and digits
 * alone; empty where a text has none.
 */

export const cityKey = together;
export const organizationKey = together;

/** Of codes of the United States, the first five digits. */
export function postalCodeKey(code: string): string {
  const key = searchWords(code).join('');
  return /^\d{9}$/.test(key) ? key.slice(0, 5) : key;
}

/** The code of the language, or its name where it is none that is known. */
export const languageKey = (name: string): string => languageNamed(name)?.code ?? together(name);

/** The keys of the languages in a text: "Spanish and Klingon" has one. */
export function languageKeys(text: string): string[] {
  const named = languagesIn(text);
  return named.length > 0 ? named.map(({ code }) => code) : [together(text)].filter(Boolean);
}

const shortestNumber = 3;
/** ITU-T E.164. */
const longestNumber = 15;
/** Without the area code. */
const localDigits = 7;

/**
 * The keys of the phone numbers in a text: the digits without the country code of North America, and without the area
 * code. Of "(305) 555-0100 ext. 7" they are `3055550100` and `5550100`.
 */
export function phoneKeys(text: string): string[] {
  const numbers = (text.match(/\d[\d\s().\-–]*/g) ?? [])
    .map((number) => number.replace(/\D/g, ''))
    .filter(({ length }) => length >= shortestNumber && length <= longestNumber)
    .map((digits) => (digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits));
  // A short number is one to dial, such as 988, only where it does not stand beside a long one.
  const long = numbers.filter(({ length }) => length >= localDigits);
  return (long.length > 0 ? long : numbers.slice(0, 1)).flatMap((digits) =>
    digits.length > localDigits ? [digits, digits.slice(-localDigits)] : [digits],
  );
}

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
    const named = languagesIn(text);
    if (named.length > 0) return named.map(({ english }) => english);
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
