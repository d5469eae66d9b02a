import type { Location } from '../events/directory/location.ts';
import { distanceKm, type Point } from '../ground/earth.ts';
import { addressKey, addressOf } from './address-key.ts';
import { gazetteerPlace } from './gazetteer-place.ts';

/** Coordinates are of the address when they are so near to the middle of its postal code or town. */
const plausibleKm = 300;

/** What is wrong with coordinates, and the right ones where that is clear. */
export interface WrongCoordinates {
  readonly what: string;
  readonly right: Point | undefined;
}

/**
 * Compares the coordinates of a location with its address, where the gazetteer knows it: whether they are far from it, and
 * whether they would be right with latitude and longitude swapped, or with the other sign. Undefined where nothing is wrong.
 */
export function wrongCoordinates(location: Location): WrongCoordinates | undefined {
  const { latitude, longitude } = location;
  if (latitude === undefined || longitude === undefined) return undefined;
  const key = addressKey(location);
  const address = key === undefined ? undefined : gazetteerPlace(addressOf(key));
  if (!address) return undefined;
  const isNear = (point: Point): boolean =>
    Math.abs(point.latitude) <= 90 && distanceKm(point, address) <= plausibleKm;
  if (isNear({ latitude, longitude })) return undefined;
  const ways: readonly (readonly [string, Point])[] = [
    ['have latitude and longitude swapped', { latitude: longitude, longitude: latitude }],
    ['lack the minus of the longitude', { latitude, longitude: -longitude }],
    ['have latitude and longitude swapped, without a minus', { latitude: longitude, longitude: -latitude }],
    [
      'have latitude and longitude swapped, and the minus at the latitude',
      { latitude: -longitude, longitude: latitude },
    ],
  ];
  const [what, right] = ways.find(([, point]) => isNear(point)) ?? [];
  if (what !== undefined) return { what, right };
  const km = Math.round(distanceKm({ latitude, longitude }, address));
  return {
    what: `are ${km.toLocaleString('en')} km from the ${address.by} of the address`,
    right: undefined,
  };
}
