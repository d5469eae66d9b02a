import { category, type Category } from '../../events/directory/category.ts';
import { cell, readTable } from '../../tables/read-table.ts';

/** Words and phrases of a name or description that tell a need when no taxonomy term does. */
const phrases = readTable('category-words.tsv', { phrase: cell, category }, ['phrase']);

/** `Pre-K` and `pre k` are the same phrase. */
const tokensOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const categoryOfWords = new Map<string, Category>(
  phrases.map(({ phrase, category }) => [tokensOf(phrase).join(' '), category]),
);
const longestPhrase = Math.max(...[...categoryOfWords.keys()].map((phrase) => phrase.split(' ').length));
const phraseHeads = new Set([...categoryOfWords.keys()].map((phrase) => phrase.split(' ')[0]));

/** What a text says about the need, and how clearly. */
export interface Hint {
  readonly category: Category;
  /** The number of different words that suggest the category. */
  readonly words: number;
}

/**
 * The category that the most different words of the text suggest. A phrase counts as many words as it has. Between
 * equals the one that the text mentions first. Undefined when no word is known.
 */
export function hintIn(text: string): Hint | undefined {
  const found = new Map<string, number>();
  const tokens = tokensOf(text);
  for (let at = 0; at < tokens.length; at++) {
    const length = phraseLength(tokens, at);
    if (length === 0) continue;
    found.set(phraseInTable(tokens.slice(at, at + length).join(' ')) ?? '', length);
    at += length - 1;
  }

  const scores = new Map<Category, number>();
  for (const [phrase, length] of found) {
    const category = categoryOfWords.get(phrase);
    if (category) scores.set(category, (scores.get(category) ?? 0) + length);
  }
  const best = Math.max(...scores.values());
  for (const [category, words] of scores) if (words === best) return { category, words };
  return undefined;
}

/** How many words from here on are the longest known phrase. */
function phraseLength(tokens: readonly string[], at: number): number {
  const head = tokens[at] ?? '';
  const longest = phraseHeads.has(head) ? Math.min(longestPhrase, tokens.length - at) : 1;
  for (let length = longest; length > 1; length--) {
    if (phraseInTable(tokens.slice(at, at + length).join(' ')) !== undefined) return length;
  }
  return phraseInTable(head) === undefined ? 0 : 1;
}

/** The phrase as in the table, also for a plural. */
function phraseInTable(phrase: string): string | undefined {
  if (categoryOfWords.has(phrase)) return phrase;
  const singular = phrase.endsWith('s') ? phrase.slice(0, -1) : phrase;
  return categoryOfWords.has(singular) ? singular : undefined;
}
