import { line } from './define.ts';
import { mixesScripts } from './scripts.ts';

/**
 * Characters that are invisible, or that change the order in which others are shown. With them a name can look like
 * another one (Unicode UTS 39, UAX 9). `DI` are the default ignorable code points, which include the directional
 * overrides, isolates and marks. The others are annotation marks, the Braille blank and hieroglyph layout controls.
 */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\p{DI}\u{FFF9}-\u{FFFB}\u{2800}\u{13430}-\u{1343F}]/u;

/** Signs that join Indic letters (RFC 5892 appendix A.1 and A.2: canonical combining class 9), of living scripts. */
const virama =
  '\\u{94D}\\u{9CD}\\u{A4D}\\u{ACD}\\u{B4D}\\u{BCD}\\u{C4D}\\u{CCD}\\u{D3B}\\u{D3C}\\u{D4D}\\u{DCA}\\u{1039}\\u{103A}\\u{17D2}\\u{1B44}\\u{1BAA}\\u{1BAB}\\u{A953}\\u{A9C0}\\u{AAF6}\\u{ABED}';
/** Scripts whose letters join their neighbours. */
const cursive = '\\p{scx=Arabic}\\p{scx=Syriac}\\p{scx=Nko}\\p{scx=Mongolian}\\p{scx=Adlam}';

/** Places where an invisible character is part of the spelling. */
const spelling = new RegExp(
  [
    // Persian, Urdu, Kurdish and others: the zero width joiners between letters, and after heh.
    `(?<=[${cursive}])[\\u{200C}\\u{200D}](?=[${cursive}])`,
    '(?<=\\u{647})[\\u{200C}\\u{200D}]',
    // Indic: after a virama, and in Bengali and Kannada before it.
    `(?<=[${virama}])[\\u{200C}\\u{200D}]`,
    `(?<=\\p{L})\\u{200D}(?=[${virama}])`,
    '(?<=\\p{sc=Mongolian})\\u{180E}(?=\\p{sc=Mongolian})',
    // Variation selectors after Han characters (as in Japanese names), Mongolian letters and pictures.
    '(?<=[\\p{sc=Han}\\p{sc=Mongolian}\\p{ExtPict}])\\p{VS}',
    '(?<=[\\p{ExtPict}\\p{EMod}\\u{FE0F}])\\u{200D}(?=\\p{ExtPict})',
  ].join('|'),
  'gu',
);

/**
 * Whether a name has a character that is invisible or changes the direction of the text, outside the places where its
 * spelling needs one.
 */
export const misleads = (name: string): boolean => misleading.test(name.replace(spelling, ''));

export const misleadingName =
  'must not contain characters that are invisible or change the direction of text';

/**
 * The name of a site, a team or a person. People use it to decide whom they trust. Only new names are checked: events
 * may contain names from before this rule.
 */
export const displayName = (maximum: number) =>
  line(maximum).refine((name) => !misleads(name), { message: misleadingName });

/**
 * The name of what asks people for their trust on our own pages: a site, a team. Short, so that no message fits in, and
 * in one script, so that it looks like no other name.
 */
const trustedName = (maximum: number) =>
  displayName(maximum).refine((name) => !mixesScripts(name), {
    message: 'must not mix letters of different scripts that look alike',
  });

export const longestSiteName = 60;
export const longestTeamName = 100;
export const siteName = trustedName(longestSiteName);
export const teamName = trustedName(longestTeamName);
