import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { EmbeddedSideStore } from '../../src/stores/side/embedded.ts';
import { temporaryFolder } from '../support/folder.ts';
import { sideJournalContract } from './side-journal.ts';
import { sideStoreContract } from './side.ts';

const opening = (options?: { readonly thread: boolean }) => () => {
  const folder = temporaryFolder();
  const clients: EmbeddedSideStore[] = [];
  const open = () => {
    const client = new EmbeddedSideStore(folder.path, options);
    if (options?.thread) void startThread(client);
    clients.push(client);
    return client;
  };
  return Promise.resolve({
    side: open(),
    another: () => Promise.resolve(open()),
    dispose: async () => {
      for (const client of clients) await client.close();
      folder.remove();
    },
  });
};
/** A store that may have a thread starts it with the first entry of a journal. */
const startThread = (side: EmbeddedSideStore) => side.journal('of the thread').open('group', 'first', 1);

for (const [name, openStore] of [
  ['embedded', opening()],
  ['embedded, written by a thread', opening({ thread: true })],
] as const) {
  sideStoreContract(name, openStore);
  sideJournalContract(name, openStore);
}

describe('the embedded side store', () => {
  it('has no thread before the first entry of a journal', async () => {
    const folder = temporaryFolder();
    const started: unknown[] = [];
    const noticed = (worker: unknown) => started.push(worker);
    process.on('worker', noticed);
    const side = new EmbeddedSideStore(folder.path, { thread: true });
    await side.table('t').put('a', 1);
    expect(started).toHaveLength(0);
    await startThread(side);
    await side.table('t').put('b', 2);
    expect(started).toHaveLength(1);
    expect(await side.table('t').list()).toHaveLength(2);
    process.off('worker', noticed);
    await side.close();
    folder.remove();
  });

  it('has written on closing all that a thread was to write', async () => {
    const folder = temporaryFolder();
    const before = new EmbeddedSideStore(folder.path, { thread: true });
    await startThread(before);
    const puts = Array.from({ length: 50 }, (_, n) => before.table('t').put(`n${n}`, n));
    await before.close();
    await Promise.all(puts);
    const after = new EmbeddedSideStore(folder.path);
    expect(await after.table('t').list()).toHaveLength(50);
    await after.close();
    folder.remove();
  });

  it('says that the outcome is unknown when the disk refuses a thread, and goes on when it does not', async () => {
    const folder = temporaryFolder();
    const side = new EmbeddedSideStore(folder.path, { thread: true });
    await startThread(side);
    const db = new DatabaseSync(join(folder.path, 'side.db'));
    db.exec(
      `CREATE TRIGGER refused BEFORE INSERT ON entries WHEN NEW.id = 'bad' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    );
    await expect(side.table('t').put('bad', 1)).rejects.toMatchObject({ outcome: 'unknown' });
    await side.table('t').put('good', 1);
    expect(await side.table('t').get('good')).toBe(1);
    db.close();
    await side.close();
    folder.remove();
  });

  for (const thread of [false, true]) {
    it(`keeps nothing of what was deleted or replaced, once it is scrubbed${thread ? ', also what a thread wrote' : ''}`, async () => {
      const folder = temporaryFolder();
      const [side, beside] = [
        new EmbeddedSideStore(folder.path, { thread }),
        new EmbeddedSideStore(folder.path),
      ];
      if (thread) await startThread(side);
      const table = side.table<string>('t');
      // Small ones share pages, large ones have pages of their own.
      const sizes = [20, 300, 3_000, 40_000];
      const secret = 'only-here-';
      for (let n = 0; n < 200; n++) await table.put(`n${n}`, secret.repeat((sizes[n % 4] ?? 1) / 10));
      for (let n = 0; n < 200; n++) {
        if (n % 3 === 0) await table.put(`n${n}`, 'something else');
        else await table.delete(`n${n}`);
      }
      const holding = () =>
        readdirSync(folder.path).filter((name) => readFileSync(join(folder.path, name)).includes(secret));
      expect(holding()).not.toEqual([]);
      await beside.scrub();
      expect(holding()).toEqual([]);
      await side.close();
      await beside.close();
      folder.remove();
    });
  }

  it('removes expired entries from its file, so that it does not grow for ever', async () => {
    const folder = temporaryFolder();
    const before = new EmbeddedSideStore(folder.path);
    const past = new Date('2020-01-01T00:00:00Z');
    await before.table('t').put('swept at once', 1);
    for (let n = 0; n < 20; n++)
      await before.table('t').put(`old-${n}`, randomBytes(9).toString('hex'), past);
    await before.close();
    const after = new EmbeddedSideStore(folder.path);
    await after.table('t').put('new', 1);
    await after.close();
    const db = new DatabaseSync(join(folder.path, 'side.db'));
    expect(db.prepare('SELECT count(*) AS n FROM entries').get()).toEqual({ n: 2 });
    db.close();
    folder.remove();
  });
});
