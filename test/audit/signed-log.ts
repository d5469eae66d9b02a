import { randomUUID } from 'node:crypto';
import { signCheckpoint } from '../../src/audit/proof-log/format/checkpoint.ts';
import { entryOf, leafHash } from '../../src/audit/proof-log/entry.ts';
import { GrowingTree, type FilledTile } from '../../src/audit/proof-log/format/growing-tree.ts';
import { ensureLogKey, type LogKey } from '../../src/audit/proof-log/format/log-key.ts';
import type { NoteSigner } from '../../src/audit/proof-log/format/note.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { uuidOf } from '../../src/events/ids.ts';
import { beginning, type NewEvent, type RecordedEvent } from '../../src/stores/event-store/port.ts';
import type { BundlePlace } from '../../src/stores/side/proof-log-port.ts';
import { temporaryFolder } from '../support/folder.ts';

export const logName = 'directory.example.org/audit/log';

/** The stores of a new data folder, with the key of a proof log. */
export async function openLog(folder = temporaryFolder(), settings: Record<string, string> = {}) {
  const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...settings }));
  const key = await ensureLogKey(system.vault, logName);
  return { folder, system, key };
}

/** Metadata as commands write it. */
export const metadataAt = (at: string, id = 'test', correlation: string = randomUUID()) => ({
  commonweal_schema: 1,
  actor: { kind: 'system', id },
  command_id: randomUUID(),
  correlation_id: correlation,
  causation_id: randomUUID(),
  at,
});

/** Events of one stream of a team, each with something of its own. */
export const teamEvents = (team: string, from: number, count: number): NewEvent[] =>
  Array.from({ length: count }, (_, n) => ({
    id: uuidOf('test', team, String(from + n)),
    type: from + n === 0 ? 'TeamCreated' : 'TeamScopesEnabled',
    data: from + n === 0 ? { team, name: `Team “${team}” – ñ` } : { scopes: [], note: `${team} ${from + n}` },
    metadata: metadataAt(new Date(Date.UTC(2026, 0, 1, 0, from + n)).toISOString()),
  }));

/** Appends `count` events to streams of teams, in turn. */
export async function fill(
  { store }: Pick<System, 'store'>,
  count: number,
  streams = 7,
  name = 'team',
): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const team = `${name}-${n % streams}`;
    await store.append(`team-${team}`, teamEvents(team, Math.floor(n / streams), 1), 'any');
  }
}

export async function everyOwn({ store }: Pick<System, 'store'>): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (let after = beginning; ;) {
    const { events, position } = await store.readAll({ after, limit: 1_000 });
    if (position === after) return all;
    all.push(...events);
    after = position;
  }
}

/** Signs a checkpoint of the first `size` events (default: all), after the checkpoints that there are. */
export async function signLog(
  { store, proofLog }: Pick<System, 'store' | 'proofLog'>,
  key: NoteSigner,
  size = Infinity,
): Promise<number> {
  const newest = await proofLog.newest();
  const tree = new GrowingTree();
  const tiles: FilledTile[] = [];
  const bundles: BundlePlace[] = [];
  const events = (await everyOwn({ store })).slice(0, size);
  for (const [index, event] of events.entries()) {
    if (index % 256 === 0) {
      const after = events[index - 1]?.position ?? beginning;
      bundles.push({ index: index / 256, after });
    }
    tree.add(leafHash(entryOf(event)), (tile) => tiles.push(tile));
  }
  await proofLog.putTiles([...tiles, ...tree.partialTiles()]);
  await proofLog.putBundles(bundles);
  const note = signCheckpoint({ size: events.length, root: tree.root() }, key);
  const signed = { size: events.length, note, signedAt: '2026-01-31T00:00:00.000Z' };
  await proofLog.add(signed, { extends: newest?.size ?? 0, epoch: 1 });
  return events.length;
}

export interface SignedScene {
  readonly folder: ReturnType<typeof temporaryFolder>;
  readonly system: System;
  readonly key: LogKey;
}

/** A log of `count` events with a checkpoint over all of them, and some over fewer. */
export async function signedScene(count: number): Promise<SignedScene> {
  const scene = await openLog();
  await fill(scene.system, count);
  if (count > 20)
    for (const part of [0.1, 0.5]) await signLog(scene.system, scene.key, Math.floor(count * part));
  await signLog(scene.system, scene.key);
  return scene;
}
