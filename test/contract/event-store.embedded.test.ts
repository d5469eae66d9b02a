import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reconcilerLease } from '../../src/stores/event-store/reconciler.ts';
import { EmbeddedLeases } from '../../src/stores/leases/embedded.ts';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { eventStoreContract } from './event-store.ts';

eventStoreContract('embedded', async (reconciler) => {
  const folder = temporaryFolder();
  const stores: EmbeddedEventStore[] = [];
  const open = () => {
    const store = new EmbeddedEventStore({ directory: folder.path, ...(reconciler ? { reconciler } : {}) });
    stores.push(store);
    return store;
  };
  const inBooks = (sql: string, ...values: readonly (string | bigint)[]) => {
    const db = new DatabaseSync(join(folder.path, 'consumers.db'));
    db.prepare(sql).run(...values);
    db.close();
  };
  const store = open();
  return {
    store,
    another: async () => open(),
    lose: async (group) =>
      inBooks('UPDATE groups SET handed_out = ? WHERE name = ?', await store.head(), group),
    forget: async (group) => inBooks("DELETE FROM notes WHERE id = ? OR id LIKE ? || '.%'", group, group),
    holdReconciler: async (group) => {
      const leases = new EmbeddedLeases(folder.path);
      const lease = await leases.tryAcquire(reconcilerLease(group));
      expect(lease).toBeDefined();
      return () => leases.close();
    },
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

  it('hands over at once what a process of the same number, now dead, was given', async () => {
    const folder = temporaryFolder();
    const store = new EmbeddedEventStore({ directory: folder.path });
    const event = { id: crypto.randomUUID(), type: 'A', data: {}, metadata: {} };
    const { position } = await store.append('a-1', [event], 'no_stream');
    await store.parked('group');
    const db = new DatabaseSync(join(folder.path, 'consumers.db'));
    db.prepare('INSERT INTO groups VALUES (?, ?)').run('group', position);
    db.prepare(
      `INSERT INTO entries (name, position, event_id, attempts, owner, visible_at) VALUES ('group', ?, ?, 1, ?, ?)`,
    ).run(position, event.id, `${process.pid}@${Date.now() - 86_400_000}`, Date.now() + 86_400_000);
    db.close();
    const done = new AbortController();
    const attempts: number[] = [];
    await store.consume('group', {
      filter: { types: ['A'] },
      signal: done.signal,
      handle: async (events) => {
        attempts.push(...events.map(({ attempt }) => attempt));
        done.abort();
        return events.map(() => ({ kind: 'ack' }));
      },
    });
    expect(attempts).toEqual([2]);
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
