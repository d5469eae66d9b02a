import { distanceKm, farthestKm, radians, type Circle, type Point } from '../ground/earth.ts';
import { perDegree } from './gazetteer-file.ts';

/** Points in columns of thousandths of degrees. */
export interface Points {
  readonly latitudes: Int32Array;
  readonly longitudes: Int32Array;
}

export const pointAt = ({ latitudes, longitudes }: Points, line: number): Point => ({
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
  const { latitudes, longitudes } = points;
  for (let line = 0; line < latitudes.length; line++) {
    const at = latitudes[line] as number;
    if (at < south || at > north) continue;
    const apart = Math.abs((longitudes[line] as number) - longitude * perDegree);
    if (Math.min(apart, around - apart) > across) continue;
    const km = distanceKm(pointAt(points, line), circle);
    if (km <= radiusKm && km >= beyondKm) found.push(line);
  }
  return found;
}

/** Half of a circle's width in degrees of longitude: sin Δλ = sin r / cos φ. */
function widthOf(latitude: number, reach: number): number {
  if (Math.abs(latitude) + reach >= 90) return 180;
  const sine = Math.sin(radians(reach)) / Math.cos(radians(latitude));
  return sine >= 1 ? 180 : (Math.asin(sine) / Math.PI) * 180 + 0.001;
}
