import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';
import { Wakeup } from '../../src/stores/event-store/embedded/wakeup.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: EmbeddedEventStore;
let db: DatabaseSync;
let wakeup: Wakeup;
const never = new AbortController().signal;

beforeEach(() => {
  folder = temporaryFolder();
  store = new EmbeddedEventStore({ directory: folder.path });
  const path = join(folder.path, 'events.db');
  db = new DatabaseSync(path, { readOnly: true });
  wakeup = new Wakeup(path, db);
});
afterEach(async () => {
  wakeup.close();
  db.close();
  await store.close();
  folder.remove();
});

const append = (type: string, by = store) =>
  by.append(`of-${type}`, [{ id: crypto.randomUUID(), type, data: {}, metadata: {} }], 'any');

/** Notes its name when it is woken. */
function waits(name: string, order: string[], types?: readonly string[]): Promise<void> {
  return wakeup.next(wakeup.token(), never, types && { types }).then(() => void order.push(name));
}

describe('who waits for events', () => {
  it('is woken at once by a commit of its types, and before those whom it does not concern', async () => {
    const order: string[] = [];
    const unconcerned = waits('unconcerned', order, ['Other']);
    const concerned = waits('concerned', order, ['Wanted']);
    const everybody = waits('everybody', order);
    await append('Wanted');
    await Promise.all([concerned, everybody]);
    expect(order).not.toContain('unconcerned');
    await unconcerned;
    expect(order.at(-1)).toBe('unconcerned');
  });

  it('hears of what another process appended, whatever its type', async () => {
    const other = new EmbeddedEventStore({ directory: folder.path });
    const order: string[] = [];
    // The other store's writer is on the same channel only within a process; here its word is kept from us.
    const waiting = waits('waiting', order, ['Other']);
    const outside = new DatabaseSync(join(folder.path, 'events.db'));
    await append('Warm', other);
    outside
      .prepare(
        "INSERT INTO events (stream, revision, id, type, metadata, data) VALUES ('of-Foreign', 0, 'f', 'Other', '{}', '{}')",
      )
      .run();
    await until(() => order.length === 1);
    await waiting;
    outside.close();
    await other.close();
  });
});
