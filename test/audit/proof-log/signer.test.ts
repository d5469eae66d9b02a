import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCheckpoint, signCheckpoint } from '../../../src/audit/proof-log/format/checkpoint.ts';
import { entryOf } from '../../../src/audit/proof-log/entry.ts';
import { ensureLogKey, logKey, logNameOf, type LogKey } from '../../../src/audit/proof-log/format/log-key.ts';
import { consistencyProof, verifyConsistency } from '../../../src/audit/proof-log/format/merkle.ts';
import { Signer, type SignerParts } from '../../../src/audit/proof-log/signer.ts';
import { storedTiles } from '../../../src/audit/proof-log/format/stored-tiles.ts';
import { beginning, type RecordedEvent } from '../../../src/stores/event-store/port.ts';
import type { SignedLog } from '../../../src/stores/side/proof-log-port.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';
import { treeHash } from './rfc6962.ts';

let folder: DataFolder;
let stores: Stores;
let key: LogKey;
const now = () => new Date('2026-03-04T05:06:07.000Z');

beforeEach(async () => {
  folder = dataFolder();
  stores = folder.open();
  key = await ensureLogKey(stores.vault, 'directory.example/audit/log');
});
afterEach(() => folder.dispose());

/** Appends events to a stream of teams, as an installation does; no command stands behind them. */
async function append(count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    type: 'TeamRenamed',
    data: { name: `Harbor ${n}`, ünï: [n / 3] },
    metadata: { commonweal_schema: 1 },
  }));
  await stores.store.append(`team-${randomUUID()}`, events, 'no_stream');
}

const parts = (changes: Partial<SignerParts> = {}): SignerParts => ({ ...stores, key, epoch: 0, ...changes });

async function signAll(changes: Partial<SignerParts> = {}): Promise<void> {
  const signer = await Signer.open(parts(changes));
  await signer.grow(now);
  await signer.sign(now());
}

const ownEvents = async (): Promise<readonly RecordedEvent[]> =>
  (await stores.store.readAll({ after: beginning, limit: 100_000 })).events;

/** Checks the newest checkpoint against what RFC 6962 gives for all our events. */
async function expectAllSigned(): Promise<void> {
  const entries = (await ownEvents()).map(entryOf);
  const newest = await stores.proofLog.newest();
  expect(openCheckpoint(newest?.note ?? '', key.verifier)).toEqual({
    origin: 'directory.example/audit/log',
    size: entries.length,
    root: treeHash(entries),
  });
}

/** The same log, in which some events read differently. */
const altered = (change: (events: readonly RecordedEvent[]) => RecordedEvent[]): Partial<SignerParts> => ({
  store: {
    readAll: async (options) => {
      const page = await stores.store.readAll(options);
      return { ...page, events: change(page.events) };
    },
    eventIdAt: (position) => stores.store.eventIdAt(position),
  },
});

