/** The Merkle tree of RFC 6962, section 2.1 (RFC 9162, section 2.1), read from tiles. */
import { hash } from 'node:crypto';
import { ProofError } from '../errors.ts';
import { hashBytes, hashesAt, tileAt, tileWidth, type Tile, type TileSource } from './tiles.ts';

export type { TileSource } from './tiles.ts';

/**
 * The hash of the tree, of bytes or of a text in UTF-8. Node.js gives a hash as one-byte characters in two thirds of the
 * time that it takes for a Buffer of its own.
 */
export const sha256 = (input: Uint8Array | string): Buffer =>
  Buffer.from(hash('sha256', input, 'binary'), 'latin1');

/** The root of the empty tree. */
export const emptyRoot: Buffer = sha256('');

/** SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  const input = Buffer.allocUnsafe(1 + 2 * hashBytes);
  input[0] = 1;
  input.set(left, 1);
  input.set(right, 1 + hashBytes);
  return sha256(input);
}

/**
 * The root of a perfect subtree, from its hashes. Their number is a power of two. Each row is written over the one below it:
 * with a buffer for each hash, building a tree took twice as long.
 */
export function perfectRoot(hashes: Buffer): Buffer {
  const row = Buffer.from(hashes);
  const input = Buffer.allocUnsafe(1 + 2 * hashBytes);
  input[0] = 1;
  for (let end = row.length; end > hashBytes; end /= 2) {
    for (let at = 0; at < end; at += 2 * hashBytes) {
      row.copy(input, 1, at, at + 2 * hashBytes);
      row.write(hash('sha256', input, 'binary'), at / 2, 'latin1');
    }
  }
  return row.subarray(0, hashBytes);
}

/** The root of the tree of that size. @throws ProofError beyond, when a tile is missing */
export async function rootOf(treeSize: number, source: TileSource): Promise<Buffer> {
  if (treeSize === 0) return emptyRoot;
  const [root] = await rangeHashes([{ from: 0, to: treeSize }], treeSize, source);
  return root as Buffer;
}

/**
 * The audit path of a leaf (RFC 6962, section 2.1.1), from the leaf's sibling up.
 * @throws ProofError beyond, when the tree has no such leaf
 */
export async function inclusionProof(index: number, treeSize: number, source: TileSource): Promise<Buffer[]> {
  if (!Number.isSafeInteger(index) || index < 0 || index >= treeSize) {
    throw new ProofError('beyond', `A tree of ${treeSize} leaves has no leaf ${index}.`);
  }
  const path: Range[] = [];
  let [from, to] = [0, treeSize];
  while (to - from > 1) {
    const middle = from + split(to - from);
    path.unshift(index < middle ? { from: middle, to } : { from, to: middle });
    if (index < middle) to = middle;
    else from = middle;
  }
  return rangeHashes(path, treeSize, source);
}

/**
 * The proof that the tree of size `older` is a beginning of the tree of size `newer` (RFC 6962, section 2.1.2). Empty
 * when the sizes are equal or the older tree is empty.
 * @throws ProofError beyond
 */
export async function consistencyProof(older: number, newer: number, source: TileSource): Promise<Buffer[]> {
  if (!Number.isSafeInteger(older) || older < 0 || older > newer) {
    throw new ProofError('beyond', `There is no proof from a tree of ${older} leaves to one of ${newer}.`);
  }
  if (older === 0 || older === newer) return [];
  const path: Range[] = [];
  let [from, to] = [0, newer];
  while (older !== to) {
    const middle = from + split(to - from);
    path.unshift(older <= middle ? { from: middle, to } : { from, to: middle });
    if (older <= middle) to = middle;
    else from = middle;
  }
  // The older tree itself is known to who verifies; a part of it is not.
  if (from > 0) path.unshift({ from, to });
  return rangeHashes(path, newer, source);
}

/** The root that an inclusion proof leads to (RFC 9162, section 2.1.3.2). @throws ProofError malformed */
export function rootFromInclusion(
  leaf: Buffer,
  index: number,
  treeSize: number,
  proof: readonly Buffer[],
): Buffer {
  if (!Number.isSafeInteger(index) || index < 0 || index >= treeSize) {
    throw new ProofError('malformed', `A tree of ${treeSize} leaves has no leaf ${index}.`);
  }
  let [node, last, root] = [index, treeSize - 1, leaf];
  for (const hash of proof) {
    if (last === 0) throw new ProofError('malformed', 'The inclusion proof is longer than the tree is high.');
    if (node % 2 === 1 || node === last) {
      root = nodeHash(hash, root);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, half(last)];
    } else {
      root = nodeHash(root, hash);
    }
    [node, last] = [half(node), half(last)];
  }
  if (last !== 0) throw new ProofError('malformed', 'The inclusion proof is shorter than the tree is high.');
  return root;
}

