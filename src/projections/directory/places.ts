import type { Point } from '../../ground/earth.ts';
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
