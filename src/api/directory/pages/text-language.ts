import { searchWords } from '../../../projections/directory/search-words.ts';
import { searchWordsOfLanguages } from '../../../tables/language-tables.ts';

const common = searchWordsOfLanguages.map(({ code, words }) => ({
  code,
  words: new Set((words.get('common') ?? []).flatMap(searchWords)),
}));
/** A text of fewer frequent words is too short to tell. */
const fewest = 2;
/** The language has so many times as many of them as any other. */
const times = 3;

/** The language of a text by its most frequent words, where it is one of the pages'. Undefined where the words do not tell. */
export function languageOfText(text: string): string | undefined {
  const written = searchWords(text);
  const counts = common
    .map(({ code, words }) => ({ code, count: written.filter((word) => words.has(word)).length }))
    .sort((one, other) => other.count - one.count);
  const [first, second] = counts;
  if (!first || first.count < fewest || first.count < times * (second?.count ?? 0)) return undefined;
  return first.code;
}
