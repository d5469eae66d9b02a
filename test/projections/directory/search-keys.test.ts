import { describe, expect, it } from 'vitest';
import {
  cityKey,
  languageKey,
  languageKeys,
  phoneKeys,
  postalCodeKey,
} from '../../../src/projections/directory/search-keys.ts';

describe('the keys of phone numbers', () => {
  it.each([
    ['305-555-0100', ['3055550100', '5550100']],
    ['(305) 555-0100', ['3055550100', '5550100']],
    ['305.555.0100', ['3055550100', '5550100']],
    ['+1 305 555 0100', ['3055550100', '5550100']],
    ['1-305-555-0100 ext. 123', ['3055550100', '5550100']],
    ['555-0100', ['5550100']],
    ['988', ['988']],
    ['call 2-1-1', ['211']],
    ['305-555-0100 or 305-555-0101', ['3055550100', '5550100', '3055550101', '5550101']],
    ['+52 55 5550 0100', ['525555500100', '5500100']],
    ['none', []],
    ['1'.repeat(120), []],
  ])('of "%s" are %j', (text, keys) => {
    expect(phoneKeys(text)).toEqual(keys);
  });
});

describe('the key of', () => {
  it('a postal code is its letters and digits, of the United States the first five', () => {
    expect(postalCodeKey('33157')).toBe('33157');
    expect(postalCodeKey('33157-1234')).toBe('33157');
    expect(postalCodeKey('K1A 0B1')).toBe('k1a0b1');
  });

  it('a city is all its words, without accents and points', () => {
    expect(cityKey('St. Louis')).toBe(cityKey('st louis'));
    expect(cityKey('San José')).toBe('sanjose');
  });

  it('a language is its code, of an unknown one its name', () => {
    expect(languageKey('Español')).toBe('es');
    expect(languageKey('es')).toBe('es');
    expect(languageKey('High Valyrian')).toBe('highvalyrian');
    expect(languageKeys('Spanish and English')).toEqual(['es', 'en']);
    expect(languageKeys('High Valyrian')).toEqual(['highvalyrian']);
    expect(languageKeys('…')).toEqual([]);
  });
});
