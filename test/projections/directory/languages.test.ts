import { describe, expect, it } from 'vitest';
import {
  languageName,
  languageNamed,
  languages,
  languagesIn,
} from '../../../src/projections/directory/languages.ts';
import { together } from '../../../src/projections/directory/search-words.ts';

const codesIn = (text: string) => languagesIn(text).map(({ code }) => code);

describe('the languages', () => {
  it.each([
    ['Spanish', 'es'],
    ['Español', 'es'],
    ['espanol', 'es'],
    ['Kreyol', 'ht'],
    ['Kreyòl', 'ht'],
    ['Haitian Creole', 'ht'],
    ['CREOLE', 'ht'],
    ['Chinese (Mandarin)', 'zh'],
    ['Mandarin', 'zh'],
    ['Cantonese', 'yue'],
    ['American Sign Language', 'ase'],
    ['ASL', 'ase'],
    ['Farsi', 'fa'],
    ['Tiếng Việt', 'vi'],
    ['Русский', 'ru'],
    ['العربية', 'ar'],
    ['中文', 'zh'],
    ["K'iche'", 'quc'],
    ['es', 'es'],
  ])('are known by the name "%s"', (name, code) => {
    expect(languageNamed(name)?.code).toBe(code);
  });

  it('are found in what sources write instead of a name', () => {
    expect(codesIn('Spanish and English')).toEqual(['es', 'en']);
    expect(codesIn('Spanish (limited), some Kreyòl')).toEqual(['es', 'ht']);
    expect(codesIn('Some Spanish and some American Sign Language')).toEqual(['es', 'ase']);
    expect(codesIn('translation services provided for Spanish')).toEqual(['es']);
    expect(codesIn('Language line available')).toEqual([]);
    expect(codesIn('Klingon')).toEqual([]);
  });

  it('have one code each, and no name that is that of two', () => {
    const names = languages.flatMap(({ english, spanish, others }) => [
      ...new Set([english, spanish, ...others].map(together)),
    ]);
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
    expect(names.filter((name) => name === '')).toEqual([]);
    const codes = languages.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[a-z]{2,3}$/);
  });

  it('have the codes by which the platform knows them', () => {
    const platform = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
    const unknown = languages.filter(({ code }) => platform.of(code) === undefined).map(({ code }) => code);
    // ISO 639-2 or 639-3 too, but not in the platform's data.
    expect(unknown).toEqual(['kar', 'aii', 'mam', 'kjb', 'mix', 'trq', 'nah']);
  });

  it('have a name in English and in Spanish', () => {
    expect(languageName('ht', 'en')).toBe('Haitian Creole');
    expect(languageName('ht', 'es')).toBe('Criollo haitiano');
    expect(languageName('es', 'es')).toBe('Español');
    expect(languageName('tlh', 'en')).toBe('tlh');
  });
});
