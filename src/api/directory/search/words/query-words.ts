import { searchWords, stopWords } from '../../../../projections/directory/search-words.ts';
import { searchWordsOfLanguages, type WordKind } from '../../../../tables/language-tables.ts';

/** A word or a phrase of a language, as a query has it: without case, accents and apostrophes. */
export const normalized = (phrase: string): string => searchWords(phrase).join(' ');

/** What the languages have of a kind of words, normalised. */
export const wordsOfKind = (kind: WordKind): ReadonlySet<string> =>
  new Set(searchWordsOfLanguages.flatMap(({ words }) => (words.get(kind) ?? []).map(normalized)));

/** Of languages whose words are not left out of records: left out of queries alone, so that no table changes the index. */
const ofLanguages = searchWordsOfLanguages.map(({ words }) => ({
  always: new Set((words.get('stop') ?? []).map(normalized)),
  beside: new Set((words.get('stop beside') ?? []).map(normalized)),
}));

/**
 * The words of a query that tell something: without those that say nothing in some language. Of a text that has nothing
 * else, all. A word that says nothing in one language and something in another is left out where the text has another
 * such word of that language: "men" beside "mwen".
 */
export function tellingInQuery(text: string): string[] {
  const words = searchWords(text);
  const spoken = ofLanguages.filter(({ always }) => words.some((word) => always.has(word)));
  const telling = words.filter(
    (word) =>
      !stopWords.has(word) && !spoken.some(({ always, beside }) => always.has(word) || beside.has(word)),
  );
  return telling.length > 0 ? telling : words;
}
