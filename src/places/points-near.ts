import { distanceKm, farthestKm, radians, type Circle, type Point } from '../ground/earth.ts';
import { firstLine, perDegree } from './gazetteer-file.ts';

/** Points in columns of thousandths of degrees. */
export interface Points {
  readonly latitudes: Int32Array;
  readonly longitudes: Int32Array;
  /** The lines from south to north: a search near a place looks at a strip of them, not at all. */
  readonly northwards: Uint32Array;
}

/** The columns of points with their order. */
export const pointsOf = (latitudes: Int32Array, longitudes: Int32Array): Points => ({
  latitudes,
  longitudes,
  northwards: linesNorthwards(latitudes),
});

/** Latitude and line in one number: to sort numbers takes a tenth of comparing lines. */
function linesNorthwards(latitudes: Int32Array): Uint32Array {
  const packed = Float64Array.from(latitudes, (at, line) => (at + 90 * perDegree) * latitudes.length + line);
  return Uint32Array.from(packed.sort(), (value) => value % latitudes.length);
}

export const pointAt = ({ latitudes, longitudes }: Omit<Points, 'northwards'>, line: number): Point => ({
  latitude: (latitudes[line] as number) / perDegree,
  longitude: (longitudes[line] as number) / perDegree,
});

/** The lines whose points lie in the circle, and no nearer than `beyondKm`. */
export function linesWithin(points: Points, circle: Circle, beyondKm = 0): number[] {
  const { latitude, longitude, radiusKm } = circle;
  const reach = (radiusKm / farthestKm) * 180;
  const [south, north] = [(latitude - reach) * perDegree, (latitude + reach) * perDegree];
  const across = widthOf(latitude, reach) * perDegree;
  const around = 360 * perDegree;
  const found: number[] = [];
  const { latitudes, longitudes, northwards } = points;
  const latitudeAt = (place: number): number => latitudes[northwards[place] as number] as number;
  const first = firstLine(northwards.length, (place) => latitudeAt(place) < south);
  for (let place = first; place < northwards.length && latitudeAt(place) <= north; place++) {
    const line = northwards[place] as number;
    const apart = Math.abs((longitudes[line] as number) - longitude * perDegree);
    if (Math.min(apart, around - apart) > across) continue;
    const km = distanceKm(pointAt(points, line), circle);
    if (km <= radiusKm && km >= beyondKm) found.push(line);
  }
  return found.sort((one, other) => one - other);
}

/** Half of a circle's width in degrees of longitude: sin Δλ = sin r / cos φ. */
function widthOf(latitude: number, reach: number): number {
  if (Math.abs(latitude) + reach >= 90) return 180;
  const sine = Math.sin(radians(reach)) / Math.cos(radians(latitude));
  return sine >= 1 ? 180 : (Math.asin(sine) / Math.PI) * 180 + 0.001;
}
