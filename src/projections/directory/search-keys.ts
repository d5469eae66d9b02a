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
  const known = languagesIn(text);
  return known.length > 0 ? known.map(({ code }) => code) : [together(text)].filter(Boolean);
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
