import { searchWordsOfLanguages } from '../../../tables/language-tables.ts';

/** A need, and what people call it in the languages of the pages. */
export interface Need {
  readonly need: string;
  /** Those of English first. */
  readonly phrases: readonly string[];
}

/** Whoever searches for a phrase of a need finds what is written with another. */
export const needWords: readonly Need[] = [...(searchWordsOfLanguages[0]?.needs.keys() ?? [])].map(
  (need) => ({
    need,
    phrases: searchWordsOfLanguages.flatMap(({ needs }) => needs.get(need) ?? []),
  }),
);
