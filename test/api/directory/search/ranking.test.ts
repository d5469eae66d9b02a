import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExpandedQuery } from '../../../../src/api/directory/search/words/expand.ts';
import {
  wideRanksOf,
  combined,
  ranksOf,
  partialRanks,
} from '../../../../src/api/directory/search/ranking.ts';
import type { TermQuery } from '../../../../src/stores/documents/port.ts';

const stems = ['food', 'pantri', 'comid', 'miami'];
const stem = fc.constantFrom(...stems);
const concept = fc.record({
  words: fc.uniqueArray(stem, { minLength: 1, maxLength: 2 }),
  others: fc.uniqueArray(stem, { maxLength: 2 }),
  terms: fc.constantFrom<string[]>([], ['z33157']),
});
const query: fc.Arbitrary<ExpandedQuery> = fc
  .array(concept, { minLength: 1, maxLength: 4 })
  .map((concepts) => ({
    concepts,
    whole: concepts.map(({ words }) => words[0]).join(''),
    pairs: concepts.slice(1).map(({ words }, place) => `${concepts[place]?.words[0] ?? ''}${words[0] ?? ''}`),
  }));
const record = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.constantFrom('n', 'c', 'p', 'd'), stem).map((parts) => parts.join(''))),
    fc.constantFrom<string[]>([], ['z33157']),
  )
  .map(([terms, codes]) => new Set([...terms, ...codes]));

const matches = ({ every, except = [] }: TermQuery, terms: ReadonlySet<string>): boolean => {
  const has = (groups: TermQuery['every']) => groups.every((group) => group.some((term) => terms.has(term)));
  return has(every) && !except.some(has);
};

describe('the levels of the ranking', () => {
  test('each record that the widest band finds is in exactly one level, and no other is in any', () => {
    fc.assert(
      fc.property(query, record, (asked, terms) => {
        const found = ranksOf(asked).filter((level) => matches(level, terms));
        const wide = matches(wideRanksOf(asked, undefined, []).at(-1) as TermQuery, terms);
        expect(found).toHaveLength(wide ? 1 : 0);
      }),
      { numRuns: 3_000 },
    );
  });

  test('the same holds when a record needs to agree in some of the concepts only', () => {
    fc.assert(
      fc.property(query, record, fc.nat(), (asked, terms, any) => {
        const least = 1 + (any % combined(asked));
        const found = partialRanks(asked, least).filter((level) => matches(level, terms));
        const agreed = asked.concepts.filter(({ words, others, terms: whole }) =>
          [
            ...whole,
            ...[...words, ...others].flatMap((each) => ['n', 'c', 'p', 'd'].map((tag) => tag + each)),
          ].some((term) => terms.has(term)),
        );
        expect(found).toHaveLength(agreed.length >= least ? 1 : 0);
      }),
      { numRuns: 3_000 },
    );
  });

  test('a name comes before a category, a category before a description, and the word before one like it', () => {
    const pantry = { words: ['pantri'], others: ['comid'], terms: [] };
    const levels = ranksOf({ concepts: [pantry], whole: 'pantri', pairs: [] });
    const levelOf = (...terms: string[]) => levels.findIndex((level) => matches(level, new Set(terms)));
    const best = [
      levelOf('epantri', 'npantri'),
      levelOf('npantri', 'cpantri'),
      levelOf('npantri'),
      levelOf('ncomid'),
      levelOf('cpantri'),
      levelOf('ccomid'),
      levelOf('dpantri'),
      levelOf('dcomid'),
    ];
    expect(best).not.toContain(-1);
    expect(best).toEqual([...best].sort((one, other) => one - other));
    expect(new Set(best).size).toBe(best.length);
  });
});
