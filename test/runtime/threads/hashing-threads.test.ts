import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { hashRange } from '../../../src/audit/verify/hash-range.ts';
import { verifyStore } from '../../../src/audit/verify/verify-store.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { startHashing } from '../../../src/runtime/threads/hashing-threads.ts';
import { beginning } from '../../../src/stores/event-store/port.ts';
import { openLog, signLog, teamEvents, type SignedScene } from '../../audit/signed-log.ts';
import { temporaryFolder } from '../../support/folder.ts';

/** More than two of the parts in which the log is read. */
const events = 9_000;

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function signedLog(): Promise<SignedScene> {
  const scene = await openLog();
  const { system, folder } = scene;
  closing.push(async () => {
    await system.close();
    folder.remove();
  });
  for (let from = 0; from < events; from += 1_000)
    await system.store.append('team-long', teamEvents('long', from, 1_000), 'any');
  await signLog(system, scene.key);
  return scene;
}

function hashing(path: string, threads: number, script?: URL) {
  const started = startHashing(readConfig({ DATA_DIR: path }), threads, script);
  closing.push(() => started.stop());
  return started;
}

describe('threads that hash a log', () => {
  it('give the same leaves, and verify finds what was changed and removed, as one thread does', async () => {
    const { folder, system, key } = await signedLog();
    const { store, proofLog } = system;
    const threads = hashing(folder.path, 2);
    const range = { after: beginning, until: await store.head() };
    expect(await threads.hash(range)).toEqual(await hashRange(store, range));
    const verified = async (parts: Pick<typeof system, 'store' | 'proofLog'>, more: object) =>
      verifyStore({ ...parts, verifier: key.verifier, ...more });
    const inThreads = { hash: threads.hash, parallel: 4 };
    expect(await verified({ store, proofLog }, inThreads)).toMatchObject({
      findings: [],
      events: events + 1,
    });

    const db = new DatabaseSync(join(folder.path, 'events.db'));
    db.exec('DROP TRIGGER events_are_never_changed; DROP TRIGGER events_are_never_deleted;');
    db.exec(`
      UPDATE events SET data = replace(data, 'long 4000', 'long 4001') WHERE revision = 4000;
      UPDATE events SET data = data || ' ' WHERE revision = 4100;
      UPDATE events SET data = '{"scopes":[' WHERE revision = 8200;
      UPDATE events SET metadata = replace(metadata, '"installation":"', '"installation":"0') WHERE revision = 8300;
      DELETE FROM events WHERE revision IN (5000, 5001);
    `);
    db.close();
    const alone = await verified({ store, proofLog }, {});
    expect(alone.findings.map(({ kind, leaf }) => [kind, leaf])).toEqual([
      ['changed', 4001],
      ['missing', 5001],
      ['changed', 8201],
      ['missing', 8301],
      ['revision', undefined],
      ['revision', undefined],
    ]);
    expect(await verified({ store, proofLog }, inThreads)).toEqual(alone);
  });

  it('make verify fail when one dies at its start, or ends without a word', async () => {
    const { folder, system, key } = await signedLog();
    const none = temporaryFolder();
    closing.push(() => none.remove());
    const file = join(none.path, 'file.txt');
    writeFileSync(file, '');
    const missing = hashing(join(file, 'none'), 2);
    const endsAtOnce = new URL('./fixtures/ends-at-once.ts', import.meta.url);
    const ending = hashing(folder.path, 2, endsAtOnce);
    for (const threads of [missing, ending]) {
      const options = { ...system, verifier: key.verifier, hash: threads.hash, parallel: 4 };
      await expect(verifyStore(options)).rejects.toThrow('A thread that hashes the log has ended');
      const range = { after: beginning, until: 1n };
      await expect(threads.hash(range)).rejects.toThrow('A thread that hashes the log has ended');
    }
  });

  it('stop when they are told to, with nothing under way', async () => {
    const { folder } = await signedLog();
    const threads = startHashing(readConfig({ DATA_DIR: folder.path }), 2);
    await threads.stop();
    // Their connections are closed: another process may open the files.
    const again = await openSystem(readConfig({ DATA_DIR: folder.path }));
    expect(await again.store.head()).toBeGreaterThan(0n);
    await again.close();
  });
});
