import { distanceKm, type Point } from '../../../ground/earth.ts';
import { otherWords, type Need } from '../../../needs/need.ts';
import { readPlaceText } from '../../../places/place-text.ts';
import { codesWithin, postalCode } from '../../../places/postal-codes.ts';
import { townsNamed } from '../../../places/towns.ts';
import { countiesNamed } from '../../../places/counties.ts';
import type { PlaceInWords } from '../search/request.ts';
import { needsNamed } from '../search/words/concepts.ts';
import { crisisNeeds, isCrisis } from '../search/words/crisis.ts';
import { kindOfNeed } from '../search/words/kinds.ts';

/** A search, as it was typed and as it was understood. */
export interface SearchedFor {
  readonly text?: string | undefined;
  /** The text in a better spelling, where there is one. */
  readonly didYouMean?: string | undefined;
  readonly placeInWords?: PlaceInWords | undefined;
  /** The kind of help that was chosen. */
  readonly category?: string | undefined;
  /** A place that was typed or chosen. */
  readonly near?: string | undefined;
  /** Where that is, where somebody knows it. */
  readonly at?: Point | undefined;
}

/** More words make rows for which no crowd asks. */
const mostWords = 2;
const digitsOfPlace = 3;
/** The nearest postal code to a point is not farther. */
const nearestKm = 30;

/**
 * What a search is counted as. Undefined: it is not counted, because nothing was asked for, or whoever searched may be in
 * danger. `hasTown`: whether some record of the directory is in a town of this name.
 */
export async function needOfSearch(
  search: SearchedFor,
  hasTown: (name: string) => Promise<boolean>,
): Promise<Need | undefined> {
  const { text, didYouMean, placeInWords, category, near } = search;
  if (text === undefined && near === undefined && category === undefined) return undefined;
  if ([text, didYouMean].some((each) => each !== undefined && isCrisis(each))) return undefined;
  const named = text === undefined ? [] : needsIn(text, didYouMean, placeInWords);
  if (named.some((need) => crisisNeeds.has(need))) return undefined;
  const kind = category ?? named.map(kindOfNeed).find((each) => each !== undefined) ?? '';
  if (kind === 'emergency') return undefined;
  const words = text !== undefined && named.length === 0 ? [otherWords] : named;
  const place = near === undefined ? placeInWords?.name : near;
  return {
    words: words.slice(0, mostWords).sort(),
    kind,
    place: place === undefined ? '' : await placeOf(place, search.at, hasTown),
  };
}

function needsIn(
  text: string,
  didYouMean: string | undefined,
  placeInWords: PlaceInWords | undefined,
): readonly string[] {
  const named = needsNamed(placeInWords?.text ?? text);
  return named.length > 0 || didYouMean === undefined ? named : needsNamed(didYouMean);
}

/**
 * A place as it is counted: three digits of its postal code, or the name of a town or county that the gazetteer or the
 * directory has. A street, a house or coordinates become the three digits of the postal code there. Empty: nobody knows it.
 */
async function placeOf(
  text: string,
  at: Point | undefined,
  hasTown: (name: string) => Promise<boolean>,
): Promise<string> {
  const { parts, postalCode: code, state } = readPlaceText(text);
  const found = postalCode(code ?? text);
  if (found) return found.code.slice(0, digitsOfPlace);
  const name = parts.at(-1) ?? '';
  const towns = townsNamed(name);
  const town = towns.find((each) => state === undefined || each.state === state) ?? towns[0];
  if (town) return town.name;
  const [county] = countiesNamed(name, state);
  if (county) return `${county.name} County`;
  if (await hasTown(name)) return spelled(name);
  return at ? digitsAt(at) : '';
}

/** However somebody wrote the name of a town that only the directory has: one spelling, of letters alone. */
const spelled = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, ' ')
    .trim()
    .replace(/(?<![\p{L}\p{M}'’])\p{L}/gu, (letter) => letter.toUpperCase());

function digitsAt(point: Point): string {
  let nearest: { readonly code: string; readonly km: number } | undefined;
  for (const { code, ...each } of codesWithin({ ...point, radiusKm: nearestKm })) {
    const km = distanceKm(point, each);
    if (!nearest || km < nearest.km) nearest = { code, km };
  }
  return nearest?.code.slice(0, digitsOfPlace) ?? '';
}
