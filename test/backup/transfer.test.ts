import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installationOf, ensureInstallationId } from '../../src/commands/installation.ts';
import { copyLog, TransferRefused } from '../../src/backup/transfer-log.ts';
import { copyVault } from '../../src/backup/transfer-vault.ts';
import type { EventStore, NewEvent } from '../../src/stores/event-store/port.ts';
import { altered } from '../support/altered.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

let folders: DataFolder[];
let here: Stores;
let there: Stores;

beforeEach(() => {
  folders = [dataFolder(), dataFolder()];
  [here, there] = folders.map((folder) => folder.open()) as [Stores, Stores];
});
afterEach(async () => {
  for (const folder of folders) await folder.dispose();
});

const signal = new AbortController().signal;
const installation = randomUUID();
const named: NewEvent = {
  id: randomUUID(),
  type: 'InstallationNamed',
  data: { installation },
  metadata: { commonweal_schema: 1, installation },
};
const anEvent = (n: number, rest: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID(),
  type: `Kind${n % 3}`,
  data: { n, text: 'ünï©ode 🏠', nested: { 10: 'b', 9: 'a', z: null } },
  metadata: { commonweal_schema: 1, installation, at: '2026-01-01T00:00:00.000Z', n },
  ...rest,
});

const name = (store: EventStore) => store.append('installation-self', [named], 'no_stream');

/** Streams that grow in turns and in runs, as they do in life. */
async function aLog(store: EventStore, events: number): Promise<void> {
  await name(store);
  for (let n = 0; n < events;) {
    const run = 1 + (n % 4);
    const batch = Array.from({ length: run }, (_, k) => anEvent(n + k));
    await store.append(`team-${n % 7}`, batch, 'any');
    n += run;
  }
}

async function everything(store: EventStore) {
  const { events } = await store.readAll({ after: -1n, limit: 100_000 });
  return events.map(({ position: _, ...event }) => event);
}

