/** A text after a repair, and how many places were repaired. */
export interface Repaired {
  readonly text: string;
  readonly repairs: number;
}

/** The upper half of code page 437, which MS-DOS and old spreadsheets read files in. */
const codePage437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** The upper half of code page 850, its successor in Western Europe and Latin America. */
const codePage850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** What Windows puts for characters of those code pages that Windows-1252 does not have. */
const bestFits: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from('├┼╞╟╚╔╩╦╠╬╧╨╤╥╙╘╒╓╫╪┘┌└┴╖╕╗╝╜╛┐', (character) => [character, '+'])),
  ...Object.fromEntries(Array.from('░▒▓│┤╡╢╣║', (character) => [character, '¦'])),
  '┬': '-',
  '─': '-',
  '═': '-',
  '⌐': '¬',
  Γ: 'G',
  '₧': 'P',
};

/** The letters of the languages of a directory. */
const letters = 'áéíóúüñÁÉÍÓÚÜÑàâäãåçèêëìîïòôöõøùûýÿßÀÂÄÃÅÇÈÊËÌÎÏÒÔÖÕØÙÛÝ';

/** Typographic marks, and what is written for them: invisible ones become plain. */
const marks: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from('‘’‚“”„–—†‡•…‹›€™¡¿«»©®°ºª·½¼¾§¶±×÷¢£¥´', (mark) => [mark, mark])),
  '\u00a0': ' ',
  '\u2009': ' ',
  '\u2010': '-',
  '\u2011': '-',
  '\u200b': '',
  '\ufeff': '',
};

const utf8 = new TextEncoder();
const windows1252 = new TextDecoder('windows-1252');
const asWindows1252 = (text: string): string => windows1252.decode(utf8.encode(text));
const inCodePage = (codePage: string) => (text: string) =>
  Array.from(utf8.encode(text), (byte) =>
    byte < 128 ? String.fromCharCode(byte) : codePage[byte - 128],
  ).join('');
const bestFit = (text: string): string =>
  Array.from(text, (character) => bestFits[character] ?? character).join('');

/** The ways on which UTF-8 is misread in files of this field. */
const misreadings: readonly ((text: string) => string)[] = [
  asWindows1252,
  (text) => asWindows1252(asWindows1252(text)),
  inCodePage(codePage437),
  inCodePage(codePage850),
  (text) => bestFit(inCodePage(codePage437)(text)),
  (text) => bestFit(inCodePage(codePage850)(text)),
];

/**
 * What each misread sequence stands for. Left out are sequences that may stand for several characters (`+¦` is ñ, ó and
 * ú), and those that begin with a hyphen, because people write a hyphen before a letter.
 */
const originals: ReadonlyMap<string, string> = (() => {
  const found = new Map<string, string | undefined>();
  const targets: readonly (readonly [string, string])[] = [
    ...Array.from(letters, (letter) => [letter, letter] as const),
    ...Object.entries(marks),
  ];
  for (const [character, shown] of targets) {
    for (const misread of new Set(misreadings.map((misreading) => misreading(character)))) {
      if (misread.startsWith('-')) continue;
      found.set(misread, found.has(misread) && found.get(misread) !== shown ? undefined : shown);
    }
  }
  return new Map([...found].filter((entry): entry is [string, string] => entry[1] !== undefined));
})();

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/**
 * A plus sign begins a misread letter only inside a word. A capital with a mark after it may be the end of a word in
 * capitals and its quotation mark (“IRMÔ), unless the word goes on.
 */
function inContext(sequence: string): string {
  const pattern = escaped(sequence);
  if (sequence.startsWith('+')) return `(?<=\\p{L})${pattern}`;
  return /^[ÂÃ][‘’‚“”„–—…‹›«»]$/.test(sequence) ? `(?<!\\p{Lu})${pattern}|${pattern}(?=\\p{L})` : pattern;
}

/**
 * What `+¦` and `+¬` stand for inside a word of Spanish, where the letters around them leave one answer: ñ between
 * vowels ("se+¦or"), ó before the n of "-ción", ú in a few frequent words, é where no circumflex is written.
 */
const inSpanish: readonly (readonly [RegExp, string])[] = [
  [/(?<=[aeiou])\+¦(?=[aeiou])/giu, 'ñ'],
  [/(?<=(?:^|\P{L})(?:p|alg|a|com|ning|seg))\+¦(?=(?:blic[oa]s?|n)(?:\P{L}|$))/giu, 'ú'],
  [/(?<=(?:^|\P{L})[nm])\+¦(?=(?:mero|sica|ltiple|sculo)s?(?:\P{L}|$))/giu, 'ú'],
  [/(?<=[cgsxzt]i|[zxlr])\+¦(?=n(?:\P{L}|$))/giu, 'ó'],
  [/(?<=\p{L})\+¬/gu, 'é'],
];

/** Longest first. */
const sequences = new RegExp(
  [...originals.keys()]
    .sort((left, right) => right.length - left.length)
    .map(inContext)
    .join('|'),
  'gu',
);

/** Quotation marks of Windows-1252 kept as control characters, misread in code page 437: certain only as a pair. */
const quotation = /(?<![^\s(])-ô(?=\p{L})([^ôö]{1,200}?)-ö(?=$|[\s.,;:)])/gu;
/** A no-break space of which only the first half is left. */
const halfSpace = /(?<=[\p{Ll}\d.,;:!?)"’])Â(?= |$)/gu;
const notAscii = /[^\0-\x7f]/;

/**
 * Repairs UTF-8 that was read as Windows-1252, as code page 437 or 850, or as one of them with the rest fitted into
 * Windows-1252 (`GÇÖ` for an apostrophe), where only one original is possible, or the word tells which. All else stays
 * as it is.
 */
export function repairMojibake(text: string): Repaired {
  if (!notAscii.test(text)) return { text, repairs: 0 };
  let repairs = 0;
  let repaired = text
    .replace(sequences, (sequence) => {
      repairs++;
      return originals.get(sequence) ?? sequence;
    })
    .replace(quotation, (_, quoted: string) => {
      repairs += 2;
      return `“${quoted}”`;
    })
    .replace(halfSpace, () => {
      repairs++;
      return '';
    });
  if (repaired.includes('+'))
    for (const [pattern, letter] of inSpanish) {
      repaired = repaired.replace(pattern, () => {
        repairs++;
        return letter;
      });
    }
  return { text: repaired, repairs };
}
