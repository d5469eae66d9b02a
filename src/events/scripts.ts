/** Scripts with letters that look like Latin ones (Unicode UTS 39, confusables). */
const likeLatin = [
  'Cyrillic',
  'Greek',
  'Armenian',
  'Cherokee',
  'Coptic',
  'Lisu',
  'Georgian',
  'Tifinagh',
  'Nko',
];
/** Japanese, Chinese and Korean are written in several scripts (UTS 39, section 5.2: highly restrictive). */
const eastAsian = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul'];
/** Others in everyday use (UAX 31, tables 5 and 7). */
const others = [
  ...['Arabic', 'Bengali', 'Devanagari', 'Ethiopic', 'Gujarati', 'Gurmukhi', 'Hebrew', 'Kannada', 'Khmer'],
  ...['Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
  ...['Adlam', 'Balinese', 'Canadian_Aboriginal', 'Javanese', 'Mongolian', 'Ol_Chiki', 'Sundanese', 'Syriac'],
  ...['Cham', 'Meetei_Mayek', 'Tai_Le', 'Vai', 'Yi'],
];

/** Letters for formulas, such as 𝐀: they look like Latin ones, and belong to no script. */
const ofFormulas = /[\u{1D400}-\u{1D7FF}]/u;

const writtenIn = (...scripts: readonly string[]): RegExp =>
  new RegExp(
    `^(?:[^\\p{L}\\p{M}]|[\\p{sc=Common}\\p{sc=Inherited}${scripts.map((each) => `\\p{scx=${each}}`).join('')}])*$`,
    'u',
  );

/**
 * The ways to write a name: in one script, or in Latin letters and one that looks like none of them. Made when the first
 * name is read: they take 20 ms, and most threads read none.
 */
let ways: readonly RegExp[] | undefined;
const waysToWrite = (): readonly RegExp[] =>
  (ways ??= [
    writtenIn('Latin', ...eastAsian),
    ...others.map((script) => writtenIn('Latin', script)),
    ...likeLatin.map((script) => writtenIn(script)),
  ]);

/**
 * Whether a name mixes letters of scripts that look alike, so that it can be taken for another one: `Ηarbоur` with a
 * Greek and a Cyrillic letter.
 */
export const mixesScripts = (name: string): boolean =>
  ofFormulas.test(name) || !waysToWrite().some((way) => way.test(name));
