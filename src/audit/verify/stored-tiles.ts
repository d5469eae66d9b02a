import type { ProofLog } from '../../stores/side/proof-log-port.ts';
import { GrowingTree, type FilledTile } from '../proof-log/format/growing-tree.ts';
import { hashBytes, tilePath, tileWidth, type Tile } from '../proof-log/format/tiles.ts';
import type { Checkpoint } from '../proof-log/format/checkpoint.ts';
import type { ExpectedLeaves } from './compare-leaves.ts';

/** Tiles that are read at once. */
const readAhead = 64;

/** The leaf hashes that the proof log holds. Where a tile is missing or short, they are zeros, which no hash is. */
export class StoredLeaves implements ExpectedLeaves {
  readonly size: number;
  readonly #proofLog: ProofLog;
  #tiles: Buffer[] = [];
  #first = 0;

  constructor(proofLog: ProofLog, size: number) {
    this.#proofLog = proofLog;
    this.size = size;
  }

  async read(from: number, count: number): Promise<Buffer> {
    const index = Math.floor(from / tileWidth);
    if (index < this.#first || index >= this.#first + this.#tiles.length) await this.#load(index);
    const tile = this.#tiles[index - this.#first] as Buffer;
    const offset = from % tileWidth;
    const end = Math.min(offset + count, tileWidth, this.size - index * tileWidth);
    return tile.subarray(offset * hashBytes, end * hashBytes);
  }

  async #load(index: number): Promise<void> {
    const last = Math.min(index + readAhead, Math.ceil(this.size / tileWidth));
    const places = Array.from({ length: last - index }, (_, n) => ({ level: 0, index: index + n }));
    const read = await this.#proofLog.tiles(places);
    this.#tiles = read.map((tile) => {
      const whole = Buffer.alloc(tileWidth * hashBytes);
      if (tile) whole.set(tile.subarray(0, whole.length));
      return whole;
    });
    this.#first = index;
  }
}

/**
 * Builds the tree anew from leaf hashes, and compares it with what was stored and signed: the tiles of all levels, and
 * the root of each checkpoint.
 */
export class TreeCheck {
  readonly #tree = new GrowingTree();
  readonly #proofLog: ProofLog;
  readonly #levels: 'all' | 'above-leaves';
  readonly #full: FilledTile[] = [];
  /** Tiles that differ, or are missing. */
  readonly wrongTiles: Tile[] = [];
  /** Checkpoints that are of another tree. */
  readonly wrongCheckpoints: Checkpoint[] = [];
  /** The largest tree whose checkpoint fits. */
  rightUpTo = 0;

  /** `above-leaves`: the leaf hashes come from the tiles of level 0 themselves. */
  constructor(proofLog: ProofLog, levels: 'all' | 'above-leaves') {
    this.#proofLog = proofLog;
    this.#levels = levels;
  }

  get size(): number {
    return this.#tree.size;
  }

  /** Adds leaf hashes. */
  async add(hashes: Uint8Array): Promise<void> {
    this.#tree.add(hashes, (tile) => {
      if (this.#levels === 'all' || tile.level > 0) this.#full.push(tile);
    });
    if (this.#full.length > 0) await this.#compare(this.#full.splice(0));
  }

  /** Compares the root, when the tree has the size of the checkpoint. */
  checkpoint(checkpoint: Checkpoint): void {
    if (this.#tree.root().equals(checkpoint.root)) this.rightUpTo = checkpoint.size;
    else this.wrongCheckpoints.push(checkpoint);
  }

  /** Compares the tiles that are not full. Call it when all leaves were added. */
  async end(): Promise<void> {
    await this.#compare(this.#tree.partialTiles().filter(({ level }) => this.#levels === 'all' || level > 0));
  }

  async #compare(tiles: readonly FilledTile[]): Promise<void> {
    const stored = await this.#proofLog.tiles(tiles);
    for (const [at, tile] of tiles.entries()) {
      const found = stored[at];
      if (!found?.subarray(0, tile.hashes.length).equals(tile.hashes)) this.wrongTiles.push(tile);
    }
  }
}

/** A tile in a sentence. */
export const tileName = (tile: Tile): string => `tile/${tilePath(tile)}`;
