import { LRUCache } from 'lru-cache';
import { nodeHash, split, type TileSource } from '../proof-log/format/merkle.ts';
import { hashBytes, tileAt, tileWidth } from '../proof-log/format/tiles.ts';

/** Tiles whose inner hashes are kept: 16 KB each. */
const keptTiles = 128;

/**
 * Inclusion proofs for many leaves of one tree, in order of the leaves. The hashes inside a tile are computed once for
 * all its leaves; for each leaf alone it would be 250 hashes.
 */
export class InclusionProofs {
  readonly #size: number;
  readonly #source: TileSource;
  readonly #tiles = new LRUCache<string, readonly Buffer[]>({ max: keptTiles });
  /** Subtrees at the right edge, which are not perfect. */
  readonly #ragged = new Map<number, Buffer>();

  constructor(size: number, source: TileSource) {
    this.#size = size;
    this.#source = source;
  }

  /** The leaf hashes of a tile, as the proof log has them. */
  async leavesOf(tile: number): Promise<Buffer> {
    const [leaves] = await this.#rows(0, tile);
    return leaves as Buffer;
  }

  /** The audit path of a leaf, from its sibling up (RFC 6962, section 2.1.1). */
  async of(index: number): Promise<Buffer[]> {
    const path: Buffer[] = [];
    let [from, to] = [0, this.#size];
    while (to - from > 1) {
      const middle = from + split(to - from);
      path.unshift(await (index < middle ? this.#hash(middle, to) : this.#hash(from, middle)));
      if (index < middle) to = middle;
      else from = middle;
    }
    return path;
  }

  /** The root of the leaves `from` up to, not including, `to`. */
  async #hash(from: number, to: number): Promise<Buffer> {
    const count = to - from;
    const height = Math.log2(count);
    if (Number.isInteger(height)) return this.#perfect(from / count, height);
    const cached = this.#ragged.get(from);
    if (cached) return cached;
    const middle = from + split(count);
    const hash = nodeHash(await this.#hash(from, middle), await this.#hash(middle, to));
    this.#ragged.set(from, hash);
    return hash;
  }

  async #perfect(index: number, height: number): Promise<Buffer> {
    const level = Math.floor(height / 8);
    const inTile = height % 8;
    const perTile = tileWidth / 2 ** inTile;
    const rows = await this.#rows(level, Math.floor(index / perTile));
    const offset = (index % perTile) * hashBytes;
    return (rows[inTile] as Buffer).subarray(offset, offset + hashBytes);
  }

  /** The hashes of a tile, and those above them inside the tile: of pairs, of fours, up to halves of the tile. */
  async #rows(level: number, index: number): Promise<readonly Buffer[]> {
    const key = `${level}/${index}`;
    const cached = this.#tiles.get(key);
    if (cached) return cached;
    const tile = tileAt(level, index, this.#size);
    const [lowest = Buffer.alloc(0)] = await this.#source.tiles(tile ? [tile] : []);
    const rows = [lowest];
    for (let height = 1; height < 8; height += 1) {
      const below = rows[height - 1] as Buffer;
      const row = Buffer.alloc(Math.floor(below.length / hashBytes / 2) * hashBytes);
      for (let at = 0; at < row.length; at += hashBytes) {
        const left = below.subarray(2 * at, 2 * at + hashBytes);
        row.set(nodeHash(left, below.subarray(2 * at + hashBytes, 2 * at + 2 * hashBytes)), at);
      }
      rows.push(row);
    }
    this.#tiles.set(key, rows);
    return rows;
  }
}
