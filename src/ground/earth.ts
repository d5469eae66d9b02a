/** A point in degrees, WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

export interface Circle extends Point {
  readonly radiusKm: number;
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

/** A distance as it is told and compared: in tens of metres. */
export const shownKm = (km: number): number => Math.round(km * 100) / 100;
