import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayName, misleadingName, siteName, teamName } from '../../src/events/display-name.ts';

const parsed = (name: string) => displayName(200).safeParse(name);

/** Every character of Unicode that has no picture of its own, by property; some are part of how names are spelt. */
const invisible = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u.test(character))
  // OwnershipFields that stand before a number and are seen.
  .filter(
    (character) => !/[\u{600}-\u{605}\u{6DD}\u{70F}\u{890}\u{891}\u{8E2}\u{110BD}\u{110CD}]/u.test(character),
  );

describe('a name that people see', () => {
  it.each([
    ['plain', 'Harbour News'],
    ['accents and signs', 'Café “Zur Brücke” & Söhne – 2nd Ave. #4'],
    ['Hebrew', 'ספריית הנמל'],
    ['Arabic, with vowel signs', 'مَكْتَبَةُ الْمِينَاء'],
    ['Persian, with a zero width non-joiner', 'کتابخانه\u200Cی علی\u200Cرضا'],
    ['Persian, before a digit', '۵\u200Cستاره'],
    ['Kurdish, at the end of a word', 'ئێمه\u200C'],
    ['Hindi, with a joiner after a virama', 'क्\u200Dषमा और राज्\u200Cकुमार'],
    ['Bengali, with a joiner before a virama', 'র\u200D্যাব'],
    ['Malayalam, in the old spelling of its chillus', 'മോഹന്\u200D'],
    ['Telugu, ending in a non-joiner', 'శ్రీకాంత్\u200C'],
    ['Sinhala', 'ශ්\u200Dරී ලංකා'],
    ['Japanese, with a variant of a character', '葛\u{E0100}城市 辻\u{E0100}'],
    ['Mongolian, with a vowel separator', 'ᠰᠠᠷᠠ\u180Eᠠ'],
    ['Khmer and Burmese', 'ខ្មែរ မြန်မာ'],
    ['pictures', '❤️ Kitchen 👩‍👩‍👧‍👦 🏳️‍🌈'],
    ['a no-break space', 'Rue\u00A0de la Paix'],
  ])('may be %s', (_, name) => {
    expect(parsed(name)).toMatchObject({ success: true, data: name });
  });

  it.each([
    ['an override that turns the rest', 'Harbour \u202Eswen'],
    ['an embedding', '\u202AHarbour\u202C'],
    ['an isolate', 'Harbour\u2067 News\u2069'],
    ['a mark of direction', 'Harbour\u200F News'],
    ['an Arabic letter mark', 'Harbour\u061C News'],
    ['a zero width space', 'Har\u200Bbour'],
    ['a joiner in a script that has none', 'Har\u200Dbour\u200C'],
    ['two joiners where one joins', 'علی\u200C\u200Cرضا'],
    ['a joiner at the end, where it joins nothing', 'علی\u200C'],
    ['a variation selector after a letter', 'Harbour\uFE0F'],
    ['a soft hyphen', 'Har\u00ADbour'],
    ['a word joiner', 'Harbour\u2060'],
    ['a byte order mark', 'Har\uFEFFbour'],
    ['a Hangul filler', 'Harbour\u3164'],
    ['a Braille blank', 'Harbour\u2800'],
    ['tags', `Harbour${String.fromCodePoint(0xe0061, 0xe0062)}`],
    ['a line break', 'Harbour\nNews'],
    ['a line separator', 'Harbour\u2028News'],
    ['a tab', 'Harbour\tNews'],
    ['an escape', 'Harbour\u001B[31m'],
    ['a control of the second set', 'Harbour\u0085'],
  ])('has no %s', (_, name) => {
    const { success, error } = parsed(name);
    expect(success).toBe(false);
    expect(error?.issues.map(({ message }) => message)).toEqual([misleadingName]);
  });

  it('between Latin letters has none of them all', () => {
    expect(invisible.length).toBeGreaterThan(4_000);
    const accepted = invisible.filter((character) => parsed(`a${character}b`).success);
    expect(accepted.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
  });

  it('is never made of what nobody sees alone', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...invisible), { minLength: 1, maxLength: 200 }), (characters) => {
        expect(parsed(characters.join('')).success).toBe(false);
      }),
    );
  });
});

describe('the name of a site or a team', () => {
  it.each([
    'Café “Zur Brücke” & Söhne – 2nd Ave. #4',
    'Библиотека № 5',
    'Δημοτική Βιβλιοθήκη',
    'ספריית הנמל Wi-Fi',
    'مكتبة الميناء ICT',
    '港の図書館 Wi-Fi ルーム',
    '항구 도서관 IT',
    'हार्बर Library',
    'Երևանի գրադարան',
    'საქართველო',
    '❤️ Kitchen 👩‍👩‍👧‍👦',
  ])('may be %s', (name) => {
    for (const schema of [siteName, teamName]) expect(schema.safeParse(name).success).toBe(true);
  });

  it.each([
    ['a Cyrillic letter among Latin ones', 'H\u0430rbour'],
    ['a Greek one', 'Harb\u03BFur'],
    ['an Armenian one', 'Har\u0562our \u0585'],
    ['a word in Cyrillic letters that look Latin', 'Harbour \u0420\u0410\u0423'],
    ['Cyrillic and Greek', '\u0411\u03B1'],
    ['letters for formulas', '\u{1D407}arbour'],
  ])('has no %s', (_, name) => {
    for (const schema of [siteName, teamName]) expect(schema.safeParse(name).success).toBe(false);
    expect(parsed(name).success).toBe(true);
  });

  it('has no room for a message', () => {
    expect([siteName, teamName].map((schema) => schema.safeParse('x'.repeat(60)).success)).toEqual([
      true,
      true,
    ]);
    expect([siteName, teamName].map((schema) => schema.safeParse('x'.repeat(61)).success)).toEqual([
      false,
      true,
    ]);
    expect(teamName.safeParse('x'.repeat(101)).success).toBe(false);
  });
});
