import { distanceKm, type Point } from '../../../ground/earth.ts';
import { countiesNamed, saysCounty } from '../../../places/counties.ts';
import { readPlaceText } from '../../../places/place-text.ts';
import { codesWithin, postalCode } from '../../../places/postal-codes.ts';
import { isKindOfStreet, looksLikeStreet } from '../../../places/streets.ts';
import { townsNamed } from '../../../places/towns.ts';
import { neighbourTerm } from '../../../places/address-terms.ts';
import { cityKey, postalCodeKey } from '../../../projections/directory/search-keys.ts';
import { searchWords } from '../../../projections/directory/search-words.ts';
import { middleOf, placeInRecords } from './own-places.ts';
import type { SearchIndex } from './search-index.ts';

export interface NamedPlace extends Point {
  /** The text, or the coordinates as they were read. */
  readonly name: string;
}

/** Where the directory's own records and the gazetteer are farther apart, they mean two places. */
const samePlaceKm = 60;
/** A town without a state is the one of its name that is so near to the directory, where there is one. */
const aroundHomeKm = 250;

/**
 * A place by its coordinates (`25.77,-80.19`), its postal code, its town or county, with or without a state
 * (`Miami, FL`), or by a street or neighbourhood of which records tell (`1234 Main St, Hialeah`). It is where the
 * directory's own records are, else where the gazetteer has it: no service from outside is asked.
 */
export async function locate(text: string, index: SearchIndex): Promise<NamedPlace | undefined> {
  const name = text.trim();
  const point = coordinatesIn(name) ?? (await pointNamed(name, index));
  return point && { latitude: point.latitude, longitude: point.longitude, name };
}

function coordinatesIn(text: string): Point | undefined {
  const [, north, east] = /^(-?\d{1,2}(?:\.\d{1,10})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,10})?)$/.exec(text) ?? [];
  if (north === undefined) return undefined;
  const [latitude, longitude] = [Number(north), Number(east)];
  return latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
    ? { latitude, longitude }
    : undefined;
}

async function pointNamed(name: string, index: SearchIndex): Promise<Point | undefined> {
  const { parts, postalCode: code, state } = readPlaceText(name);
  const whole = parts.join(', ');
  if (whole === '') return ofCode(code ?? name, index);
  if (code !== undefined) {
    const [point, town] = [await ofCode(code, index), await ofTown(whole, state, index)];
    // A town and its code, and no street.
    if (point && town && distanceKm(point, town) < samePlaceKm) return point;
  } else {
    const area = await ofArea(whole, state, index);
    if (area) return area;
    // Codes of other countries, and states that are the end of a town's name.
    const otherwise = (await ofCode(name, index)) ?? (state && (await ofArea(name, undefined, index)));
    if (otherwise) return otherwise;
  }
  const area = await areaAtEnd(parts, code, state, index);
  return (
    (await placeInRecords(whole, area, index)) ??
    (area && (await placeInRecords(area.before, area, index))) ??
    area?.point
  );
}

interface Area {
  readonly point: Point;
  /** What stands before it. */
  readonly before: string;
}

/**
 * The postal code, or the town after the last comma, or of a text without commas its last words: after a street, or where a
 * state follows. "Little Havana" alone is no town of Illinois.
 */
async function areaAtEnd(
  parts: readonly string[],
  code: string | undefined,
  state: string | undefined,
  index: SearchIndex,
): Promise<Area | undefined> {
  const ofCodeAtEnd = code === undefined ? undefined : await ofCode(code, index);
  const [first = '', ...others] = parts;
  if (others.length > 0) {
    const point = ofCodeAtEnd ?? (await ofArea(others.at(-1) ?? '', state, index));
    return point && { point, before: first };
  }
  const words = first.split(/\s+/);
  const mayEnd = state !== undefined || code !== undefined || looksLikeStreet(first, searchWords(first));
  if (!mayEnd) return undefined;
  for (let count = Math.min(3, words.length - 1); count >= 1; count--) {
    const town = words.slice(-count).join(' ');
    if (isKindOfStreet(town.toLowerCase())) continue;
    const point = await ofTown(town, state, index);
    // A code tells better where it is, but not where the street ends and the town begins.
    if (point && (!ofCodeAtEnd || distanceKm(point, ofCodeAtEnd) < samePlaceKm)) {
      return { point: ofCodeAtEnd ?? point, before: words.slice(0, -count).join(' ') };
    }
  }
  return ofCodeAtEnd && { point: ofCodeAtEnd, before: first };
}

async function ofArea(
  name: string,
  state: string | undefined,
  index: SearchIndex,
): Promise<Point | undefined> {
  if (saysCounty(name)) return ofCounty(name, state, index);
  return (await ofTown(name, state, index)) ?? (await ofCounty(name, state, index));
}

async function ofCode(text: string, index: SearchIndex): Promise<Point | undefined> {
  const key = postalCodeKey(text);
  const own = key === '' ? undefined : await middleOf(index, [[`z${key}`]]);
  return meant(own, postalCode(text), index);
}

async function ofTown(
  name: string,
  state: string | undefined,
  index: SearchIndex,
): Promise<Point | undefined> {
  const key = cityKey(name);
  const term = state === undefined ? `y${key}` : neighbourTerm({ city: name, region: state });
  const own = key === '' || term === undefined ? undefined : await middleOf(index, [[term]]);
  const towns = townsNamed(name).filter((town) => state === undefined || town.state === state);
  if (own) return meant(own, nearestTo(own, towns), index);
  const [largest] = towns;
  if (largest === undefined || towns.length === 1) return largest;
  const home = await index.geocoder.home();
  const nearest = home && nearestTo(home, towns);
  return nearest && distanceKm(home, nearest) <= aroundHomeKm ? nearest : largest;
}

async function ofCounty(
  name: string,
  state: string | undefined,
  index: SearchIndex,
): Promise<Point | undefined> {
  const counties = countiesNamed(name, state);
  const home = counties.length > 1 ? await index.geocoder.home() : undefined;
  return home ? nearestTo(home, counties) : counties[0];
}

/**
 * Where the directory's own records are, unless the gazetteer has the place elsewhere: then a record tells a wrong code,
 * or the directory is of another country, whose places have the same names.
 */
async function meant(
  own: Point | undefined,
  byGazetteer: Point | undefined,
  index: SearchIndex,
): Promise<Point | undefined> {
  if (!own || !byGazetteer || distanceKm(own, byGazetteer) <= samePlaceKm) return own ?? byGazetteer;
  const home = await index.geocoder.home();
  const isAmerican = home !== undefined && codesWithin({ ...home, radiusKm: 100 }).length > 0;
  return isAmerican ? byGazetteer : own;
}

const nearestTo = <Place extends Point>(point: Point, places: readonly Place[]): Place | undefined =>
  places.toSorted((one, other) => distanceKm(one, point) - distanceKm(other, point))[0];
