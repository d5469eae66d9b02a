import { searchWordsOfLanguages } from '../../../../tables/language-tables.ts';
import { z } from 'zod';
import { cell, listCell, readTable } from '../../../../tables/read-table.ts';

/** A need, and what people call it in the languages of the pages. */
export interface Need {
  readonly need: string;
  /** Those of English first. */
  readonly phrases: readonly string[];
}

/** What English calls each need: in the words that most records are written with. */
export const englishNeeds: ReadonlyMap<string, readonly string[]> =
  searchWordsOfLanguages[0]?.needs ?? new Map();
const allNeeds = new Set(englishNeeds.keys());
const name = cell.refine((need) => allNeeds.has(need), 'is no need of languages/en/needs.tsv');

/** How taxonomies call it: after what people say, as records have it among their terms anyway. */
const termsOfNeed = new Map(
  readTable('need-terms.tsv', { need: name, terms: listCell }, ['need']).map(({ need, terms }) => [
    need,
    terms,
  ]),
);

/** Whoever searches for a phrase of a need finds what is written with another. */
export const needWords: readonly Need[] = [...allNeeds].map((need) => ({
  need,
  phrases: [
    ...searchWordsOfLanguages.flatMap(({ needs }) => needs.get(need) ?? []),
    ...(termsOfNeed.get(need) ?? []),
  ],
}));

const namesOrNone = z
  .union([z.literal('').transform((): string[] => []), listCell])
  .refine(
    (needs) => needs.every((need) => allNeeds.has(need)),
    'has a need that languages/en/needs.tsv has not',
  );

/** Needs whose help serves another one as well, by the name of that one: as well as its own, or after it. */
export const alsoHelps: ReadonlyMap<
  string,
  { readonly same: readonly string[]; readonly after: readonly string[] }
> = new Map(
  readTable('needs-that-help.tsv', { need: name, same: namesOrNone, after: namesOrNone }, ['need']).map(
    ({ need, ...also }) => [need, also],
  ),
);
