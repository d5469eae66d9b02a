import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCheckpoint } from '../../src/audit/proof-log/format/checkpoint.ts';
import { entryOf } from '../../src/audit/proof-log/entry.ts';
import { ensureLogKey } from '../../src/audit/proof-log/format/log-key.ts';
import { parseVkey } from '../../src/audit/proof-log/format/note.ts';
import { readBundle } from '../../src/audit/proof-log/read-bundle.ts';
import { Signer } from '../../src/audit/proof-log/signer.ts';
import { installationStreamName } from '../../src/events/installation.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { copyLog } from '../../src/backup/transfer-log.ts';
import { copyProofLog, copySignedLog, relocateEntries } from '../../src/backup/transfer-proof-log.ts';
import { copyVault } from '../../src/backup/transfer-vault.ts';
import { treeHash } from '../audit/proof-log/rfc6962.ts';
import { appending } from '../support/append.ts';
import { dataFolder, installation, type DataFolder, type Stores } from '../support/stores.ts';

const { signal } = new AbortController();
let folders: DataFolder[];
let source: Stores;
let target: Stores;
let vkey: string;

beforeEach(async () => {
  folders = [dataFolder(), dataFolder()];
  [source, target] = folders.map((folder) => folder.open()) as [Stores, Stores];
  await appending(source.store, installationStreamName, {
    type: 'InstallationNamed',
    data: { installation },
  });
  ({ vkey } = await ensureLogKey(source.vault, 'directory.example/audit/log'));
});
afterEach(async () => {
  for (const folder of folders) await folder.dispose();
});

async function append({ store }: Stores, count: number): Promise<void> {
  const events = Array.from({ length: count }, () => ({
    id: randomUUID(),
    type: 'TeamRenamed',
    data: { name: 'Harbor' },
    metadata: { commonweal_schema: 1 },
  }));
  await store.append(`team-${randomUUID()}`, events, 'no_stream');
}

/** Events of somebody else: then every event has another position there. */
const appendForeign = ({ wholeLog }: Stores) =>
  wholeLog.append(
    `order-${randomUUID()}`,
    Array.from({ length: 7 }, () => ({ id: randomUUID(), type: 'OrderPlaced', data: {}, metadata: {} })),
    'no_stream',
  );

async function sign(stores: Stores, epoch = 0): Promise<void> {
  const key = await ensureLogKey(stores.vault, 'another.example/audit/log');
  const signer = await Signer.open({ ...stores, key, epoch });
  await signer.grow(() => new Date());
  await signer.sign(new Date());
}

/** As the command does it. */
async function transfer(from: Stores, to: Stores): Promise<void> {
  const newest = await from.proofLog.newest();
  await copyLog({ source: from.wholeLog, target: to.wholeLog, signal });
  await copyVault(from.vault, to.vault);
  if (!newest) return;
  await copyProofLog({ source: from.proofLog, target: to.proofLog, newest, epoch: 0 });
  await relocateEntries(to.store, to.proofLog, newest, signal);
}

const ownEvents = async ({ store }: Stores) =>
  (await store.readAll({ after: beginning, limit: 10_000 })).events;

