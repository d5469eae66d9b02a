import type { ImpersonalFields } from '../../events/directory/resource-fields.ts';

/** A metre. Distances are told in tenths of kilometres. */
const digits = 5;

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

/** As text: `lat,lon;lat,lon`. Undefined where there are none. */
export function writtenPlaces(fields: Pick<ImpersonalFields, 'locations'>): string | undefined {
  const points = shownPoints(fields);
  return points.length === 0 ? undefined : points.map(written).join(';');
}

/** The points of such a text. */
export const readPlaces = (places: string): Point[] =>
  places.split(';').map((place) => {
    const [latitude, longitude] = place.split(',').map(Number);
    return { latitude: latitude ?? NaN, longitude: longitude ?? NaN };
  });

const rounded = (degrees: number): number => Math.round(degrees * 10 ** digits) / 10 ** digits;
const written = ({ latitude, longitude }: Point): string => `${latitude},${longitude}`;

/** A point in degrees, WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** The mean radius of the earth (IUGG). */
const earthKm = 6371.0088;
/** The distance of two points that are opposite each other: no two are further apart. */
export const farthestKm = Math.PI * earthKm;

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The distance along the surface, on a sphere, by the haversine formula. It is up to 0.6 % from that on the ellipsoid. */
export function distanceKm(one: Point, other: Point): number {
  const [north, south] = [radians(one.latitude), radians(other.latitude)];
  const across = radians(one.longitude - other.longitude);
  const half =
    Math.sin((north - south) / 2) ** 2 + Math.cos(north) * Math.cos(south) * Math.sin(across / 2) ** 2;
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(half)));
}
