import { describe, expect, it } from 'vitest';
import {
  pairsOf,
  searchWords,
  stemsOf,
  stopWords,
  tellingWords,
  together,
  wholeOf,
} from '../../../src/projections/directory/search-words.ts';

describe('the words of a text', () => {
  it.each([
    ['Women’s Shelter', ['womens', 'shelter']],
    ["the veterans' home", ['the', 'veterans', 'home']],
    ['Clínica Niños', ['clinica', 'ninos']],
    ['AT&T 305-555-0100', ['at', 't', '305', '555', '0100']],
    ['🍞 !? …', []],
  ])('of "%s" are without case, accents and apostrophes', (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });

  it('are cut, and stay well-formed', () => {
    expect(searchWords('a'.repeat(10_000))).toEqual(['a'.repeat(40)]);
    // A letter of two code units, so that the cut would fall inside one.
    const [word = ''] = searchWords(`x${'\u{10450}'.repeat(100)}`);
    expect(word.isWellFormed()).toBe(true);
    expect(word.length).toBe(39);
  });

  it('tell something: stop words of both languages are left out, unless there is nothing else', () => {
    expect(tellingWords('Bank of the Bay')).toEqual(['bank', 'bay']);
    expect(tellingWords('Casa de la Comunidad')).toEqual(['casa', 'comunidad']);
    expect(tellingWords('To Be')).toEqual(['to', 'be']);
  });

  it('are left out only as they are written in the list', () => {
    for (const word of stopWords) expect(searchWords(word), word).toEqual([word]);
  });
});

describe('words written together', () => {
  it('are the same for a compound in one word and in two', () => {
    for (const [two, one] of [
      ['food banks', 'foodbank'],
      ['Day Care', 'daycare'],
      ['baby sitting', 'babysitting'],
      ['house keeping', 'housekeeping'],
    ] as const)
      expect(pairsOf(tellingWords(two))).toEqual(stemsOf(tellingWords(one)));
  });

  it('are each two that stand side by side', () => {
    expect(pairsOf(['north', 'miami', 'beach'])).toEqual(['northmiami', 'miamibeach']);
    expect(pairsOf(['north'])).toEqual([]);
  });

  it('are the whole of a name, up to a length', () => {
    expect(wholeOf('The Pantries of Harbour')).toBe(wholeOf('harbour pantry'.split(' ').reverse().join(' ')));
    expect(wholeOf('word '.repeat(100)).length).toBe(60);
    expect(wholeOf('…')).toBe('');
    expect(together('St. Louis')).toBe('stlouis');
  });
});
