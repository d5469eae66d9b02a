import { category, type Category } from '../../../../events/directory/category.ts';
import { pairsOf, stemsOf, tellingWords } from '../../../../projections/directory/search-words.ts';
import { cell, readTable } from '../../../../tables/read-table.ts';
import type { ExpandedQuery } from './expand.ts';
import { needTables } from './need-tables.ts';

/** By the stem of a word, or of two words written together: the kind of help that they tell. */
let kinds: ReadonlyMap<string, Category> | undefined;
const kindOf = (term: string): Category | undefined =>
  (kinds ??= new Map(
    readTable('category-words.tsv', { phrase: cell, category }, ['phrase']).flatMap(
      ({ phrase, category: kind }) => {
        const words = tellingWords(phrase);
        const [key] = words.length === 2 ? pairsOf(words) : words.length === 1 ? stemsOf(words) : [];
        return key === undefined ? [] : [[key, kind] as const];
      },
    ),
  )).get(term);

/**
 * The kinds of help that a query asks for by its words or by other words for the need. Of two records that have the words, that
 * whose kind is one of them is more about it.
 */
export const kindsNamed = ({ concepts }: ExpandedQuery): ReadonlySet<Category> =>
  new Set(
    concepts
      .filter(({ isPlace }) => isPlace !== true)
      .flatMap(({ words, others }) => [...words, ...others].flatMap((term) => kindOf(term) ?? [])),
  );

let kindsOfNeeds: ReadonlyMap<string, Category | undefined> | undefined;

/** The kind of help that a need is of, by the words that people call it. Undefined where none of them tells one. */
export const kindOfNeed = (need: string): Category | undefined =>
  (kindsOfNeeds ??= new Map(
    [...needTables().english].map(([name, stems]) => [
      name,
      stems.map(kindOf).find((kind) => kind !== undefined),
    ]),
  )).get(need);
