import { addressOf, hasAmericanCode, townKey } from './address-key.ts';

/**
 * The terms by which a location without coordinates is found near a point. They say what its address says, not where that
 * is, so they stay as they are when a new gazetteer comes.
 *
 * - `a` its postal code, and its first three digits and its first one: those of a region, and of some states.
 * - `b` without such a code: its state, and its state with its town.
 * - `u` its whole address, for what the gazetteer does not know or knows otherwise.
 */
export function addressTerms(key: string): string[] {
  const address = addressOf(key);
  const { state, postalCode, town } = address;
  if (hasAmericanCode(address)) return [...codeTerms(postalCode), wholeTerm(key)];
  if (state === undefined || town === '') return [wholeTerm(key)];
  return [stateTerm(state), townTerm(state, town), wholeTerm(key)];
}

/**
 * The term of a location that has coordinates: its town, in its state or country. The middle of such locations is where
 * the gazetteer knows no other.
 */
export function neighbourTerm(location: Parameters<typeof townKey>[0]): string | undefined {
  const town = townKey(location);
  return town === undefined ? undefined : neighbourTermOf(town);
}
export const neighbourTermOf = (townKey: string): string => `v${townKey}`;

export const wholeTerm = (key: string): string => `u${key}`;
export const codeTerm = (beginning: string): string => `a${beginning}`;
export const stateTerm = (state: string): string => `b${state.toLowerCase()}`;
export const townTerm = (state: string, town: string): string => `${stateTerm(state)}${town}`;

/** The postal code of its term. Undefined for the term of a region, and for every other. */
export const codeOfTerm = (term: string): string | undefined => /^a(\d{5})$/.exec(term)?.[1];

const codeTerms = (code: string): string[] => [1, 3, 5].map((length) => codeTerm(code.slice(0, length)));

/** The entry of an address in the vocabulary, by which a search learns which addresses a directory has. */
export const addressWord = (key: string): string => `${wordBeginning}${key}${wordEnding}`;
/** No word of a record begins or ends so. */
export const wordBeginning = '0u';
const wordEnding = 'p0';

/** The key in such an entry. */
export const keyInWord = (word: string): string => word.slice(wordBeginning.length, -wordEnding.length);
