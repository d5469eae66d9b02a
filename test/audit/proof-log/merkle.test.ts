import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leafHash } from '../../../src/audit/proof-log/entry.ts';
import { GrowingTree, type FilledTile } from '../../../src/audit/proof-log/format/growing-tree.ts';
import {
  consistencyProof,
  emptyRoot,
  inclusionProof,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from '../../../src/audit/proof-log/format/merkle.ts';
import { parseTilePath, tilePath, type TileSource } from '../../../src/audit/proof-log/format/tiles.ts';
import { path, proof, treeHash } from './rfc6962.ts';

const hex = (hash: Buffer): string => hash.toString('hex');

/** The eight entries with which the Certificate Transparency project tests its trees. */
const ctEntries = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((entry) => Buffer.from(entry, 'hex'));
const ctRoots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

/** Grows a tree over entries, and keeps its tiles in memory. */
function grow(entries: readonly Buffer[]): { readonly tree: GrowingTree; readonly source: TileSource } {
  const tree = new GrowingTree();
  const kept = new Map<string, Buffer>();
  const keep = (tile: FilledTile) => kept.set(`${tile.level}/${tile.index}`, tile.hashes);
  for (const entry of entries) tree.add(leafHash(entry), keep);
  tree.partialTiles().forEach(keep);
  return {
    tree,
    source: {
      tiles: async (tiles) =>
        tiles.map(
          ({ level, index, width }) => kept.get(`${level}/${index}`)?.subarray(0, width * 32) as Buffer,
        ),
    },
  };
}

const numbered = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) => Buffer.from(`entry ${at}`));

/** Around everything that changes with a power of two or with a tile. */
const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 31, 127, 128, 129, 255, 256, 257, 511, 512, 513, 767];

describe('the tree', () => {
  it('has the roots of the Certificate Transparency test vectors', async () => {
    for (const [size, root] of ctRoots.entries()) {
      const { tree, source } = grow(ctEntries.slice(0, size));
      expect(hex(tree.root())).toBe(root);
      expect(hex(await rootOf(size, source))).toBe(root);
    }
    expect(hex(emptyRoot)).toBe(ctRoots[0]);
  });

  it('has the proofs of the Certificate Transparency test vectors', async () => {
    const { source } = grow(ctEntries);
    const four = 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7';
    const last = 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0';
    expect((await inclusionProof(5, 8, source)).map(hex)).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      last,
      four,
    ]);
    expect((await consistencyProof(1, 8, source)).map(hex)).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
    expect((await consistencyProof(6, 8, source)).map(hex)).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      last,
      four,
    ]);
    expect((await consistencyProof(2, 5, source)).map(hex)).toEqual([
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ]);
  });

  it.each(sizes)('with %i leaves has root and proofs as RFC 6962 defines them', async (size) => {
    const entries = numbered(size);
    const { tree, source } = grow(entries);
    const root = treeHash(entries);
    expect(tree.root()).toEqual(root);
    expect(await rootOf(size, source)).toEqual(root);
    const indexes = [0, 1, size >> 1, size - 2, size - 1].filter((index) => index >= 0 && index < size);
    for (const index of indexes) {
      const hashes = await inclusionProof(index, size, source);
      expect(hashes).toEqual(path(index, entries));
      verifyInclusion(leafHash(entries[index] as Buffer), index, { size, root }, hashes);
    }
    for (const older of sizes.filter((other) => other <= size)) {
      const hashes = await consistencyProof(older, size, source);
      expect(hashes).toEqual(proof(older, entries));
      verifyConsistency({ size: older, root: treeHash(entries.slice(0, older)) }, { size, root }, hashes);
    }
  });

  it('is read at an older size from the tiles of a newer one', async () => {
    const entries = numbered(700);
    const { source } = grow(entries);
    for (const size of [1, 200, 256, 300, 512, 600]) {
      expect(await rootOf(size, source)).toEqual(treeHash(entries.slice(0, size)));
      expect(await inclusionProof(0, size, source)).toEqual(path(0, entries.slice(0, size)));
    }
  });

  it('is continued from its tiles', async () => {
    for (const size of [0, 1, 255, 256, 257, 600]) {
      const { source } = grow(numbered(size));
      const tree = await GrowingTree.from(size, source);
      for (const entry of numbered(size + 300).slice(size)) tree.add(leafHash(entry));
      expect(tree.root()).toEqual(treeHash(numbered(size + 300)));
      expect(tree.size).toBe(size + 300);
    }
  });

  it('has three levels of tiles from 65,536 leaves on', async () => {
    const entries = numbered(70_000);
    const { tree, source } = grow(entries);
    expect(tree.partialTiles().map(tilePath)).toEqual(['0/273.p/112', '1/001.p/17', '2/000.p/1']);
    const root = tree.root();
    expect(await rootOf(70_000, source)).toEqual(root);
    for (const index of [0, 65_535, 65_536, 69_999]) {
      const leaf = leafHash(entries[index] as Buffer);
      verifyInclusion(leaf, index, { size: 70_000, root }, await inclusionProof(index, 70_000, source));
    }
    const older = { size: 65_536, root: await rootOf(65_536, source) };
    verifyConsistency(older, { size: 70_000, root }, await consistencyProof(65_536, 70_000, source));
  });
});

