import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { conceptsIn } from '../../../../src/api/directory/search/words/concepts.ts';
import { needWords } from '../../../../src/api/directory/search/words/need-words.ts';
import { tellingInQuery } from '../../../../src/api/directory/search/words/query-words.ts';
import { stemsOf } from '../../../../src/projections/directory/search-words.ts';
import { searchWordsOfLanguages } from '../../../../src/tables/language-tables.ts';
import { cell, listCell, readTable } from '../../../../src/tables/read-table.ts';

/** As the search compares phrases: by the stems of their telling words. */
const keyOf = (phrase: string): string => stemsOf(tellingInQuery(phrase)).join(' ');

const phrases = needWords.flatMap((need, row) => need.phrases.map((phrase) => ({ phrase, row })));

/** Words that name two needs. Whoever searches for one of them is shown both. */
const ofTwoNeeds = [
  // A home for old people, and asylum.
  'asilo',
];

describe('the words for needs', () => {
  it('are of at least 150 needs, each in every language', () => {
    expect(needWords.length).toBeGreaterThanOrEqual(150);
    for (const { code, needs } of searchWordsOfLanguages)
      expect([code, needWords.filter(({ need }) => !needs.has(need))]).toEqual([code, []]);
  });

  it('have at most three words that tell something, and at least one', () => {
    const telling = (phrase: string) => tellingInQuery(phrase).length;
    const others = phrases.filter(({ phrase }) => telling(phrase) < 1 || telling(phrase) > 3);
    expect(others).toEqual([]);
  });

  it('name one need each, but for words that have two meanings', () => {
    const rows = new Map<string, Set<number>>();
    for (const { phrase, row } of phrases)
      rows.set(keyOf(phrase), (rows.get(keyOf(phrase)) ?? new Set()).add(row));
    const shared = [...rows].filter(([, { size }]) => size > 1).map(([key]) => key);
    expect(shared).toEqual(ofTwoNeeds.map(keyOf));
  });

  it('are written once in each row and language', () => {
    const twice = searchWordsOfLanguages.flatMap(({ needs }) =>
      [...needs.values()].filter((list) => new Set(list).size < list.length),
    );
    expect(twice).toEqual([]);
  });

  // What else these words mean would lead people astray.
  it.each([
    ['paro', 'unemployment in Spain, a strike or a cardiac arrest elsewhere'],
    ['mayores', 'older people, or "over" an age: mayores de 18'],
    ['visitas', 'visits of any kind, as in English "visit"'],
    ['parto', 'childbirth, with the stem of English "part"'],
    ['preso', 'a prisoner, with the stem of English "press"'],
    ['fe', 'faith, or Santa Fe'],
    ['vita', 'tax preparation, with the stem of the hospices Vitas'],
    ['lifeline', 'a cheap telephone, and the line for people who think of suicide'],
    ['license', 'of a driver, of a nurse, or to marry'],
    ['insurance', 'of health, of cars, against unemployment'],
    ['benefits', 'of any kind'],
    ['information', 'of any kind'],
    ['drug', 'from a pharmacy or not'],
    ['hogar', 'home: "sin hogar" without its stop word'],
  ])('do not have "%s" alone (%s)', (word) => {
    expect(phrases.filter(({ phrase }) => keyOf(phrase) === keyOf(word))).toEqual([]);
  });
});

describe('the terms of a taxonomy that mean a need', () => {
  const rows = readTable('need-terms.tsv', { need: cell, terms: listCell }, ['need']);
  const known = new Set(
    readTable('open-eligibility.tsv', { term: cell, category: z.string(), weight: z.string() }, ['term']).map(
      ({ term }) => term,
    ),
  );

  it('are terms of it', () => {
    const parts = [...known].flatMap((term) => [term, ...term.split(/[/(]/).map((part) => part.trim())]);
    expect(rows.flatMap(({ terms }) => terms).filter((term) => !parts.includes(term))).toEqual([]);
  });

  it('are understood as the need is', () => {
    for (const { need, terms } of rows) {
      const [first = ''] = needWords.find((each) => each.need === need)?.phrases ?? [];
      const own = conceptsIn(first).concepts.flatMap(({ words }) => words);
      for (const term of terms) {
        const meant = conceptsIn(term).concepts.flatMap(({ words, others }) => [...words, ...others]);
        expect([term, own.some((word) => meant.includes(word))]).toEqual([term, true]);
      }
    }
  });
});
