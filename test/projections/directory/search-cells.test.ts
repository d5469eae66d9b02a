import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsWithin, cellTermsOf } from '../../../src/projections/directory/search-cells.ts';
import { distanceKm, type Point } from '../../../src/ground/earth.ts';

const degrees = (limit: number) =>
  fc.oneof(
    fc.double({ min: -limit, max: limit, noNaN: true }),
    // The poles, the edges of the map, and the edges of cells.
    fc.constantFrom(-limit, limit, limit - 1e-9, 1e-9 - limit, 0, 10.24, -20.48, 40.96, 0.0025),
  );
const point: fc.Arbitrary<Point> = fc.record({ latitude: degrees(90), longitude: degrees(180) });
/** From 100 m to the other side of the earth, as likely small as large. */
const radius = fc.double({ min: -1, max: Math.log10(20_000), noNaN: true }).map((exponent) => 10 ** exponent);
const share = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1));

/** The point at this distance from another in this direction. */
function away(from: Point, km: number, bearing: number): Point {
  const arc = km / 6371.0088;
  const [lat, lon] = [from.latitude, from.longitude].map((value) => (value * Math.PI) / 180) as [
    number,
    number,
  ];
  const to = Math.asin(Math.sin(lat) * Math.cos(arc) + Math.cos(lat) * Math.sin(arc) * Math.cos(bearing));
  const across = Math.atan2(
    Math.sin(bearing) * Math.sin(arc) * Math.cos(lat),
    Math.cos(arc) - Math.sin(lat) * Math.sin(to),
  );
  const longitude = ((((lon + across) * 180) / Math.PI + 540) % 360) - 180;
  return { latitude: Math.min(90, Math.max(-90, (to * 180) / Math.PI)), longitude };
}

describe('the cells within a radius', () => {
  it('hold every place within it, and are at most 60', () => {
    const bearing = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
    fc.assert(
      fc.property(point, radius, share, bearing, (center, radiusKm, part, direction) => {
        const place = away(center, radiusKm * part, direction);
        fc.pre(distanceKm(center, place) <= radiusKm);
        const cells = cellsWithin(center, radiusKm);
        expect(cells.length).toBeLessThanOrEqual(60);
        expect(new Set(cells).size).toBe(cells.length);
        expect(cellTermsOf(place).some((term) => cells.includes(term))).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });

  it('hold, beyond a smaller radius, every place of the ring', () => {
    fc.assert(
      fc.property(point, radius, share, point, (center, radiusKm, part, place) => {
        const beyondKm = radiusKm * part;
        const km = distanceKm(center, place);
        fc.pre(km <= radiusKm && km >= beyondKm);
        const cells = cellsWithin(center, radiusKm, beyondKm);
        expect(cells.length).toBeLessThanOrEqual(60);
        expect(cellTermsOf(place).some((term) => cells.includes(term))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('leave out, beyond a smaller radius, what lies inside it', () => {
    const miami = { latitude: 25.77, longitude: -80.19 };
    const cells = cellsWithin(miami, 8, 7);
    const nearby = away(miami, 0.5, 1);
    expect(cellTermsOf(nearby).some((term) => cells.includes(term))).toBe(false);
    expect(cells.length).toBeGreaterThan(10);
  });

  it.each([
    [0.1, 2],
    [1, 10],
    [10, 40],
    [100, 400],
  ])('of %d km leave out what is %d km away', (radiusKm, farKm) => {
    const miami = { latitude: 25.77, longitude: -80.19 };
    const cells = cellsWithin(miami, radiusKm);
    for (const direction of [0, 1, 2, 3, 4, 5, 6]) {
      const terms = cellTermsOf(away(miami, farKm, direction));
      expect(terms.some((term) => cells.includes(term))).toBe(false);
    }
  });

  it('reach over the date line and the pole', () => {
    const taveuni = { latitude: -16.8, longitude: 179.99 };
    const across = { latitude: -16.8, longitude: -179.99 };
    const [east, west] = [cellsWithin(taveuni, 5), cellTermsOf(across)];
    expect(west.some((term) => east.includes(term))).toBe(true);
    const alert = { latitude: 89.99, longitude: 10 };
    const beyond = { latitude: 89.99, longitude: -170 };
    expect(cellTermsOf(beyond).some((term) => cellsWithin(alert, 3).includes(term))).toBe(true);
  });

  it('are the same for 180° east and west', () => {
    expect(cellTermsOf({ latitude: 5, longitude: 180 })).toEqual(
      cellTermsOf({ latitude: 5, longitude: -180 }),
    );
  });
});

describe('the distance of two points', () => {
  it.each([
    // Geodesics on the ellipsoid, rounded: the sphere is within 0.6 %.
    [
      'Miami',
      { latitude: 25.77427, longitude: -80.19366 },
      'Tampa',
      { latitude: 27.94752, longitude: -82.45843 },
      330,
    ],
    [
      'New York',
      { latitude: 40.71427, longitude: -74.00597 },
      'Los Angeles',
      { latitude: 34.05223, longitude: -118.24368 },
      3944,
    ],
  ])('from %s is that on the map', (_, one, _other, other, km) => {
    expect(Math.abs(distanceKm(one, other) / km - 1)).toBeLessThan(0.006);
  });

  it('is the same in both directions, and nothing to the point itself', () => {
    fc.assert(
      fc.property(point, point, (one, other) => {
        expect(distanceKm(one, other)).toBe(distanceKm(other, one));
        expect(distanceKm(one, one)).toBe(0);
      }),
    );
  });
});
