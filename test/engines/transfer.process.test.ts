import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { start } from '../faults/processes.ts';
import {
  dropDatabase,
  engineSettings,
  isEmbedded,
  keepsViewsInFolder,
  missing,
  onEngines,
} from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServing, type Serving } from '../support/serving.ts';

const example = fileURLToPath(new URL('../../examples/directory', import.meta.url));
/** Many small streams and few long ones, as a log of this size is. */
const events = Number(process.env['TRANSFER_EVENTS'] ?? 100_000);

interface Report {
  readonly events: number;
  readonly copied: number;
  readonly digest: string;
  /** Entries of the proof log. */
  readonly proved: number;
}

interface LogStatus {
  readonly vkey: string;
  readonly checkpoint: { readonly size: number; readonly note: string };
}

const reason = isEmbedded ? 'there are no servers to move to' : missing;

describe.skipIf(reason)(onEngines('moving from one machine to servers and back', reason), () => {
  const first = temporaryFolder();
  const second = temporaryFolder();
  afterAll(async () => {
    await dropDatabase(first.path);
    first.remove();
    second.remove();
  });
  const engine = engineSettings(first.path);
  const { MASTER_KEY = '', EVENTSTORE_URL = '', EVENTSTORE_NAMESPACE = '', MONGODB_URL = '' } = engine;
  /** The same installation without the servers. */
  const embedded = { MASTER_KEY, EVENTSTORE_URL: '', EVENTSTORE_NAMESPACE: '', MONGODB_URL: '' };
  const wide = { RATE_LIMIT_PER_MINUTE: '1000000' };

  async function run(settings: Record<string, string>, dataDir: string, ...words: readonly string[]) {
    const { code, stdout, stderr } = await start('src/main.js', [...words, '--json'], dataDir, settings)
      .ended;
    expect({ code, stderr: code === 0 ? '' : stderr }, words.join(' ')).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as unknown;
  }
  const transfer = (direction: '--to' | '--from', dataDir: string) =>
    run(
      { MASTER_KEY, EVENTSTORE_NAMESPACE, MONGODB_URL, EVENTSTORE_URL: '' },
      dataDir,
      'transfer',
      direction,
      EVENTSTORE_URL,
    ) as Promise<Report>;

  const logStatus = (settings: Record<string, string>, dataDir: string) =>
    run({ ...engine, ...settings }, dataDir, 'audit', 'log', 'status') as Promise<LogStatus>;

  /** SHA-256 over every page and every record that the API serves. */
  async function pagesOf(serving: Serving, key: string): Promise<string> {
    const sum = createHash('sha256');
    const get = async (path: string) =>
      (await fetch(serving.origin + path, { headers: { authorization: `Bearer ${key}` } })).text();
    for (let cursor = ''; ;) {
      const text = await get(`/dash/api/v1/resources?limit=25${cursor}`);
      sum.update(text);
      const page = JSON.parse(text) as { data: { svc_id: string }[]; next_cursor: string | null };
      for (const { svc_id } of page.data) sum.update(await get(`/dash/api/v1/resources/${svc_id}`));
      if (page.next_cursor === null) return sum.digest('hex');
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  }

  it(`keeps all ${events} events, and every page of the API is the same before and after`, async () => {
    await run(embedded, first.path, 'import', example, '--approve');
    const made = (await run(
      embedded,
      first.path,
      ...['keys', 'create', '--kind', 'developer', '--scopes', 'resources:read'],
    )) as { key: string };
    await fill(first.path);

    let serving = await startServing(first.path, { ...embedded, ...wide });
    const before = await pagesOf(serving, made.key);
    expect(await serving.stop()).toBe(0);
    const signed = await logStatus(embedded, first.path);

    const there = await transfer('--to', first.path);
    expect(there.events).toBeGreaterThanOrEqual(events);
    expect(there.copied).toBe(there.events);
    expect(there.proved).toBe(signed.checkpoint.size);
    expect(await logStatus({}, first.path)).toMatchObject({
      vkey: signed.vkey,
      checkpoint: signed.checkpoint,
    });
    // Those of the old log: a start on the new one would refuse them.
    if (keepsViewsInFolder) forgetViews(first.path);
    serving = await startServing(first.path, wide);
    expect(await pagesOf(serving, made.key)).toBe(before);
    expect(await serving.stop()).toBe(0);

    // Where the vault stayed in the folder, the log comes back to it.
    const home = keepsViewsInFolder ? first.path : second.path;
    if (keepsViewsInFolder) forgetViews(home);
    // What serving added there (read models that say they were switched, deliveries) comes back as well.
    const back = await transfer('--from', home);
    expect(back.events).toBeGreaterThanOrEqual(there.events);
    expect(back.proved).toBeGreaterThanOrEqual(there.proved);
    serving = await startServing(home, { ...embedded, ...wide });
    expect(await pagesOf(serving, made.key)).toBe(before);
    expect(await serving.stop()).toBe(0);
    // The key and the tree are those of the beginning: each side continued what the other had signed.
    const now = await logStatus(embedded, home);
    expect(now.vkey).toBe(signed.vkey);
    expect(now.checkpoint.size).toBeGreaterThanOrEqual(back.proved);
    await run(
      embedded,
      home,
      ...['audit', 'log', 'consistency', String(signed.checkpoint.size), String(now.checkpoint.size)],
    );
  }, 1_800_000);

  it('answers a second transfer by comparing alone, with the same digest on both sides', async () => {
    const third = temporaryFolder();
    const one = await transfer('--from', third.path);
    const two = await transfer('--from', third.path);
    expect(two).toMatchObject({ copied: 0, events: one.events, digest: one.digest });
    third.remove();
  }, 600_000);

  function forgetViews(dataDir: string): void {
    for (const file of ['views.db', 'views.db-wal', 'views.db-shm'])
      rmSync(join(dataDir, file), { force: true });
  }

  /** Grows the log to its size with deliveries that came and went. */
  async function fill(dataDir: string): Promise<void> {
    const system = await openSystem(readConfig({ DATA_DIR: dataDir, MASTER_KEY }));
    const have = await system.store.count({ after: -1n });
    const metadata = {
      commonweal_schema: 1,
      actor: { kind: 'system', id: 'test' },
      command_id: randomUUID(),
      correlation_id: randomUUID(),
      causation_id: randomUUID(),
      at: '2026-01-01T00:00:00.000Z',
    };
    const appends: Promise<unknown>[] = [];
    for (let n = have; n < events; n += 10) {
      const batch = Array.from({ length: 10 }, (_, k) => ({
        id: randomUUID(),
        type: 'RebuildStarted',
        data: { projection: `filler-${n}-${k}` },
        metadata,
      }));
      appends.push(system.store.append(`projection-filler-${n % 5_000}`, batch, 'any'));
      if (appends.length === 500) await Promise.all(appends.splice(0));
    }
    await Promise.all(appends);
    await system.close();
  }
});
