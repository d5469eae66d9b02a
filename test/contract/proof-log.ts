import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EndedLog, ProofLog, SignedTree } from '../../src/stores/side/proof-log-port.ts';

/** What a suite needs to know of an adapter: a proof log, and further clients of it. */
export interface ProofLogUnderTest {
  readonly proofLog: ProofLog;
  another(): ProofLog;
  dispose(): Promise<void>;
}

/** Every adapter of the ProofLog port passes this. */
export function proofLogContract(adapter: string, open: () => Promise<ProofLogUnderTest>): void {
  describe(`the proof log contract, ${adapter}`, () => {
    let under: ProofLogUnderTest;
    let log: ProofLog;

    beforeEach(async () => {
      under = await open();
      log = under.proofLog;
    });
    afterEach(() => under.dispose());

    const tree = (size: number): SignedTree => ({
      size,
      note: `a note for ${size} — ünï©ode\n`,
      signedAt: '2026-01-02T03:04:05.678Z',
    });
    const hashes = (count: number) => randomBytes(count * 32);
    const at = (level: number, index: number) => ({ level, index });

    it('begins empty', async () => {
      expect(await log.newest()).toBeUndefined();
      expect(await log.checkpoints({ limit: 10 })).toEqual([]);
      expect(await log.tiles([at(0, 0)])).toEqual([undefined]);
      expect(await log.bundleAtOrBefore(5)).toBeUndefined();
    });

    it('keeps all checkpoints in order, and shows the newest to every client', async () => {
      await log.add(tree(3), { extends: 0, epoch: 1 });
      await log.add(tree(5_000_000_000), { extends: 3, epoch: 1 });
      const other = under.another();
      await other.add(tree(5_000_000_007), { extends: 5_000_000_000, epoch: 2 });
      expect(await log.newest()).toEqual(tree(5_000_000_007));
      expect(await other.checkpoints({ limit: 10 })).toEqual([3, 5_000_000_000, 5_000_000_007].map(tree));
      expect(await log.checkpoints({ after: 3, limit: 1 })).toEqual([tree(5_000_000_000)]);
      expect(await log.checkpoints({ after: 5_000_000_007, limit: 1 })).toEqual([]);
    });

    it('refuses a checkpoint that does not extend the newest one', async () => {
      await log.add(tree(10), { extends: 0, epoch: 1 });
      for (const [size, older] of [
        [11, 0],
        [11, 9],
        [11, 11],
        [10, 10],
        [9, 10],
      ] as const) {
        await expect(log.add(tree(size), { extends: older, epoch: 1 })).rejects.toMatchObject({
          name: 'StoreError',
        });
      }
      await expect(under.another().add(tree(12), { extends: 0, epoch: 1 })).rejects.toMatchObject({
        code: 'fenced',
      });
      expect(await log.checkpoints({ limit: 10 })).toEqual([tree(10)]);
    });

    it('refuses a signer whose lease somebody else has taken', async () => {
      await log.add(tree(10), { extends: 0, epoch: 2 });
      await expect(log.add(tree(11), { extends: 10, epoch: 1 })).rejects.toMatchObject({ code: 'fenced' });
      await log.add(tree(11), { extends: 10, epoch: 2 });
      expect(await log.newest()).toEqual(tree(11));
    });

    it.each([0, 50])('lets one of several signers win who extend the tree of %i', async (older) => {
      if (older > 0) await log.add(tree(older), { extends: 0, epoch: 1 });
      const sizes = Array.from({ length: 8 }, (_, n) => older + 100 + n);
      const results = await Promise.allSettled(
        sizes.map((size, n) =>
          (n % 2 === 0 ? log : under.another()).add(tree(size), { extends: older, epoch: 1 }),
        ),
      );
      const won = sizes.filter((_, n) => results[n]?.status === 'fulfilled');
      expect(won).toHaveLength(1);
      expect((await log.newest())?.size).toBe(won[0]);
      expect((await log.checkpoints({ after: older, limit: 10 })).map(({ size }) => size)).toEqual(won);
    });

    it('keeps cosignatures by size and cosigner, the newest of each', async () => {
      const stored = (size: number, cosigner: string, n = 1) => ({
        size,
        cosigner,
        line: `— ${cosigner} ${n}\n`,
      });
      await log.addCosignatures([]);
      expect(await log.cosignatures({ limit: 5 })).toEqual([]);
      await log.addCosignatures([stored(5_000_000_000, 'b+1'), stored(10, 'b+1'), stored(9, 'a+1')]);
      await under.another().addCosignatures([stored(10, 'a+1'), stored(10, 'b+1', 2)]);
      expect(await log.cosignatures({ limit: 10 })).toEqual([
        stored(9, 'a+1'),
        stored(10, 'a+1'),
        stored(10, 'b+1', 2),
        stored(5_000_000_000, 'b+1'),
      ]);
      expect(await under.another().cosignatures({ after: 9, limit: 1 })).toEqual([stored(10, 'a+1')]);
      expect(await log.cosignatures({ after: 5_000_000_000, limit: 10 })).toEqual([]);
    });

    it('gives back tiles as they were stored, in the order asked for', async () => {
      const tiles = [
        { ...at(0, 0), hashes: hashes(256) },
        { ...at(0, 1), hashes: hashes(1) },
        { ...at(1, 0), hashes: hashes(255) },
        { ...at(6, 4_000_000_000), hashes: hashes(2) },
      ];
      await log.putTiles(tiles);
      await log.putTiles([]);
      const found = await under.another().tiles([...tiles, at(0, 2), at(2, 0)].reverse());
      expect(found).toEqual([undefined, undefined, ...tiles.map((tile) => tile.hashes).reverse()]);
      expect(await log.tiles([])).toEqual([]);
    });

    it('grows a tile, and never makes it shorter', async () => {
      const full = hashes(256);
      for (const count of [3, 3, 200, 7, 256, 1]) {
        await log.putTiles([{ ...at(0, 0), hashes: full.subarray(0, count * 32) }]);
      }
      expect(await log.tiles([at(0, 0)])).toEqual([full]);
    });

    it('refuses other hashes for a tile, longer, shorter or as long', async () => {
      const stored = hashes(100);
      await log.putTiles([{ ...at(0, 7), hashes: stored }]);
      const changed = Buffer.from(stored);
      changed.writeUInt8(changed.readUInt8(40) ^ 1, 40);
      for (const other of [changed, changed.subarray(0, 64), Buffer.concat([changed, hashes(9)])]) {
        await expect(log.putTiles([{ ...at(0, 7), hashes: other }])).rejects.toMatchObject({
          code: 'incompatible',
          message: expect.stringContaining('tile 7 of level 0') as string,
        });
      }
      expect(await log.tiles([at(0, 7)])).toEqual([stored]);
    });

    it('stores many tiles at once, also when two signers store them at the same time', async () => {
      const tiles = Array.from({ length: 1_200 }, (_, index) => ({ ...at(0, index), hashes: hashes(2) }));
      const shorter = tiles.map((tile) => ({ ...tile, hashes: tile.hashes.subarray(0, 32) }));
      await Promise.all([log.putTiles(tiles), under.another().putTiles(shorter)]);
      expect(await log.tiles(tiles)).toEqual(tiles.map((tile) => tile.hashes));
    });

    const ending = (successor: string): EndedLog => ({
      origin: 'directory.example/audit/log',
      vkey: 'directory.example/audit/log+00000000+AAAA',
      size: 10,
      root: 'cm9vdA==',
      checkpoint: tree(10).note,
      endedAt: '2026-03-04T05:06:07.890Z',
      reason: 'restored',
      successor,
    });

    it('ends a log, whose tree and checkpoints stay, and begins another with an empty one', async () => {
      const stored = hashes(10);
      await log.putTiles([{ ...at(0, 0), hashes: stored }]);
      await log.putBundles([{ index: 0, after: 7n }]);
      await log.add(tree(10), { extends: 0, epoch: 1 });
      await log.addCosignatures([{ size: 10, cosigner: 'a+1', line: '— a 1\n' }]);
      expect(await log.ended()).toEqual([]);
      await log.end(ending('second'), { number: 0, epoch: 1 });
      for (const each of [log, under.another()]) {
        expect(await each.ended()).toEqual([ending('second')]);
        expect(await each.newest()).toBeUndefined();
        expect(await each.checkpoints({ limit: 5 })).toEqual([]);
        expect(await each.tiles([at(0, 0)])).toEqual([undefined]);
        expect(await each.bundleAtOrBefore(3)).toBeUndefined();
        expect(await each.cosignatures({ limit: 5 })).toEqual([]);
        const former = each.log(0);
        expect(await former.newest()).toEqual(tree(10));
        expect(await former.tiles([at(0, 0)])).toEqual([stored]);
        expect(await former.bundleAtOrBefore(3)).toEqual({ index: 0, after: 7n });
        expect(await former.cosignatures({ limit: 5 })).toHaveLength(1);
      }
      await log.putTiles([{ ...at(0, 0), hashes: hashes(4) }]);
      await under.another().add(tree(4), { extends: 0, epoch: 1 });
      await log.end(ending('third'), { number: 1, epoch: 1 });
      await log.add(tree(5), { extends: 0, epoch: 1 });
      expect((await log.ended()).map(({ successor }) => successor)).toEqual(['second', 'third']);
      expect(await Promise.all([0, 1, 2].map((number) => log.log(number).newest()))).toEqual(
        [10, 4, 5].map(tree),
      );
    });

    it('adds nothing to a log that has ended, by whoever had it open', async () => {
      await log.add(tree(10), { extends: 0, epoch: 2 });
      const [signer, other] = [log.log(0), under.another()];
      await expect(other.end(ending('second'), { number: 0, epoch: 1 })).rejects.toMatchObject({
        code: 'fenced',
      });
      await other.end(ending('second'), { number: 0, epoch: 3 });
      await expect(signer.add(tree(11), { extends: 10, epoch: 3 })).rejects.toMatchObject({ code: 'fenced' });
      await expect(signer.putTiles([{ ...at(0, 0), hashes: hashes(1) }])).rejects.toMatchObject({
        code: 'fenced',
      });
      expect(await log.log(0).newest()).toEqual(tree(10));
    });

    it('ends a log once, and with one successor', async () => {
      const both = await Promise.allSettled(
        [log, under.another()].map((each, n) => each.end(ending(`second-${n}`), { number: 0, epoch: 1 })),
      );
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const [{ successor } = ending('none')] = await log.ended();
      await log.end(ending(successor), { number: 0, epoch: 1 });
      expect(await log.ended()).toHaveLength(1);
      await expect(log.end(ending('fourth'), { number: 3, epoch: 1 })).rejects.toMatchObject({
        code: 'fenced',
      });
    });

    it('finds where bundles begin, and takes a new place for one', async () => {
      const far = 9_223_372_036_854_775_000n;
      await log.putBundles([
        { index: 0, after: -1n },
        { index: 1, after: 300n },
        { index: 5, after: far },
      ]);
      expect(await log.bundleAtOrBefore(0)).toEqual({ index: 0, after: -1n });
      expect(await under.another().bundleAtOrBefore(4)).toEqual({ index: 1, after: 300n });
      expect(await log.bundleAtOrBefore(9)).toEqual({ index: 5, after: far });
      await log.putBundles([{ index: 1, after: 12n }]);
      expect(await log.bundleAtOrBefore(1)).toEqual({ index: 1, after: 12n });
      await log.putBundles([]);
    });
  });
}