describe('the proof log of a transfer', () => {
  it('is the same there, goes on there under the same key, and comes back', async () => {
    await appendForeign(source);
    for (const count of [3, 600, 40]) {
      await append(source, count);
      await sign(source);
    }
    await append(source, 5);
    const cosignatures = [604, 644].flatMap((size) =>
      ['a+1', 'b+1'].map((cosigner) => ({ size, cosigner, line: `— ${cosigner} ${size}\n` })),
    );
    await source.proofLog.addCosignatures(cosignatures);
    await transfer(source, target);
    expect(await target.proofLog.cosignatures({ limit: 9 })).toEqual(cosignatures);
    const checkpoints = await source.proofLog.checkpoints({ limit: 9 });
    expect(await target.proofLog.checkpoints({ limit: 9 })).toEqual(checkpoints);
    expect(checkpoints.map(({ size }) => size)).toEqual([4, 604, 644]);

    await append(target, 300);
    await sign(target);
    const entries = (await ownEvents(target)).map(entryOf);
    const newest = await target.proofLog.newest();
    expect(openCheckpoint(newest?.note ?? '', parseVkey(vkey))).toMatchObject({
      size: 949,
      root: treeHash(entries),
    });
    for (const bundle of [0, 1, 2, 3]) {
      const width = Math.min(256, 949 - bundle * 256);
      const read = await readBundle(target, bundle, width);
      expect(read.includes(entries[bundle * 256] as Buffer)).toBe(true);
      expect(read.includes(entries[bundle * 256 + width - 1] as Buffer)).toBe(true);
    }

    await transfer(target, source);
    expect(await source.proofLog.newest()).toEqual(newest);
    await append(source, 1);
    await sign(source);
    expect((await source.proofLog.newest())?.size).toBe(950);
  });

  it('is continued by the next run', async () => {
    await append(source, 300);
    await sign(source);
    const newest = await source.proofLog.newest();
    await copyLog({ source: source.wholeLog, target: target.wholeLog, signal });
    await target.proofLog.putTiles([
      {
        level: 0,
        index: 0,
        hashes: (await source.proofLog.tiles([{ level: 0, index: 0 }]))[0] ?? Buffer.alloc(0),
      },
    ]);
    await transfer(source, target);
    await transfer(source, target);
    expect(await target.proofLog.newest()).toEqual(newest);
  });

  it('leaves out what was signed while the events were copied', async () => {
    await append(source, 10);
    await sign(source);
    const newest = await source.proofLog.newest();
    await copyLog({ source: source.wholeLog, target: target.wholeLog, signal });
    await append(source, 10);
    await sign(source);
    await source.proofLog.addCosignatures([11, 21].map((size) => ({ size, cosigner: 'a+1', line: '— a\n' })));
    if (newest) await copyProofLog({ source: source.proofLog, target: target.proofLog, newest, epoch: 0 });
    expect((await target.proofLog.checkpoints({ limit: 9 })).map(({ size }) => size)).toEqual([11]);
    expect((await target.proofLog.cosignatures({ limit: 9 })).map(({ size }) => size)).toEqual([11]);
  });

  it('is refused where the target has signed other events', async () => {
    await append(source, 10);
    await sign(source);
    await append(target, 10);
    await sign(target);
    const newest = await source.proofLog.newest();
    const copy = { source: source.proofLog, target: target.proofLog, newest: newest as never, epoch: 0 };
    await expect(copyProofLog(copy)).rejects.toThrow(
      'The target holds another proof log: its checkpoint of 10 entries was not signed here.',
    );
  });

  it('is refused where the tiles of the target are of other events', async () => {
    await append(source, 10);
    await sign(source);
    await target.proofLog.putTiles([{ level: 0, index: 0, hashes: Buffer.alloc(64, 1) }]);
    await expect(transfer(source, target)).rejects.toThrow('The target holds the proof log of other events');
  });

  it('is refused where the target goes on after this one', async () => {
    await append(source, 10);
    await sign(source);
    await transfer(source, target);
    await append(target, 10);
    await sign(target);
    const newest = await source.proofLog.newest();
    const copy = { source: source.proofLog, target: target.proofLog, newest: newest as never, epoch: 0 };
    await expect(copyProofLog(copy)).rejects.toThrow(
      /goes on after this one: it has a checkpoint of 21 entries/,
    );
  });

  it('is refused when the events that were copied are not those that were signed', async () => {
    await append(source, 10);
    await sign(source);
    await append(target, 10);
    const newest = await source.proofLog.newest();
    await copyProofLog({
      source: source.proofLog,
      target: target.proofLog,
      newest,
      epoch: 0,
    });
    await expect(relocateEntries(target.store, target.proofLog, newest as never, signal)).rejects.toThrow(
      /^Entry 0 of the proof log was signed with other content/,
    );
  });

  it('is refused when a tile that was signed is missing', async () => {
    await append(source, 10);
    await sign(source);
    const newest = await source.proofLog.newest();
    const bare = {
      ...source.proofLog,
      checkpoints: source.proofLog.checkpoints.bind(source.proofLog),
      tiles: async () => [undefined],
    };
    await expect(
      copySignedLog({
        source: bare,
        target: target.proofLog,
        newest: newest ?? { size: 0, note: '', signedAt: '' },
        epoch: 0,
      }),
    ).rejects.toThrow('The proof log lacks tile 0 of level 0');
  });

  it('takes the logs along that ended before it, and refuses a target where another one began', async () => {
    const ended = (successor: string) => ({
      ...{ origin: 'another.example/audit/log', vkey, size: 11, root: '', checkpoint: '' },
      ...{ endedAt: '2026-03-04T05:06:07.890Z', reason: 'replaced' as const, successor },
    });
    await append(source, 10);
    await sign(source);
    const former = await source.proofLog.newest();
    await source.proofLog.end(ended('second'), { number: 0, epoch: 0 });
    await append(source, 300);
    await sign(source);
    const newest = await source.proofLog.newest();
    for (const _ of ['once', 'again']) {
      await transfer(source, target);
      expect(await target.proofLog.ended()).toEqual([ended('second')]);
      expect(await target.proofLog.log(0).newest()).toEqual(former);
      expect(await target.proofLog.newest()).toEqual(newest);
    }
    await append(target, 1);
    await sign(target);
    expect((await target.proofLog.newest())?.size).toBe((newest?.size ?? 0) + 1);
    await target.proofLog.end(ended('third'), { number: 1, epoch: 0 });
    await expect(
      copyProofLog({ source: source.proofLog, target: target.proofLog, newest, epoch: 0 }),
    ).rejects.toThrow('The target holds another proof log: third, which began there');
  });
});
