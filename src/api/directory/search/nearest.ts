import { distanceKm, type Point } from '../../../ground/earth.ts';
import { readPlaces } from '../../../projections/directory/places.ts';

/** The distance to the nearest place of a record, in kilometres, rounded to ten metres. Undefined without a place. */
export function distanceTo(places: string | undefined, from: Point): number | undefined {
  if (places === undefined) return undefined;
  const distances = readPlaces(places).map((place) => distanceKm(from, place));
  return Math.round(Math.min(...distances) * 100) / 100;
}
