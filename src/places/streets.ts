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
