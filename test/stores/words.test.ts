import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/stores/documents/port.ts';

describe('the words of a text', () => {
  it.each([
    ['in lower case', 'FOOD Pantry', ['food', 'pantry']],
    [
      'without what joins or surrounds them',
      'Open Mondays 9-12, Suite 204B. ("No ID")',
      ['open', 'mondays', '9', '12', 'suite', '204b', 'no', 'id'],
    ],
    [
      'apart at apostrophes, hyphens and underscores',
      "Women's safe-house foodbank_north",
      ['women', 's', 'safe', 'house', 'foodbank', 'north'],
    ],
    ['apart at signs', 'C++, AT&T', ['c', 'at', 't']],
    [
      'without accents in Spanish',
      '¿Clínica de ATENCIÓN? señora Núñez',
      ['clinica', 'de', 'atencion', 'senora', 'nunez'],
    ],
    ['without accents that stand apart from their letters', 'cli\u0301nica', ['clinica']],
    [
      'without marks in Vietnamese',
      'Trung tâm y tế, người Việt, Đà',
      ['trung', 'tam', 'y', 'te', 'nguoi', 'viet', 'da'],
    ],
    ['without vowel marks in Arabic', 'مَجّانيّة للأُسرة ٢٤', ['مجانية', 'للاسرة', '٢٤']],
    ['in Cherokee, in small letters', 'ᏣᎳᎩ', ['ᏣᎳᎩ'.toLowerCase()]],
    ['in Chinese and Japanese by runs', '中文服務 日本語', ['中文服務', '日本語']],
    ['in Tai Lue, whose vowels are letters', 'ᦀᦱᦉᧁ', ['ᦀᦱᦉᧁ']],
    ['with ligatures and superscripts as what they stand for', 'ﬁre x²', ['fire', 'x2']],
    ['with a dotted capital as its letter', 'İstanbul', ['istanbul']],
    ['with sharp s apart from double s', 'STRASSE straße', ['strasse', 'straße']],
    ['apart at a null character', 'food\u0000pantry', ['food', 'pantry']],
    ['without half a character', '\ud83c food', ['food']],
    ['none in punctuation', '!!! "* -', []],
    ['none in marks alone', '\u0301', []],
    ['none in an empty text', '', []],
  ])('are %s', (_what, text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});
