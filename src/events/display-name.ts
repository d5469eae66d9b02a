import { line } from './define.ts';

/**
 * What nobody sees, or what shows the characters around it in another order than they stand in: with these a name
 * looks like another (Unicode UTS 39, UAX 9). `DI` are the default ignorable code points, which include the
 * directional overrides, isolates and marks; the others are marks of annotation, the blank of Braille and the layout of hieroglyphs.
 */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\p{DI}\u{FFF9}-\u{FFFB}\u{2800}\u{13430}-\u{1343F}]/u;

/** Signs that join Indic letters (RFC 5892 appendix A.1 and A.2: canonical combining class 9), of living scripts. */
const virama =
  '\\u{94D}\\u{9CD}\\u{A4D}\\u{ACD}\\u{B4D}\\u{BCD}\\u{C4D}\\u{CCD}\\u{D3B}\\u{D3C}\\u{D4D}\\u{DCA}\\u{1039}\\u{103A}\\u{17D2}\\u{1B44}\\u{1BAA}\\u{1BAB}\\u{A953}\\u{A9C0}\\u{AAF6}\\u{ABED}';
/** Scripts whose letters join their neighbours. */
const cursive = '\\p{scx=Arabic}\\p{scx=Syriac}\\p{scx=Nko}\\p{scx=Mongolian}\\p{scx=Adlam}';

/** Where a character that is not seen is part of how a name is spelt. */
const spelling = new RegExp(
  [
    // Persian, Urdu, Kurdish and others: the zero width joiners between letters, and after heh.
    `(?<=[${cursive}])[\\u{200C}\\u{200D}](?=[${cursive}])`,
    '(?<=\\u{647})[\\u{200C}\\u{200D}]',
    // Indic: after a virama, and in Bengali and Kannada before it.
    `(?<=[${virama}])[\\u{200C}\\u{200D}]`,
    `(?<=\\p{L})\\u{200D}(?=[${virama}])`,
    '(?<=\\p{sc=Mongolian})\\u{180E}(?=\\p{sc=Mongolian})',
    // Variants of Han characters, as in Japanese names, of Mongolian letters and of pictures.
    '(?<=[\\p{sc=Han}\\p{sc=Mongolian}\\p{ExtPict}])\\p{VS}',
    '(?<=[\\p{ExtPict}\\p{EMod}\\u{FE0F}])\\u{200D}(?=\\p{ExtPict})',
  ].join('|'),
  'gu',
);

/** Whether a name has a character that nobody sees or that turns the text, other than where its spelling needs one. */
export const misleads = (name: string): boolean => misleading.test(name.replace(spelling, ''));

export const misleadingName =
  'must not contain characters that are invisible or change the direction of text';

/**
 * The name of a site, a team or a person: what others go by when they decide whom to trust. For what is said from
 * now on; events may hold names from before this rule.
 */
export const displayName = (maximum: number) =>
  line(maximum).refine((name) => !misleads(name), { message: misleadingName });
