import { searchWordsOfLanguages } from '../../../../tables/language-tables.ts';
import { normalized } from './query-words.ts';

/** The phrases of all languages, the longest first: "suicide hotline" before "suicide". */
const phrases = searchWordsOfLanguages
  .flatMap(({ crisis }) => crisis.map(({ phrase, need }) => ({ phrase: normalized(phrase), need })))
  .sort((one, other) => other.phrase.length - one.phrase.length);

/**
 * The needs that phrases of danger in a text name, and the text without these phrases: "i dont want to live anymore" means
 * help for whoever thinks of suicide, though no word of it says so.
 */
export function crisisIn(text: string): { readonly needs: readonly string[]; readonly rest: string } {
  let rest = ` ${normalized(text)} `;
  const needs: string[] = [];
  for (const { phrase, need } of phrases) {
    if (!rest.includes(` ${phrase} `)) continue;
    rest = rest.replaceAll(` ${phrase} `, ' ');
    needs.push(need);
  }
  return needs.length === 0 ? { needs, rest: text } : { needs, rest: rest.trim() };
}

/** Whether whoever typed this may be in danger. */
export const isCrisis = (text: string): boolean => crisisIn(text).needs.length > 0;

/** The needs of whoever may be in danger. */
export const crisisNeeds: ReadonlySet<string> = new Set(phrases.map(({ need }) => need));
