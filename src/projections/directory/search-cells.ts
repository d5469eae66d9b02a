import { distanceKm, farthestKm, radians, type Point } from '../../ground/earth.ts';

/**
 * A grid over the earth, by which places are found near a point. Cells of level L are 0.0025° × 4^L high and wide: 280 m
 * from north to south at level 0, 18 km at level 3. A place has the term of its cell at every level, and a circle is
 * covered by cells of the level that suits its size. The columns get narrow towards the poles, where a circle takes
 * more of them and therefore a higher level.
 */
interface Cell {
  readonly level: (typeof levels)[number];
  /** From 180° west. */
  readonly column: number;
  /** From the south pole. */
  readonly row: number;
}

/** At level 7 the whole earth has 45 cells, so that any circle can be covered. */
const levels = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const cellsPerDegree = 400;
/** A page near a point looks into so many lists of places at most. */
const mostCells = 60;
/** Cells are compared with a circle that is larger by it, because degrees in floating point are not exact. */
const marginKm = 0.01;

const sizeOf = (level: number): number => 4 ** level / cellsPerDegree;
const columnsOf = (level: number): number => Math.ceil(360 / sizeOf(level));
const rowsOf = (level: number): number => Math.ceil(180 / sizeOf(level));

/** The terms of a place. */
export const cellTermsOf = ({ latitude, longitude }: Point): string[] =>
  levels.map((level) => termOf({ level, column: columnAt(longitude, level), row: rowAt(latitude, level) }));

/**
 * The terms of cells that together hold every place within the radius, and, with `beyondKm`, no cell whose places are
 * all nearer than that. They are of the finest level that needs at most 60.
 */
export function cellsWithin(center: Point, radiusKm: number, beyondKm = 0): string[] {
  for (const level of levels) {
    const cells = cellsAt(level, center, radiusKm + marginKm, beyondKm - marginKm);
    if (cells) return cells.map(termOf);
  }
  throw new Error('at the highest level a circle takes too many cells');
}

const termOf = ({ level, column, row }: Cell): string => `g${level}x${column}y${row}`;

/** 180° east and west are one meridian. */
const columnAt = (longitude: number, level: number): number =>
  Math.floor(((((longitude + 180) % 360) + 360) % 360) / sizeOf(level));

function rowAt(latitude: number, level: number): number {
  const row = Math.floor((latitude + 90) / sizeOf(level));
  return Math.min(Math.max(row, 0), rowsOf(level) - 1);
}

/** The cells of a level that the ring touches. Undefined where they are too many. */
function cellsAt(
  level: Cell['level'],
  center: Point,
  radiusKm: number,
  beyondKm: number,
): Cell[] | undefined {
  const reach = (radiusKm / farthestKm) * 180;
  const south = rowAt(center.latitude - reach, level);
  const north = rowAt(center.latitude + reach, level);
  const { west, count } = columnsWithin(level, center, reach);
  // A ring touches few cells of the box around it, but not so few.
  if ((north - south + 1) * count > mostCells * 4) return undefined;
  const cells: Cell[] = [];
  for (let row = south; row <= north; row++) {
    for (let n = 0; n < count; n++) {
      const cell = { level, row, column: (west + n) % columnsOf(level) };
      if (nearestKm(cell, center) > radiusKm || (beyondKm > 0 && mostKm(cell, center) < beyondKm)) continue;
      if (cells.length === mostCells) return undefined;
      cells.push(cell);
    }
  }
  return cells;
}

/** The columns that a circle touches, eastwards from `west`. */
function columnsWithin(level: Cell['level'], center: Point, reach: number): { west: number; count: number } {
  const all = { west: 0, count: columnsOf(level) };
  if (Math.abs(center.latitude) + reach >= 90) return all;
  // The circle's meridians of contact: sin Δλ = sin r / cos φ.
  const sine = Math.sin(radians(reach)) / Math.cos(radians(center.latitude));
  const across = sine >= 1 ? 180 : (Math.asin(sine) / Math.PI) * 180;
  if (2 * (across + sizeOf(level)) >= 360) return all;
  const west = columnAt(center.longitude - across, level);
  const east = columnAt(center.longitude + across, level);
  return { west, count: ((east - west + columnsOf(level)) % columnsOf(level)) + 1 };
}

/** How near a cell comes to a point. */
function nearestKm({ level, column, row }: Cell, { latitude, longitude }: Point): number {
  const size = sizeOf(level);
  const [south, north] = [row * size - 90, Math.min((row + 1) * size - 90, 90)];
  const [west, east] = [column * size - 180, Math.min((column + 1) * size - 180, 180)];
  const eastwards = (((longitude - west) % 360) + 360) % 360;
  if (eastwards <= east - west) {
    const apart = Math.max(south - latitude, latitude - north, 0);
    return (apart / 180) * farthestKm;
  }
  // Away from the column, the nearest point is on its western or eastern edge.
  const edges = [west, east].map((meridian) => {
    const highest = latitudeNearest({ latitude, longitude: longitude - meridian });
    const candidates = highest > south && highest < north ? [highest, south, north] : [south, north];
    const distances = candidates.map((at) =>
      distanceKm({ latitude, longitude }, { latitude: at, longitude: meridian }),
    );
    return Math.min(...distances);
  });
  return Math.min(...edges);
}

/** How far the farthest place of a cell is from a point: as far as its antipode is not near. */
const mostKm = (cell: Cell, { latitude, longitude }: Point): number =>
  farthestKm - nearestKm(cell, { latitude: -latitude, longitude: longitude + 180 });

/** Where the meridian 0 comes nearest to a point, in degrees; beyond 90 where one of its ends does. */
const latitudeNearest = ({ latitude, longitude }: Point): number =>
  (Math.atan2(Math.sin(radians(latitude)), Math.cos(radians(latitude)) * Math.cos(radians(longitude))) *
    180) /
  Math.PI;
