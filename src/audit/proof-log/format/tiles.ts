import { ProofError } from '../errors.ts';

/** Hashes in a full tile (C2SP tlog-tiles: tiles of height 8). */
export const tileWidth = 256;
export const hashBytes = 32;

/** A tile: `width` consecutive hashes of the tree at `level`, from index `index * 256` of that level. */
export interface Tile {
  /** 0 for leaf hashes. Each hash of a higher level is the root of a full tile of the level below. */
  readonly level: number;
  readonly index: number;
  /** 1 to 255 for a partial tile, 256 for a full one. */
  readonly width: number;
}

/** Gives the hashes of tiles, each `width * 32` bytes, in the order asked for. */
export interface TileSource {
  /** @throws ProofError beyond, when a tile is not there */
  tiles(tiles: readonly Tile[]): Promise<readonly Buffer[]>;
}

/** How many hashes a tree has at a level of its tiles. */
export const hashesAt = (level: number, treeSize: number): number =>
  Math.floor(treeSize / tileWidth ** level);

/** The tile with an index in a tree of that size. Undefined when the tree has no such tile. */
export function tileAt(level: number, index: number, treeSize: number): Tile | undefined {
  const width = Math.min(tileWidth, hashesAt(level, treeSize) - index * tileWidth);
  return width > 0 ? { level, index, width } : undefined;
}

/** The partial tiles of a tree, lowest level first: what its root is computed from. */
export function partialTilesOf(treeSize: number): Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0; hashesAt(level, treeSize) > 0; level += 1) {
    const width = hashesAt(level, treeSize) % tileWidth;
    const index = Math.floor(hashesAt(level, treeSize) / tileWidth);
    if (width > 0) tiles.push({ level, index, width });
  }
  return tiles;
}

/** `<L>/<N>[.p/<W>]`, the path of a tile under `tile/`. */
export const tilePath = ({ level, index, width }: Tile): string => `${level}/${indexPath(index, width)}`;

/** Index 1234067 is written `x001/x234/067`. */
function indexPath(index: number, width: number): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return width === tileWidth ? path : `${path}.p/${width}`;
}

/** What a path under `tile/` names: a tile, or the entry bundle of the leaves of a tile of level 0. */
export interface TilePath extends Tile {
  readonly entries: boolean;
}

const pattern = /^(entries|0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** @throws ProofError malformed, with a sentence that says how a path is written */
export function parseTilePath(path: string): TilePath {
  const [, level, groups, width] = pattern.exec(path) ?? [];
  if (level === undefined || groups === undefined) {
    throw new ProofError(
      'malformed',
      'The path of a tile is its level (0–63) or the word entries, its index in groups of three digits, such as x001/234, and for a partial tile .p/ and its width.',
    );
  }
  const index = Number(groups.replaceAll(/[x/]/g, ''));
  const entries = level === 'entries';
  const tile = { level: entries ? 0 : Number(level), index, width: Number(width ?? tileWidth), entries };
  if (tile.level > 63) throw new ProofError('malformed', 'The level of a tile is between 0 and 63.');
  if (width !== undefined && tile.width >= tileWidth) {
    throw new ProofError('malformed', 'The width of a partial tile is between 1 and 255.');
  }
  // Each index has one path: `x000/000` is not another one for `000`.
  if (!Number.isSafeInteger(index) || indexPath(index, tileWidth) !== groups) {
    throw new ProofError('malformed', 'The index of a tile has no groups of zeros before it.');
  }
  return tile;
}
