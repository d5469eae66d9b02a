import { describe, expect, it } from 'vitest';
import { notForPeople } from '../support/plain-words.ts';
import { codesIn, languageCodes, languageFile } from '../../src/tables/language-codes.ts';
import { lacksOf, reviewsOf, searchWordsOfLanguages } from '../../src/tables/language-tables.ts';

describe('the languages of the pages', () => {
  it('are the folders, English first', () => {
    expect(languageCodes.slice(0, 3)).toEqual(['en', 'es', 'ht']);
    expect(codesIn(['vi', 'en', 'ht'])).toEqual(['en', 'ht', 'vi']);
    expect(() => codesIn(['en', 'Kreyol'])).toThrow('src/tables/languages/Kreyol:1: a folder is named by');
  });

  it('lack no need and no kind of words, and each file says who reviewed it', () => {
    for (const code of languageCodes) {
      const lacks = lacksOf(code).filter((each) => !each.includes('nobody has reviewed it yet'));
      expect([code, lacks]).toEqual([code, []]);
      for (const { by } of reviewsOf(code)) expect(by).not.toBe('');
    }
    expect(lacksOf('xx')).toEqual(['languages/xx is no folder']);
  });

  it('say of their crisis lines what to check them against', () => {
    for (const code of languageCodes)
      expect(reviewsOf(code).find(({ file }) => file === 'crisis.tsv')?.against).not.toBe('');
  });

  it('have phrases for whoever thinks of suicide, is beaten or was raped', () => {
    for (const { code, crisis } of searchWordsOfLanguages)
      for (const need of ['suicide', 'domestic-violence', 'sexual-assault', 'poison'])
        expect([code, need, crisis.filter((each) => each.need === need).length > 1]).toEqual([
          code,
          need,
          true,
        ]);
  });

  it('name 911 and 988 where the pages speak of an emergency', () => {
    for (const code of languageCodes) {
      const { frame } = JSON.parse(languageFile(code, 'texts.json')) as {
        frame: Record<'crisis' | 'crisisShort', string>;
      };
      for (const line of [frame.crisis, frame.crisisShort]) {
        expect(line).toMatch(/911.*988/s);
        expect(notForPeople(line)).toBeUndefined();
      }
      // One line of a small phone.
      expect(frame.crisisShort.length).toBeLessThan(44);
    }
  });
});