describe('a log is copied', () => {
  it('with ids, streams, revisions, order, data and metadata, and proves it', async () => {
    await aLog(here.wholeLog, 2_500);
    const copied = await copyLog({ source: here.wholeLog, target: there.wholeLog, signal });
    const all = await everything(here.wholeLog);
    expect(await everything(there.wholeLog)).toEqual(all);
    expect(copied).toMatchObject({ events: all.length, copied: all.length, foreign: 0 });
    const back = dataFolder();
    folders.push(back);
    const again = await copyLog({ source: there.wholeLog, target: back.open().wholeLog, signal });
    expect(again.digest).toBe(copied.digest);
  });

  it('the second time by comparing alone, and later by what has come since', async () => {
    await aLog(here.wholeLog, 40);
    await copyLog({ source: here.wholeLog, target: there.wholeLog, signal });
    expect(await copyLog({ source: here.wholeLog, target: there.wholeLog, signal })).toMatchObject({
      copied: 0,
    });
    await here.wholeLog.append('team-late', [anEvent(1), anEvent(2)], 'no_stream');
    expect(await copyLog({ source: here.wholeLog, target: there.wholeLog, signal })).toMatchObject({
      copied: 2,
    });
    expect(await everything(there.wholeLog)).toEqual(await everything(here.wholeLog));
  });

  it('from where it was cut off, whatever happened to the append under way', async () => {
    await aLog(here.wholeLog, 200);
    for (const when of ['before', 'after'] as const) {
      let left = 20;
      const target = altered(there.wholeLog, {
        append: async (...of) => {
          left -= 1;
          if (left === 0 && when === 'before') throw new Error('the power failed');
          const appended = await there.wholeLog.append(...of);
          if (left === 0) throw new Error('the power failed');
          return appended;
        },
      });
      await expect(copyLog({ source: here.wholeLog, target, signal })).rejects.toThrow('the power failed');
    }
    await copyLog({ source: here.wholeLog, target: there.wholeLog, signal });
    expect(await everything(there.wholeLog)).toEqual(await everything(here.wholeLog));
  });

  it('without what another product keeps in the same store', async () => {
    await name(here.wholeLog);
    await here.wholeLog.append('orders-1', [anEvent(1, { metadata: {} })], 'no_stream');
    await here.wholeLog.append('team-1', [anEvent(1)], 'no_stream');
    await there.wholeLog.append('orders-2', [anEvent(1, { metadata: {} })], 'no_stream');
    const copied = await copyLog({ source: here.wholeLog, target: there.wholeLog, signal });
    expect(copied).toMatchObject({ events: 2, copied: 2, foreign: 1 });
    expect(await there.wholeLog.readStream('orders-1')).toEqual([]);
  });

  it('without another installation’s events, which may stand under a namespace of its own', async () => {
    const id = await ensureInstallationId(here.wholeLog, here.vault);
    const marked = (installation?: string) =>
      anEvent(1, { metadata: { commonweal_schema: 1, ...(installation ? { installation } : {}) } });
    await here.wholeLog.append('team-1', [marked(id)], 'no_stream');
    await here.wholeLog.append('north.team-1', [marked(), marked(randomUUID()), marked(id)], 'no_stream');
    await here.wholeLog.append('team-2', [marked(randomUUID())], 'no_stream');
    const copied = await copyLog({ source: here.wholeLog, target: there.wholeLog, signal });
    expect(copied).toMatchObject({ events: 2, copied: 2, foreign: 4 });
    expect(await installationOf(there.wholeLog)).toBe(id);
    expect((await everything(there.wholeLog)).map(({ stream }) => stream)).toEqual([
      'installation-self',
      'team-1',
    ]);
  });

  it('to nowhere when the target is another installation’s', async () => {
    await here.wholeLog.append('orders-1', [anEvent(1, { metadata: {} })], 'no_stream');
    const id = await ensureInstallationId(there.wholeLog, there.vault);
    const copying = copyLog({ source: here.wholeLog, target: there.wholeLog, signal });
    await expect(copying).rejects.toThrow(TransferRefused);
    await expect(copying).rejects.toThrow(
      `The target holds another installation's log (${id}; this one is not named yet).`,
    );
    expect(await everything(there.wholeLog)).toHaveLength(1);
  });

  it('to nowhere when the target holds another log, and names the first difference', async () => {
    for (const { wholeLog } of [here, there]) await name(wholeLog);
    await here.wholeLog.append('team-1', [anEvent(1), anEvent(2)], 'no_stream');
    await there.wholeLog.append('team-2', [anEvent(1)], 'no_stream');
    const copying = copyLog({ source: here.wholeLog, target: there.wholeLog, signal });
    await expect(copying).rejects.toThrow(TransferRefused);
    await expect(copying).rejects.toThrow(
      'The target holds another log: event 2 is Kind1 (team-2, revision 0) there and Kind1 (team-1, revision 0) here.',
    );
    expect(await everything(there.wholeLog)).toHaveLength(2);
  });

  it('to nowhere when the target has gone on by itself', async () => {
    await aLog(here.wholeLog, 5);
    await copyLog({ source: here.wholeLog, target: there.wholeLog, signal });
    await there.wholeLog.append('team-new', [anEvent(1)], 'no_stream');
    await expect(copyLog({ source: here.wholeLog, target: there.wholeLog, signal })).rejects.toThrow(
      /The target holds more than this log: after \d+ events it goes on with Kind1 \(team-new, revision 0\)/,
    );
  });

  it('and refused when the target has stored other data than it was sent', async () => {
    await aLog(here.wholeLog, 30);
    const target = altered(there.wholeLog, {
      append: async (stream, events, expected) =>
        there.wholeLog.append(
          stream,
          events.map((event) => ({ ...event, data: { n: 0 } })),
          expected,
        ),
    });
    await expect(copyLog({ source: here.wholeLog, target, signal })).rejects.toThrow(/The copy differs/);
  });

  it('to nowhere when a development version began it: nothing of it would be known as its own', async () => {
    const old = anEvent(1, { type: 'TeamCreated', metadata: { commonweal_schema: 1 } });
    await here.wholeLog.append('team-commons', [old], 'no_stream');
    const copying = copyLog({ source: here.wholeLog, target: there.wholeLog, signal });
    await expect(copying).rejects.toThrow(TransferRefused);
    await expect(copying).rejects.toThrow(
      'The log was begun by a development version from before 1.0.0, which this release does not read.',
    );
  });

  it('until the signal aborts', async () => {
    await aLog(here.wholeLog, 2_500);
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    const copying = copyLog({
      source: here.wholeLog,
      target: there.wholeLog,
      signal: stop.signal,
      onProgress,
    });
    await expect(copying).rejects.toThrow(/aborted/);
    await copyLog({ source: here.wholeLog, target: there.wholeLog, signal });
    expect(await everything(there.wholeLog)).toEqual(await everything(here.wholeLog));
  });
});

describe('a vault is copied', () => {
  it('secret by secret, and a second time changes nothing', async () => {
    for (let n = 0; n < 20; n++) await here.vault.put(`webhook-secret/${n}`, Buffer.from([n, 0, 255]));
    expect(await copyVault(here.vault, there.vault)).toBe(20);
    expect(await copyVault(here.vault, there.vault)).toBe(20);
    expect(await there.vault.names('')).toEqual(await here.vault.names(''));
    expect(Buffer.from((await there.vault.get('webhook-secret/7')) ?? [])).toEqual(Buffer.from([7, 0, 255]));
  });

  it('but never over another secret, which it names without telling it', async () => {
    await here.vault.put('webhook-secret/1', Buffer.from('one'));
    await there.vault.put('webhook-secret/1', Buffer.from('two'));
    await expect(copyVault(here.vault, there.vault)).rejects.toThrow(
      /^The target's vault holds another secret under webhook-secret\/1\.$/,
    );
    expect(Buffer.from((await there.vault.get('webhook-secret/1')) ?? []).toString()).toBe('two');
  });
});
