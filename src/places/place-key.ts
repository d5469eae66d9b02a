/** A longer name is cut. */
const longest = 60;

const marks = /\p{M}/gu;
const apostrophes = /['’‘ʼ`´′]/g;
const words = /[\p{L}\p{N}]+/gu;

/** How the words of names of places are shortened. Both sides of a comparison are written out. */
const written: ReadonlyMap<string, string> = new Map(
  Object.entries({
    st: 'saint',
    ste: 'sainte',
    ft: 'fort',
    mt: 'mount',
    pt: 'point',
    n: 'north',
    s: 'south',
    e: 'east',
    w: 'west',
  }),
);

/**
 * A name of a place by which it is compared: letters and digits alone, without case and marks. "St. Louis" and "Saint
 * Louis" are one, as are "N Miami" and "North Miami". Empty where a text has none.
 */
export const placeKey = (name: string): string =>
  (plain(name).match(words) ?? [])
    .map((word) => written.get(word) ?? word)
    .join('')
    .slice(0, longest)
    // Never half of a character.
    .replace(/[\ud800-\udbff]$/, '');

/** In lower case before the marks are left out: that of İ has one. */
const plain = (name: string): string =>
  /^[\w .-]*$/.test(name)
    ? name.toLowerCase().replaceAll('_', ' ')
    : name.replace(apostrophes, '').normalize('NFKD').toLowerCase().normalize('NFKD').replace(marks, '');
