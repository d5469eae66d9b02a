import { searchWords, stopWords } from '../../../../projections/directory/search-words.ts';
import { searchWordsOfLanguages, type WordKind } from '../../../../tables/language-tables.ts';

/** A word or a phrase of a language, as a query has it: without case, accents and apostrophes. */
export const normalized = (phrase: string): string => searchWords(phrase).join(' ');

/** What the languages have of a kind of words, normalised. */
export const wordsOfKind = (kind: WordKind): ReadonlySet<string> =>
  new Set(searchWordsOfLanguages.flatMap(({ words }) => (words.get(kind) ?? []).map(normalized)));

/** Words of the languages that are left out of queries, and not of records, so that no table changes the index. */
const ofLanguages = searchWordsOfLanguages.map(({ words }) => ({
  always: new Set((words.get('stop') ?? []).map(normalized)),
  beside: new Set((words.get('stop beside') ?? []).map(normalized)),
}));

/**
 * The words of a query without stop words. All of them, when it has no others. A word that is a stop word in one language
 * and not in another is left out when the query has a sure stop word of the same language: "men" beside "mwen".
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
