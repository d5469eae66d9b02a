import { cityKey, postalCodeKey } from '../../../projections/directory/search-keys.ts';
import type { Point } from '../../../ground/earth.ts';
import { readPlaces } from '../../../projections/directory/places.ts';
import type { SearchIndex } from './search-index.ts';

export interface NamedPlace extends Point {
  /** The text, or the coordinates as they were read. */
  readonly name: string;
}

/** Of how many records the middle is taken. */
const mostRecords = 500;

/**
 * A place by its coordinates (`25.77,-80.19`), its postal code or its city, with or without a state (`Miami, FL`). A
 * postal code or a city is where the directory's own addresses in it are: no service from outside is asked.
 */
export async function locate(text: string, index: SearchIndex): Promise<NamedPlace | undefined> {
  const name = text.trim();
  const coordinates = coordinatesIn(name);
  if (coordinates) return { ...coordinates, name };
  const [city] = name.split(',');
  const terms = [`z${postalCodeKey(name)}`, `y${cityKey(name)}`, `y${cityKey(city ?? '')}`];
  for (const term of new Set(terms)) {
    const middle = await middleOf(term, index);
    if (middle) return { ...middle, name };
  }
  return undefined;
}

function coordinatesIn(text: string): Point | undefined {
  const [, north, east] = /^(-?\d{1,2}(?:\.\d{1,10})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,10})?)$/.exec(text) ?? [];
  if (north === undefined) return undefined;
  const [latitude, longitude] = [Number(north), Number(east)];
  return latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
    ? { latitude, longitude }
    : undefined;
}

/** The median of the places of records that have the term. Of records with one place, where there are any. */
async function middleOf(term: string, index: SearchIndex): Promise<Point | undefined> {
  const records = await index.candidates({ every: [[term]] }, mostRecords, { also: ['places'] });
  const places = records.map((record) => (record.places === undefined ? [] : readPlaces(record.places)));
  const single = places.filter(({ length }) => length === 1).flat();
  const all = single.length > 0 ? single : places.flat();
  if (all.length === 0) return undefined;
  return {
    latitude: median(all.map(({ latitude }) => latitude)),
    longitude: median(all.map(({ longitude }) => longitude)),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] as number;
}