/** @throws ProofError malformed, or mismatch when the proof does not lead to the root */
export function verifyInclusion(
  leaf: Buffer,
  index: number,
  tree: { readonly size: number; readonly root: Buffer },
  proof: readonly Buffer[],
): void {
  if (rootFromInclusion(leaf, index, tree.size, proof).equals(tree.root)) return;
  throw new ProofError(
    'mismatch',
    `Leaf ${index} is not what the tree of ${tree.size} leaves was signed with.`,
  );
}

/**
 * Checks that the older tree is a beginning of the newer one (RFC 9162, section 2.1.4.2).
 * @throws ProofError malformed, mismatch
 */
export function verifyConsistency(
  older: { readonly size: number; readonly root: Buffer },
  newer: { readonly size: number; readonly root: Buffer },
  proof: readonly Buffer[],
): void {
  const fork = () =>
    new ProofError(
      'mismatch',
      `The tree of ${newer.size} leaves does not continue the tree of ${older.size} leaves.`,
    );
  if (older.size > newer.size) throw new ProofError('malformed', 'The older tree is the larger one.');
  if (older.size === 0 || older.size === newer.size) {
    if (proof.length > 0) throw new ProofError('malformed', 'The consistency proof should be empty.');
    if (older.size === newer.size ? !older.root.equals(newer.root) : !older.root.equals(emptyRoot))
      throw fork();
    return;
  }
  let [node, last] = [older.size - 1, newer.size - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  const hashes = node === 0 ? [older.root, ...proof] : [...proof];
  const first = hashes.shift();
  if (first === undefined) throw new ProofError('malformed', 'The consistency proof is too short.');
  let [olderRoot, newerRoot] = [first, first];
  for (const hash of hashes) {
    if (last === 0) throw new ProofError('malformed', 'The consistency proof is too long.');
    if (node % 2 === 1 || node === last) {
      olderRoot = nodeHash(hash, olderRoot);
      newerRoot = nodeHash(hash, newerRoot);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, half(last)];
    } else {
      newerRoot = nodeHash(newerRoot, hash);
    }
    [node, last] = [half(node), half(last)];
  }
  if (last !== 0) throw new ProofError('malformed', 'The consistency proof is too short.');
  if (!olderRoot.equals(older.root) || !newerRoot.equals(newer.root)) throw fork();
}

/** Leaves `from` up to, not including, `to`. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** A perfect subtree: `2 ** height` leaves from `index * 2 ** height`. */
interface Subtree {
  readonly height: number;
  readonly index: number;
}

/** The largest power of two smaller than `size`. */
export function split(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

const half = (value: number): number => Math.floor(value / 2);

/** The hashes of ranges of leaves. Each begins at a multiple of the power of two that it is split at. */
async function rangeHashes(
  ranges: readonly Range[],
  treeSize: number,
  source: TileSource,
): Promise<Buffer[]> {
  const parts = ranges.map(subtreesOf);
  const tiles = new Map<string, Tile>();
  for (const subtree of parts.flat()) {
    const { tile } = placeOf(subtree, treeSize);
    tiles.set(`${tile.level}/${tile.index}`, tile);
  }
  const read = await source.tiles([...tiles.values()]);
  const hashes = new Map([...tiles.keys()].map((name, at) => [name, read[at] as Buffer]));
  return parts.map((subtrees) =>
    subtrees
      .map((subtree) => {
        const { tile, offset, count } = placeOf(subtree, treeSize);
        const inTile = hashes.get(`${tile.level}/${tile.index}`) as Buffer;
        return perfectRoot(inTile.subarray(offset * hashBytes, (offset + count) * hashBytes));
      })
      .reduceRight((right, left) => nodeHash(left, right)),
  );
}

/** The perfect subtrees of a range, from the left, each smaller than the one before. */
function subtreesOf({ from, to }: Range): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = from; at < to;) {
    let height = 0;
    while (2 ** (height + 1) <= to - at) height += 1;
    subtrees.push({ height, index: at / 2 ** height });
    at += 2 ** height;
  }
  return subtrees;
}

/** Where the hashes of a perfect subtree are: `count` of them in a tile. */
function placeOf(
  { height, index }: Subtree,
  treeSize: number,
): { readonly tile: Tile; readonly offset: number; readonly count: number } {
  const level = Math.floor(height / 8);
  const count = 2 ** (height % 8);
  const first = index * count;
  const tile = tileAt(level, Math.floor(first / tileWidth), treeSize);
  if (tile === undefined || first + count > hashesAt(level, treeSize)) {
    throw new ProofError('beyond', `A tree of ${treeSize} leaves does not reach that far.`);
  }
  return { tile, offset: first % tileWidth, count };
}
