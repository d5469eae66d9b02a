import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { eventStoreContract } from './event-store.ts';

eventStoreContract('embedded', async () => {
  const folder = temporaryFolder();
  const stores: EmbeddedEventStore[] = [];
  const open = () => {
    const store = new EmbeddedEventStore({ directory: folder.path });
    stores.push(store);
    return store;
  };
  return {
    store: open(),
    another: async () => open(),
    dispose: async () => {
      for (const store of stores) await store.close();
      folder.remove();
    },
  };
});

describe('the embedded event store', () => {
  it('lets nobody change or delete an event, whatever client they use', async () => {
    const folder = temporaryFolder();
    const store = new EmbeddedEventStore({ directory: folder.path });
    await store.append('a-1', [{ id: crypto.randomUUID(), type: 'A', data: {}, metadata: {} }], 'no_stream');
    const db = new DatabaseSync(join(folder.path, 'events.db'));
    expect(() => db.exec(`UPDATE events SET data = '{}'`)).toThrow(/append-only/);
    expect(() => db.exec('DELETE FROM events')).toThrow(/append-only/);
    db.close();
    await store.close();
    folder.remove();
  });

  it('refuses a file written by a newer version, in one sentence that says what to do', () => {
    const folder = temporaryFolder();
    const db = new DatabaseSync(join(folder.path, 'events.db'));
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => new EmbeddedEventStore({ directory: folder.path })).toThrow(
      /written by a newer version of Commonweal \(format 99; this one writes 1\)/,
    );
    folder.remove();
  });
});
