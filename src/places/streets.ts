/** How the words of streets are shortened. Records and people write one or the other. */
const shortened: readonly (readonly string[])[] = [
  ['street', 'st', 'str'],
  ['avenue', 'ave', 'av', 'avenida'],
  ['boulevard', 'blvd'],
  ['road', 'rd'],
  ['drive', 'dr'],
  ['lane', 'ln'],
  ['court', 'ct'],
  ['place', 'pl'],
  ['highway', 'hwy'],
  ['parkway', 'pkwy'],
  ['terrace', 'ter', 'terr'],
  ['circle', 'cir'],
  ['square', 'sq'],
  ['calle'],
  ['north', 'n'],
  ['south', 's'],
  ['east', 'e'],
  ['west', 'w'],
  ['northeast', 'ne'],
  ['northwest', 'nw'],
  ['southeast', 'se'],
  ['southwest', 'sw'],
];
/** The first of them are kinds of streets, the others directions. */
const kinds = 14;

const same = new Map(shortened.flatMap((words) => words.map((word) => [word, words] as const)));
const streetWords = new Set(shortened.slice(0, kinds).flat());

export const isKindOfStreet = (word: string): boolean => streetWords.has(word);

/** How a word of a street may be written. */
export const streetSpellings = (word: string): readonly string[] => same.get(word) ?? [word];

/** Parts of a town, as streets name them: "1234 Good Hope Road SE" is in Southeast. */
const quarters = new Map(shortened.slice(-4).map(([word = '', short = '']) => [short, word]));

/** The parts of a town that a street names, in full. */
export const quartersIn = (street: string): string[] =>
  street.split(/[\s,]+/).flatMap((word) => quarters.get(word.toLowerCase().replaceAll('.', '')) ?? []);

/**
 * A query with "SE" in full, which no record is found by: it is a word of Spanish and of Haitian Creole. It means the part of a
 * town at the end, before a city or in capitals among small letters. The letters of the others are words of their streets.
 */
export const withSoutheast = (text: string): string =>
  text.replace(/(?<![\p{L}\p{N}.])se(?![\p{L}\p{N}])/giu, (word, at: number) => {
    const isCapital = word === 'SE' && /[a-z]{2}/.test(text);
    const isAtEnd = text.slice(0, at).trim() !== '' && beforeCity.test(text.slice(at + word.length));
    return isCapital || isAtEnd ? 'southeast' : word;
  });

/** Nothing, or the city that is called after its parts. */
const beforeCity = /^[\s,.]*(?:$|washington\b|d\.?c\b)/i;

/** A house number and something after it. */
const numbered = /^#?\s*\d+[a-z]?\s+\S/i;

/** Whether a text is a street by its look: it begins with a house number, or one of its words is a kind of street. */
export const looksLikeStreet = (text: string, words: readonly string[]): boolean =>
  numbered.test(text) || (words.length > 1 && words.some((word) => streetWords.has(word)));

/** The house number that a text begins with, and its other words. */
export function houseNumber(words: readonly string[]): readonly [string | undefined, readonly string[]] {
  const [first = '', ...others] = words;
  return /^\d+[a-z]?$/.test(first) && others.length > 0 ? [first, others] : [undefined, words];
}
