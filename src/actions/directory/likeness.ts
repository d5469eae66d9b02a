import type { Likeness } from '../../events/directory/merges.ts';
import { keyOf, type TracedPlace, type Traces } from '../../projections/directory/duplicates.ts';
import { stem } from '../../tables/stem.ts';

/**
 * What two records have in common, where they are probably the same. Undefined: they are no duplicates. The same programme at two
 * places is two, so streets that differ, or phones that differ where nothing else is the same, tell them apart. Names that are only
 * nearly the same need a phone, an address or a web page in common, and two services of one organization have the same name but for
 * what people write differently.
 */
export function duplicateIn(one: Traces, other: Traces): readonly Likeness[] | undefined {
  const phone = one.phones.some((each) => other.phones.includes(each));
  const web = one.web !== undefined && one.web === other.web;
  const address = one.places.some((place) => other.places.some((each) => isSamePlace(place, each)));
  if (one.places.length > 0 && other.places.length > 0 && !address) return undefined;
  if (one.phones.length > 0 && other.phones.length > 0 && !phone && !web) return undefined;
  if (areTwoProgrammes(one, other)) return undefined;
  const names = likeNames(one, other);
  if (names === undefined) return undefined;
  const sameOrganization = one.organization !== '' && one.organization === other.organization;
  const weak = sameOrganization || (address && (one.organization === '' || other.organization === ''));
  const isEnough =
    names === 'same'
      ? phone || web || weak
      : names === 'near'
        ? phone || (address && weak)
        : phone && address && one.organization !== other.organization;
  if (!isEnough) return undefined;
  return [
    'name',
    ...(phone ? (['phone'] as const) : []),
    ...(address ? (['address'] as const) : []),
    ...(web ? (['web'] as const) : []),
  ];
}

/** One service that an organization lists under two of its programmes has another second name in each. */
function areTwoProgrammes(one: Traces, other: Traces): boolean {
  if (one.alternate === undefined || other.alternate === undefined) return false;
  const [words, others] = [one.alternate.split(' '), other.alternate.split(' ')];
  return one.organization === other.organization && !words.some((word) => others.includes(word));
}

/**
 * How much two names are alike. `same`: every word, in any order. `near`: every word but for a wrong letter, an acronym of the
 * others, the organization, the town, or "services". `reworded`: most words of both.
 */
function likeNames(one: Traces, other: Traces): 'same' | 'near' | 'reworded' | undefined {
  const left = [...without(one.name, other.name), ...without(other.name, one.name)];
  if (left.length === 0) return keyOf(one.name) === keyOf(other.name) ? 'same' : 'near';
  if (isAcronym(one, other) || isAcronym(other, one)) return 'near';
  const cities = [one, other].flatMap(({ places }) => places.map(({ city }) => city));
  const telling = left.filter((word) => !isCommon(word) && !cities.some((city) => isOfCity(word, city)));
  const matched = one.name.filter((word) => !left.includes(word) && !isCommon(word));
  if (telling.length === 0 && matched.length > 0) return 'near';
  const organizations = [one, other].flatMap(({ organization }) => organization.split(' '));
  const isOwn = (word: string): boolean => !organizations.some((each) => isLike(word, each));
  const [own, shared] = [telling.filter(isOwn), matched.filter(isOwn)];
  if (own.length === 0 && shared.length > 0) return 'near';
  return shared.length >= 2 && shared.length >= own.length ? 'reworded' : undefined;
}

/** The words that another name does not have, not even with a wrong letter. */
const without = (one: readonly string[], other: readonly string[]): readonly string[] =>
  one.filter((word) => !other.some((each) => isLike(word, each)));

/** Words of one stem begin alike, so that most need not be stemmed. */
const isLike = (one: string, other: string): boolean =>
  one === other || (one[0] === other[0] && (stem(one) === stem(other) || isMisspelt(one, other)));

/** Words for any service, with which a name is the same as without them. */
const commonWords = ['service', 'services', 'program', 'programs', 'corporation', 'incorporated'];
const isCommon = (word: string): boolean =>
  commonWords.some((each) => each === word || isMisspelt(word, each));

/** "beach", of Miami Beach. Shorter words are in many a town by chance. */
const isOfCity = (word: string, city: string): boolean =>
  word === city || (word.length > 3 && city.includes(word)) || isMisspelt(word, city);

const shortestAcronym = 3;

/** "YMCA" and "Young Men's Christian Association". */
const isAcronym = ({ name: [word = '', ...more] }: Traces, { name, initials }: Traces): boolean =>
  more.length === 0 && name.length > 1 && word.length >= shortestAcronym && initials.includes(stem(word));

/** Shorter words that differ in one letter mean two things: "hope" and "home". */
const shortestMisspelt = 5;
/** Of words as long as these, two letters may be wrong. */
const longWord = 9;

/** Whether one word is probably a misspelling of the other. Never for short words, digits, or different first letters. */
export function isMisspelt(one: string, other: string): boolean {
  const [shorter, longer] = [Math.min(one.length, other.length), Math.max(one.length, other.length)];
  if (one[0] !== other[0] || shorter < shortestMisspelt || /\d/.test(one + other)) return false;
  const most = shorter >= longWord ? 2 : 1;
  return longer - shorter <= most && distance(one, other) <= most;
}

/** Letters to change, to add, to leave out, or to exchange with the next one (optimal string alignment). */
function distance(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const same = one[row - 1] === other[at - 1];
      let least = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1])
        least = Math.min(least, (before[at - 2] ?? 0) + 1);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}

/** Coordinates nearer than these are of one place, where the addresses do not say otherwise. */
const nearMetres = 100;

function isSamePlace(one: TracedPlace, other: TracedPlace): boolean {
  const sameTown =
    (one.code !== '' && one.code === other.code) ||
    one.city === other.city ||
    isMisspelt(one.city, other.city) ||
    one.city === '' ||
    other.city === '';
  const sameQuarter =
    one.quarter === undefined || other.quarter === undefined || one.quarter === other.quarter;
  if (!sameTown || !sameQuarter) return false;
  if (one.street === other.street) return true;
  const [[number, word = ''], [otherNumber, each = '']] = [one.house, other.house];
  // "Corner of Main Street and Second Avenue" has no number, and coordinates.
  if (number === undefined || otherNumber === undefined) return isNear(one.point, other.point);
  return number === otherNumber && (word === each || isMisspelt(word, each));
}

function isNear(one: TracedPlace['point'], other: TracedPlace['point']): boolean {
  if (!one || !other) return false;
  const metresOfDegree = 111_320;
  const north = (one[0] - other[0]) * metresOfDegree;
  const east = (one[1] - other[1]) * metresOfDegree * Math.cos((one[0] * Math.PI) / 180);
  return Math.hypot(north, east) <= nearMetres;
}