describe('the signer', () => {
  it('signs nothing where there is nothing', async () => {
    await signAll();
    expect(await stores.proofLog.newest()).toBeUndefined();
  });

  it('signs all our events in the order of the log, and none of a neighbour', async () => {
    await append(3);
    const foreign = { id: randomUUID(), type: 'OrderPlaced', data: {}, metadata: {} };
    await stores.wholeLog.append('order-1', [foreign], 'no_stream');
    const neighbour = {
      ...foreign,
      id: randomUUID(),
      metadata: { commonweal_schema: 1, installation: randomUUID() },
    };
    await stores.wholeLog.append('team-neighbour', [neighbour], 'no_stream');
    await append(2);
    await signAll();
    expect(await ownEvents()).toHaveLength(5);
    await expectAllSigned();
  });

  it('continues where the one before ended, however often it starts', async () => {
    for (const count of [1, 255, 1, 300, 512, 7]) {
      await append(count);
      await signAll();
      await expectAllSigned();
    }
    const checkpoints = await stores.proofLog.checkpoints({ limit: 100 });
    expect(checkpoints.map(({ size }) => size)).toEqual([1, 256, 257, 557, 1_069, 1_076]);
    expect(checkpoints[0]?.signedAt).toBe('2026-03-04T05:06:07.000Z');
    const trees = checkpoints.map(({ note }) => openCheckpoint(note, key.verifier));
    for (const older of trees) {
      for (const newer of trees.filter(({ size }) => size >= older.size)) {
        const proof = await consistencyProof(older.size, newer.size, storedTiles(stores.proofLog));
        verifyConsistency(older, newer, proof);
      }
    }
  });

  it('signs no second checkpoint when nothing has happened', async () => {
    await append(2);
    await signAll();
    await signAll();
    expect(await stores.proofLog.checkpoints({ limit: 9 })).toHaveLength(1);
  });

  it('signs on its way when it begins on a log that is there', async () => {
    for (let n = 0; n < 14; n += 1) await append(5_000);
    await signAll();
    const sizes = (await stores.proofLog.checkpoints({ limit: 9 })).map(({ size }) => size);
    expect(sizes.at(-1)).toBe(70_000);
    expect(sizes).toHaveLength(2);
    await expectAllSigned();
  });

  it('that was stopped between tiles and checkpoint leaves nothing that hinders the next', async () => {
    await append(300);
    await signAll();
    await append(700);
    const stopped = { ...bound(stores), add: () => Promise.reject(new Error('killed')) };
    await expect(signAll({ proofLog: stopped })).rejects.toThrow('killed');
    expect((await stores.proofLog.newest())?.size).toBe(300);
    await append(40);
    await signAll();
    await expectAllSigned();
  });

  it('finds its place again when the table of places is of another store', async () => {
    await append(900);
    await signAll();
    const places = async () =>
      Promise.all([0, 1, 2, 3].map((index) => stores.proofLog.bundleAtOrBefore(index)));
    const known = await places();
    await stores.proofLog.putBundles([1, 2, 3].map((index) => ({ index, after: 899n - BigInt(index) })));
    await append(1);
    await signAll();
    await expectAllSigned();
    expect(await places()).toEqual(known);
  });

  it('gives way to one that has signed meanwhile', async () => {
    await append(2);
    const one = await Signer.open(parts());
    await one.grow(now);
    await append(1);
    await signAll();
    await expect(one.sign(now())).rejects.toMatchObject({ code: 'fenced' });
    await expectAllSigned();
  });

  describe('stops, and names', () => {
    beforeEach(async () => {
      await append(400);
      await signAll();
      await append(5);
    });

    it.each<[string, (event: RecordedEvent) => RecordedEvent[]]>([
      ['an event that was changed', (event) => [{ ...event, data: { name: 'Somebody else' } }]],
      ['an event that was removed', () => []],
      ['an event that was added', (event) => [{ ...event, id: randomUUID() }, event]],
    ])('%s', async (_, change) => {
      const at = altered((events) =>
        events.flatMap((event) => (event.position === 391n ? change(event) : [event])),
      );
      await expect(signAll(at)).rejects.toThrow(
        /^Entry 390 of the proof log was signed with other content than event [0-9a-f-]{36} \(team-/,
      );
    });

    it('events that are missing at the end', async () => {
      const at = altered((events) => events.filter(({ position }) => position <= 380n));
      await expect(signAll(at)).rejects.toThrow('The event store holds 380 events, but 400 were signed');
    });

    it('a checkpoint of a stranger', async () => {
      const strange = { name: key.name, privateKey: generateKeyPairSync('ed25519').privateKey };
      const note = signCheckpoint({ size: 401, root: Buffer.alloc(32) }, strange);
      await stores.proofLog.add({ size: 401, note, signedAt: '' }, { extends: 400, epoch: 0 });
      await expect(signAll()).rejects.toThrow(
        /^The note is signed by directory\.example\/audit\/log\+[0-9a-f]{8}, not by directory/,
      );
    });

    it('a tile that was changed', async () => {
      const tiles: SignerParts['proofLog']['tiles'] = async (wanted) =>
        (await stores.proofLog.tiles(wanted)).map(
          (hashes) => hashes && Buffer.concat([Buffer.alloc(32), hashes.subarray(32)]),
        );
      await expect(signAll({ proofLog: { ...bound(stores), tiles } })).rejects.toThrow(
        /^The tiles of the proof log are not those/,
      );
    });

    it('an event that has no canonical JSON', async () => {
      const at = altered((events) =>
        events.map((event) => (event.position === 402n ? { ...event, data: '\ud800' } : event)),
      );
      await expect(signAll(at)).rejects.toThrow(
        /^Event [0-9a-f-]{36} \(team-.*\) cannot be proved: A text with a lone surrogate/,
      );
    });

    afterEach(async () => {
      expect((await stores.proofLog.checkpoints({ limit: 9 }))[0]?.size).toBe(400);
    });
  });
});

describe('the key of the log', () => {
  it('keeps its name, whatever the service is called later', async () => {
    expect((await ensureLogKey(stores.vault, 'another.example/audit/log')).vkey).toBe(key.vkey);
    expect((await logKey(stores.vault))?.name).toBe('directory.example/audit/log');
    expect(key.vkey).toMatch(/^directory\.example\/audit\/log\+[0-9a-f]{8}\+[0-9A-Za-z+/=]{44}$/);
  });

  it('that was made after the loss of the vault continues the log, from that checkpoint and from no other', async () => {
    await append(3);
    await signAll();
    await stores.vault.delete('proof-log/key');
    key = await ensureLogKey(stores.vault, 'directory.example/audit/log', stores.proofLog);
    await append(2);
    await signAll();
    await expectAllSigned();
    await stores.vault.delete('proof-log/key');
    const another = await ensureLogKey(stores.vault, 'directory.example/audit/log', stores.proofLog);
    await append(1);
    await signAll();
    await expect(signAll({ key: another })).rejects.toThrow(/^The note is signed by/);
  });

  it('is named after the public address, else after the installation', () => {
    expect(logNameOf('https://directory.example:8443', 'id')).toBe('directory.example:8443/audit/log');
    expect(logNameOf(undefined, 'id')).toBe('id/audit/log');
  });
});

/** The methods of the proof log, some of which a test replaces. */
const bound = ({ proofLog }: Stores): SignedLog => ({
  newest: () => proofLog.newest(),
  checkpoints: (options) => proofLog.checkpoints(options),
  add: (tree, options) => proofLog.add(tree, options),
  putTiles: (tiles) => proofLog.putTiles(tiles),
  tiles: (tiles) => proofLog.tiles(tiles),
  putBundles: (bundles) => proofLog.putBundles(bundles),
  bundleAtOrBefore: (index) => proofLog.bundleAtOrBefore(index),
  addCosignatures: (cosignatures) => proofLog.addCosignatures(cosignatures),
  cosignatures: (options) => proofLog.cosignatures(options),
});
