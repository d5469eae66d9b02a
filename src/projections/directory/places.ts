import { crc32 } from 'node:zlib';
import type { Point } from '../../ground/earth.ts';
import { addressKey } from '../../places/address-key.ts';
import type { ImpersonalFields } from '../../events/directory/resource-fields.ts';
import { searchWords } from './search-words.ts';

/** A metre. Distances are told in tenths of kilometres. */
const digits = 5;

/** A location of which only the address is known, see `addressKey`. */
export interface Unplaced {
  readonly address: string;
  /** It is nowhere but at the middle of its city. */
  readonly confidential?: true;
}

/** The points of the locations that are shown, each once. `fields`: what the public may see. */
export function shownPoints({ locations = [] }: Pick<ImpersonalFields, 'locations'>): Point[] {
  const points = new Map<string, Point>();
  for (const { latitude, longitude } of locations) {
    if (latitude === undefined || longitude === undefined) continue;
    const point = { latitude: rounded(latitude), longitude: rounded(longitude) };
    points.set(written(point), point);
  }
  return [...points.values()];
}

/**
 * Entries of the vocabulary that tell which streets have coordinates in common: those of a postal code or a town, which some sources give
 * to all of its addresses, are of dozens. `fields`: what the public may see.
 */
export function streetWords({ locations = [] }: Pick<ImpersonalFields, 'locations'>): Set<string> {
  const found = new Set<string>();
  for (const { latitude, longitude, street, virtual } of locations) {
    if (latitude === undefined || longitude === undefined || street === undefined || virtual) continue;
    // Offices of one house have one beginning.
    const house = searchWords(street).slice(0, wordsOfHouse).join('');
    if (house !== '')
      found.add(`${streetsAt({ latitude, longitude })}${crc32(house).toString(36)}${streetEnding}`);
  }
  return found;
}
const wordsOfHouse = 3;
/** No word of a record begins or ends so. */
const [streetBeginning, streetEnding] = ['0s', 's0'] as const;

/** How the entries of the streets at a point begin. */
export function streetsAt(point: Point): string {
  const [north, east] = [point.latitude, point.longitude].map((degrees) =>
    Math.round((degrees + 180) * 10 ** digits).toString(36),
  );
  return `${streetBeginning}${north}z${east}z`;
}

/** The addresses of the locations without a point, each once. `fields`: what the public may see. */
export function shownAddresses({ locations = [] }: Pick<ImpersonalFields, 'locations'>): Unplaced[] {
  const found = new Map<string, Unplaced>();
  for (const location of locations) {
    if (location.latitude !== undefined && location.longitude !== undefined) continue;
    const address = addressKey(location);
    if (address === undefined) continue;
    const unplaced: Unplaced = location.confidential ? { address, confidential: true } : { address };
    found.set(writtenAddress(unplaced), unplaced);
  }
  return [...found.values()];
}

/** As text: `lat,lon;lat,lon;~address;!confidential address`. Undefined where there are none. */
export function writtenPlaces(fields: Pick<ImpersonalFields, 'locations'>): string | undefined {
  const places = [...shownPoints(fields).map(written), ...shownAddresses(fields).map(writtenAddress)];
  return places.length === 0 ? undefined : places.join(';');
}

/** The points and the addresses of such a text. */
export const readPlaces = (places: string): (Point | Unplaced)[] =>
  places.split(';').map((place) => {
    if (place.startsWith(nearby)) return { address: place.slice(1) };
    if (place.startsWith(hidden)) return { address: place.slice(1), confidential: true };
    const [latitude, longitude] = place.split(',').map(Number);
    return { latitude: latitude ?? NaN, longitude: longitude ?? NaN };
  });

const [nearby, hidden] = ['~', '!'] as const;

const writtenAddress = ({ address, confidential }: Unplaced): string =>
  `${confidential ? hidden : nearby}${address}`;

const rounded = (degrees: number): number => Math.round(degrees * 10 ** digits) / 10 ** digits;
const written = ({ latitude, longitude }: Point): string => `${latitude},${longitude}`;
