import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOneEditAway, isTwoEditsAway } from '../../../../src/api/directory/search/words/one-edit.ts';

describe('a better spelling', () => {
  test.each([
    ['dentst', 'dentist'],
    ['dentisst', 'dentist'],
    ['dentost', 'dentist'],
    ['detnist', 'dentist'],
    ['entist', 'dentist'],
    ['dentis', 'dentist'],
  ])('%s is one typing error away from %s', (typed, meant) => {
    expect(isOneEditAway(typed, meant)).toBe(true);
    expect(isOneEditAway(meant, typed)).toBe(true);
  });

  test.each([
    ['dentist', 'dentist'],
    ['dentst', 'dentists'],
    ['tendist', 'dentist'],
    ['pantry', 'pastor'],
  ])('%s is not one typing error away from %s', (typed, meant) => {
    expect(isOneEditAway(typed, meant)).toBe(false);
  });

  test('is the same as by trying every single edit', () => {
    const letters = ['a', 'b', 'c'];
    const word = fc
      .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 6 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(isOneEditAway(one, other)).toBe(one !== other && editsOf(one, letters).has(other));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a word with two errors', () => {
  test.each([
    ['schizofrenia', 'schizophrenia', true],
    ['diabities', 'diabetes', true],
    ['alzhiemrs', 'alzheimers', true],
    ['dentist', 'dentist', true],
    ['schizofrenya', 'schizophrenia', false],
    ['counseling', 'council', false],
  ])('%s, for %s', (typed, meant, isNear) => {
    expect(isTwoEditsAway(typed, meant)).toBe(isNear);
    expect(isTwoEditsAway(meant, typed)).toBe(isNear);
  });

  test('is whatever one edit of one edit leads to, letters that were swapped left alone', () => {
    const letters = ['a', 'b'];
    const word = fc
      .array(fc.constantFrom(...letters, 'c'), { minLength: 1, maxLength: 6 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(word, word, (one, other) => {
        if (one === other || isOneEditAway(one, other)) expect(isTwoEditsAway(one, other)).toBe(true);
        const between = [...editsOf(one, [...letters, 'c'])];
        if (isTwoEditsAway(one, other) && one !== other)
          expect(isOneEditAway(one, other) || between.some((each) => isOneEditAway(each, other))).toBe(true);
      }),
    );
  });
});

function editsOf(word: string, letters: readonly string[]): Set<string> {
  const edits = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    edits.add(before + after.slice(1));
    if (after.length > 1) edits.add(`${before}${after[1] as string}${after[0] as string}${after.slice(2)}`);
    for (const letter of letters) edits.add(before + letter + after).add(before + letter + after.slice(1));
  }
  return edits;
}
