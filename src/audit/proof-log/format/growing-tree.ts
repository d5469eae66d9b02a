import { ProofError } from '../errors.ts';
import { emptyRoot, nodeHash, perfectRoot } from './merkle.ts';
import { hashBytes, partialTilesOf, tileWidth, type Tile, type TileSource } from './tiles.ts';

/** A tile with its hashes. */
export interface FilledTile extends Tile {
  readonly hashes: Buffer;
}

/** A tree to which leaves are added. Keeps only its partial tiles: a few kilobytes at any size. */
export class GrowingTree {
  #size = 0;
  /** For each level, the hashes that fill no tile yet, and space for the rest of that tile. */
  readonly #open: { readonly hashes: Buffer; width: number }[] = [];

  /** The tree of that size, to be continued. @throws ProofError beyond, when a tile is missing */
  static async from(size: number, source: TileSource): Promise<GrowingTree> {
    const tree = new GrowingTree();
    const tiles = partialTilesOf(size);
    const hashes = await source.tiles(tiles);
    tree.#size = size;
    for (const [at, { level, width }] of tiles.entries()) {
      const found = hashes[at] as Buffer;
      if (found.length !== width * hashBytes) {
        throw new ProofError('mismatch', `Tile ${level} of the tree's end has ${found.length} bytes.`);
      }
      const open = tree.#level(level);
      open.hashes.set(found);
      open.width = width;
    }
    return tree;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds leaves by their hashes, one after another. Calls `onFull` with each tile that they complete. */
  add(leaves: Uint8Array, onFull?: (tile: FilledTile) => void): void {
    for (let at = 0; at < leaves.length;) {
      const open = this.#level(0);
      // All but the last leaf of a tile complete nothing.
      const end = Math.min(leaves.length, at + (tileWidth - 1 - open.width) * hashBytes);
      open.hashes.set(leaves.subarray(at, end), open.width * hashBytes);
      open.width += (end - at) / hashBytes;
      this.#size += (end - at) / hashBytes;
      at = end;
      if (at === leaves.length) return;
      this.#addOne(leaves.subarray(at, at + hashBytes), onFull);
      at += hashBytes;
    }
  }

  #addOne(leaf: Uint8Array, onFull?: (tile: FilledTile) => void): void {
    this.#size += 1;
    let hash = leaf;
    for (let level = 0; ; level += 1) {
      const open = this.#level(level);
      open.hashes.set(hash, open.width * hashBytes);
      open.width += 1;
      if (open.width < tileWidth) return;
      const index = Math.floor(this.#size / tileWidth ** (level + 1)) - 1;
      onFull?.({ level, index, width: tileWidth, hashes: Buffer.from(open.hashes) });
      hash = perfectRoot(open.hashes);
      open.width = 0;
    }
  }

  /** The partial tiles, lowest level first. */
  partialTiles(): FilledTile[] {
    return partialTilesOf(this.#size).map((tile) => ({
      ...tile,
      hashes: Buffer.from(this.#level(tile.level).hashes.subarray(0, tile.width * hashBytes)),
    }));
  }

  root(): Buffer {
    let root: Buffer | undefined;
    for (const { hashes, width } of this.#open) {
      // The perfect subtrees of a tile, from the right: the bits of its width, the lowest first.
      let end = width;
      for (let count = 1; count <= width; count *= 2) {
        if ((width & count) === 0) continue;
        const subtree = perfectRoot(hashes.subarray((end - count) * hashBytes, end * hashBytes));
        root = root === undefined ? Buffer.from(subtree) : nodeHash(subtree, root);
        end -= count;
      }
    }
    return root ?? emptyRoot;
  }

  #level(level: number): { readonly hashes: Buffer; width: number } {
    while (this.#open.length <= level)
      this.#open.push({ hashes: Buffer.alloc(tileWidth * hashBytes), width: 0 });
    return this.#open[level] as { readonly hashes: Buffer; width: number };
  }
}
