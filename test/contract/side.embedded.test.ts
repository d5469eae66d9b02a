import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { EmbeddedSideStore } from '../../src/stores/side/embedded.ts';
import { temporaryFolder } from '../support/folder.ts';
import { sideJournalContract } from './side-journal.ts';
import { sideStoreContract } from './side.ts';

const openStore = () => {
  const folder = temporaryFolder();
  const clients: EmbeddedSideStore[] = [];
  const open = () => {
    const client = new EmbeddedSideStore(folder.path);
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
sideStoreContract('embedded', openStore);
sideJournalContract('embedded', openStore);

describe('the embedded side store', () => {
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
