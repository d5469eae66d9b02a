import { pairsOf, stemsOf } from '../../../../projections/directory/search-words.ts';
import { englishNeeds, needWords, type Need } from './need-words.ts';
import { tellingInQuery } from './query-words.ts';

interface NeedTables {
  /** By the stems of a phrase: the needs that are called so. */
  readonly byPhrase: ReadonlyMap<string, readonly Need[]>;
  /** By the name of a need: what it is called, as stems of one word or of two written together. */
  readonly stems: ReadonlyMap<string, readonly string[]>;
  /** The same in English alone. */
  readonly english: ReadonlyMap<string, readonly string[]>;
  /** Phrases of one word. */
  readonly words: ReadonlySet<string>;
}

/** As one term each. Longer phrases are not in the index as one term. */
const shortPhrases = (phrases: readonly (readonly string[])[]): string[] => {
  const short = phrases.filter(({ length }) => length === 1 || length === 2);
  return [
    ...new Set(short.map((words) => (words.length === 2 ? pairsOf(words) : stemsOf(words))[0] as string)),
  ];
};

let made: NeedTables | undefined;
export const needTables = (): NeedTables => (made ??= tablesOf());

function tablesOf(): NeedTables {
  const byPhrase = new Map<string, Need[]>();
  const stems = new Map<string, string[]>();
  const english = new Map<string, string[]>();
  for (const need of needWords) {
    const phrases = need.phrases.map(tellingInQuery);
    stems.set(need.need, shortPhrases(phrases));
    english.set(need.need, shortPhrases((englishNeeds.get(need.need) ?? []).map(tellingInQuery)));
    for (const words of phrases) {
      const key = stemsOf(words).join(' ');
      const ofPhrase = byPhrase.get(key) ?? [];
      if (!ofPhrase.includes(need)) byPhrase.set(key, [...ofPhrase, need]);
    }
  }
  const words = needWords.flatMap((need) => need.phrases.map(tellingInQuery));
  return {
    byPhrase,
    stems,
    english,
    words: new Set(words.flatMap((phrase) => (phrase.length === 1 ? phrase : []))),
  };
}
