import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { beginning, type EventStore, type RecordedEvent } from '../../src/stores/event-store/port.ts';
import { engineSettings } from '../support/engine.ts';

/** Every event of a data folder, on whatever engines this run is. */
export async function readLog(directory: string): Promise<RecordedEvent[]> {
  const system = await openSystem(readConfig({ DATA_DIR: directory, ...engineSettings(directory) }));
  try {
    return await everyEvent(system.store);
  } finally {
    await system.close();
  }
}

export async function everyEvent(store: EventStore): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (let after = beginning; ;) {
    const { events, position } = await store.readAll({ after, limit: 10_000 });
    if (position === after) return all;
    for (const event of events) all.push(event);
    after = position;
  }
}

/**
 * The log of a data folder in which nothing runs, in another, with the vault that belongs to it and nothing else:
 * whoever starts there begins from zero.
 */
export function copyLog(from: string, to: string): void {
  for (const name of ['events.db', 'vault.db']) {
    const db = new DatabaseSync(join(from, name));
    try {
      db.prepare('VACUUM INTO ?').run(join(to, name));
    } finally {
      db.close();
    }
  }
  copyFileSync(join(from, 'master.key'), join(to, 'master.key'));
}

/** What is wrong with a log by itself. */
export function disorderIn(events: readonly RecordedEvent[]): string[] {
  const violations: string[] = [];
  const next = new Map<string, number>();
  const ids = new Set<string>();
  let last = beginning;
  for (const { id, stream, revision, position } of events) {
    const due = next.get(stream) ?? 0;
    if (revision !== due) violations.push(`${stream} has revision ${revision} where ${due} was due`);
    if (position <= last) violations.push(`position ${position.toString()} comes after ${last.toString()}`);
    if (ids.has(id)) violations.push(`the event ${id} is there twice`);
    next.set(stream, revision + 1);
    ids.add(id);
    last = position;
  }
  return violations;
}

/** What of an earlier reading of the log is gone or changed in a later one. */
export function lostSince(before: readonly RecordedEvent[], after: readonly RecordedEvent[]): string[] {
  const lost = before.filter((event, index) => fingerprint(event) !== fingerprint(after[index]));
  return lost
    .slice(0, 3)
    .map(({ type, stream, revision }) => `${type} (${stream}@${revision}) is lost or changed`);
}

function fingerprint(event: RecordedEvent | undefined): string {
  if (!event) return '';
  const { id, stream, revision, position, type, data, metadata } = event;
  return createHash('sha256')
    .update(JSON.stringify([id, stream, revision, position.toString(), type, data, metadata]))
    .digest('base64');
}

/** Events by stream. */
export const byStream = (events: readonly RecordedEvent[]): Map<string, RecordedEvent[]> =>
  Map.groupBy(events, ({ stream }) => stream);