describe('a proof', () => {
  it('does not hold when a bit of anything is changed', async () => {
    const { source, tree } = grow(numbered(300));
    const root = tree.root();
    const older = await rootOf(77, source);
    const flip = (bytes: Buffer, bit: number) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return copy;
    };
    const inclusion = await inclusionProof(123, 300, source);
    const consistency = await consistencyProof(77, 300, source);
    const leaf = leafHash(Buffer.from('entry 123'));
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(255), (at, bit) => {
        const changed = inclusion.map((hash, index) =>
          index === at % inclusion.length ? flip(hash, bit) : hash,
        );
        const other = consistency.map((hash, index) =>
          index === at % consistency.length ? flip(hash, bit) : hash,
        );
        expect(() => verifyInclusion(leaf, 123, { size: 300, root }, changed)).toThrow(/not what the tree/);
        expect(() => verifyInclusion(flip(leaf, bit), 123, { size: 300, root }, inclusion)).toThrow(
          /not what the tree/,
        );
        expect(() => verifyConsistency({ size: 77, root: older }, { size: 300, root }, other)).toThrow(
          /does not continue/,
        );
        expect(() =>
          verifyConsistency({ size: 77, root: flip(older, bit) }, { size: 300, root }, consistency),
        ).toThrow(/does not continue/);
      }),
    );
    expect(() => verifyInclusion(leaf, 124, { size: 300, root }, inclusion)).toThrow(/not what the tree/);
    expect(() => verifyInclusion(leaf, 123, { size: 300, root }, inclusion.slice(1))).toThrow(/shorter than/);
    expect(() => verifyInclusion(leaf, 123, { size: 300, root }, [...inclusion, root])).toThrow(
      /longer than/,
    );
    expect(() => verifyInclusion(leaf, 300, { size: 300, root }, inclusion)).toThrow(/has no leaf 300/);
    expect(() =>
      verifyConsistency({ size: 77, root: older }, { size: 300, root }, consistency.slice(1)),
    ).toThrow(/too short/);
    expect(() =>
      verifyConsistency({ size: 77, root: older }, { size: 300, root }, [...consistency, root]),
    ).toThrow(/too long/);
    expect(() => verifyConsistency({ size: 300, root: older }, { size: 300, root }, [])).toThrow(
      /does not continue/,
    );
  });

  it('is refused for leaves and sizes that the tree does not have', async () => {
    const { source } = grow(numbered(10));
    await expect(inclusionProof(10, 10, source)).rejects.toThrow(/has no leaf 10/);
    await expect(inclusionProof(0, 0, source)).rejects.toThrow(/has no leaf 0/);
    await expect(inclusionProof(-1, 10, source)).rejects.toThrow(/has no leaf -1/);
    await expect(consistencyProof(11, 10, source)).rejects.toThrow(/no proof from a tree of 11/);
    await expect(consistencyProof(0.5, 10, source)).rejects.toThrow(/no proof from/);
  });
});

describe('the path of a tile', () => {
  it.each([
    ['0/000', { level: 0, index: 0, width: 256, entries: false }],
    ['0/x001/x234/067', { level: 0, index: 1_234_067, width: 256, entries: false }],
    ['12/x001/234.p/7', { level: 12, index: 1_234, width: 7, entries: false }],
    ['entries/273.p/112', { level: 0, index: 273, width: 112, entries: true }],
  ])('%s is read and written', (text, tile) => {
    expect(parseTilePath(text)).toEqual(tile);
    if (!tile.entries) expect(tilePath(tile)).toBe(text);
  });

  it.each([
    '',
    '0',
    '0/',
    '0/0',
    '0/00',
    '00/000',
    '64/000',
    '99/000',
    '100/000',
    '-1/000',
    '0/x000/000',
    '0/x000/001',
    '0/001/002',
    '0/x001',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/01',
    '0/000.p/',
    '0/000.p',
    '0/000/',
    'entries',
    'entry/000',
    '0/000.p/1/2',
    '../secret',
    '0/%30',
    '0/xfff/000',
    '0/x999/x999/x999/x999/x999/x999/x999/999',
    '1e1/000',
    '0/000\n',
  ])('%j is refused in words', (text) => {
    expect(() => parseTilePath(text)).toThrow(/tile/);
  });
});
