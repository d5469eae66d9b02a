import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';
import { CommitNotices, type CommitNotice } from '../../src/stores/event-store/embedded/commit-notices.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { Wakeup } from '../../src/stores/event-store/embedded/wakeup.ts';
import { temporaryFolder } from '../support/folder.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: EmbeddedEventStore;
let db: DatabaseSync;
let wakeup: Wakeup;
let hasWriter = true;
const never = new AbortController().signal;

beforeEach(() => {
  hasWriter = true;
  folder = temporaryFolder();
  store = new EmbeddedEventStore({ directory: folder.path });
  const path = join(folder.path, 'events.db');
  db = new DatabaseSync(path, { readOnly: true });
  wakeup = new Wakeup(path, db, () => hasWriter);
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
  return wakeup.next(head(), never, types && { types }).then(() => void order.push(name));
}

const head = () =>
  (db.prepare('SELECT coalesce(max(position), 0) AS head FROM events').get() as { head: number }).head;

/** As another process would, whose notices do not reach this one. */
function appendOutside(type: string): void {
  const outside = new DatabaseSync(join(folder.path, 'events.db'));
  outside
    .prepare('INSERT INTO events (stream, revision, id, type, metadata, data) VALUES (?, 0, ?, ?, ?, ?)')
    .run(`of-${type}`, crypto.randomUUID(), type, '{}', '{}');
  outside.close();
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

  it('waits for the first event of an empty log', async () => {
    const order: string[] = [];
    const waiting = wakeup.next(Number(beginning), never).then(() => void order.push('woken'));
    await setImmediate();
    expect(order).toEqual([]);
    await append('First');
    await waiting;
  });

  it('does not wait for what was committed after it had read', async () => {
    await append('First');
    const read = head();
    const listening = waits('listening', []);
    await append('Second');
    await listening;
    await wakeup.next(read, never, { types: ['Unlike'] });
  });
});

describe('what another process appends', () => {
  afterEach(() => void vi.useRealTimers());

  it('wakes whoever waits, whatever its type: the writer of this process tells of it', async () => {
    await append('Warm');
    // Who waits cannot look for itself.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const waiting = waits('waiting', [], ['Unlike']);
    appendOutside('Other');
    await waiting;
  });

  it('wakes whoever waits where this process has no writer: waiters look for it', async () => {
    hasWriter = false;
    const waiting = waits('waiting', [], ['Unlike']);
    appendOutside('Other');
    await waiting;
  });
});

describe('notices of commits', () => {
  const notices: CommitNotice[] = [];
  let subject: CommitNotices;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    notices.length = 0;
    subject = new CommitNotices(10, (notice) => notices.push(notice));
  });
  afterEach(() => {
    subject.close();
    vi.useRealTimers();
  });

  it('come at once, one for each commit', () => {
    subject.committed(11, 12, ['A']);
    vi.advanceTimersByTime(1_000);
    subject.committed(13, 13, ['B']);
    expect(notices).toEqual([
      { upTo: 12, types: ['A'] },
      { upTo: 13, types: ['B'] },
    ]);
  });

  it('come together in a rush, and name every type', () => {
    for (let position = 11; position <= 30; position++)
      subject.committed(position, position, [`T${position}`]);
    const before = notices.length;
    expect(before).toBeLessThan(6);
    vi.advanceTimersByTime(50);
    expect(notices.length).toBe(before + 1);
    expect(notices.at(-1)?.upTo).toBe(30);
    expect(new Set(notices.flatMap(({ types }) => types ?? [])).size).toBe(20);
  });

  it('of a type that does not come in a rush do not wait for its end', () => {
    let position = 10;
    const rushFor = (ms: number) => {
      for (let passed = 0; passed < ms; passed++) {
        position += 1;
        subject.committed(position, position, ['Many']);
        vi.advanceTimersByTime(1);
      }
    };
    rushFor(200);
    const shared = notices.length;
    expect(shared).toBeLessThan(12);
    position += 1;
    subject.committed(position, position, ['Single']);
    rushFor(5);
    expect(notices.slice(shared).flatMap(({ types }) => types ?? [])).toContain('Single');
    rushFor(200);
    expect(notices.length).toBeLessThan(2 * shared);
  });

  it('name no types where another process has committed in between', () => {
    subject.committed(12, 12, ['A']);
    vi.advanceTimersByTime(1_000);
    subject.newest(13);
    expect(notices).toEqual([
      { upTo: 12, types: undefined },
      { upTo: 13, types: undefined },
    ]);
  });

  it('leave out what was announced already', () => {
    subject.committed(11, 11, ['A']);
    subject.newest(11);
    subject.committed(5, 5, ['A']);
    vi.advanceTimersByTime(1_000);
    expect(notices).toHaveLength(1);
  });
});
