/** A longer name is cut. */
const longest = 60;

const marks = /\p{M}/gu;
const apostrophes = /['’‘ʼ`´′]/g;

/** How the beginnings of names of places are shortened. Both sides of a comparison are written out. */
const written: Readonly<Record<string, string>> = {
  st: 'saint',
  ste: 'sainte',
  ft: 'fort',
  mt: 'mount',
  pt: 'point',
  n: 'north',
  s: 'south',
  e: 'east',
  w: 'west',
};

/**
 * A name of a place by which it is compared: letters and digits alone, without case and marks. "St. Louis" and "Saint
 * Louis" are one, as are "N Miami" and "North Miami". Empty where a text has none.
 */
export const placeKey = (name: string): string =>
  (
    name
      .replace(apostrophes, '')
      .normalize('NFKD')
      .replace(marks, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .map((word) => written[word] ?? word)
    .join('')
    .slice(0, longest);
