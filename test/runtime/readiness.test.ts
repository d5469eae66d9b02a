import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projections } from '../../src/projections/all.ts';
import { failuresTable, type ProjectionFailure } from '../../src/projections/engine/stalled-projections.ts';
import { apiKeys } from '../../src/projections/keys.ts';
import { deliveries } from '../../src/projections/webhooks/deliveries.ts';
import { Health } from '../../src/runtime/health.ts';
import { onceReady, readiness } from '../../src/runtime/readiness.ts';
import type { Generation } from '../../src/stores/documents/port.ts';
import { startSystem, type RunningSystem } from '../api/harness.ts';

let running: RunningSystem;
beforeAll(async () => {
  running = await startSystem();
  await running.team('harbour');
  await running.caughtUp();
});
afterAll(() => running.stop());

/** What a node that starts now says, while this read model has got no further, with or without a known failure. */
const startedWhile = (name: string, failure?: ProjectionFailure, got: Generation | 'none' = behind) =>
  running.withoutProjector(async () => {
    const { side, store, documents } = running.system;
    const progress = new Map(await documents.progress());
    if (got !== 'none') progress.set(name, got);
    else progress.delete(name);
    const system = { ...running.system, documents: { ...documents, progress: async () => progress } };
    const failures = side.table<ProjectionFailure>(failuresTable);
    if (failure) await failures.put(name, failure);
    const health = new Health({ system, projections, say: () => undefined });
    const said = await readiness(system, health, projections, await store.head());
    await failures.delete(name);
    return said;
  });
const behind: Generation = { generation: 1, version: 1, checkpoint: 1n };
const failure = { error: 'Cannot be folded.', since: '2026-01-01T00:00:00.000Z' };

test('a node is not ready while a read model is being built', async () => {
  const name = deliveries.collection.name;
  expect(await startedWhile(name)).toEqual({ ready: false, reason: `Being built: ${name}.` });
});

test('a node starts though a read model stands still that no change waits for, and says so', async () => {
  const name = deliveries.collection.name;
  const said = await startedWhile(name, failure);
  expect(said).toMatchObject({ ready: true });
  expect(said.warnings?.join()).toContain(`The read model ${name} has stood still since ${failure.since}`);
});

test('a node does not start while one has failed that has never been built: it would show nothing', async () => {
  expect(await startedWhile(deliveries.collection.name, failure, 'none')).toMatchObject({ ready: false });
});

test('a node does not start while one stands still that decides who may do what', async () => {
  expect(await startedWhile(apiKeys.collection.name, failure)).toMatchObject({ ready: false });
});

test('a node is not ready while a file that it writes to is not the one in the folder, and is again when it is back', async () => {
  const looked = async () => {
    // A new one, because a look at the files is not repeated for some seconds.
    const health = new Health({ system: running.system, projections, say: () => undefined });
    return readiness(running.system, health, projections, 0n);
  };
  expect(await looked()).toMatchObject({ ready: true });
  const [path, elsewhere] = ['vault.db', 'moved.db'].map((name) => join(running.folder, name)) as [
    string,
    string,
  ];
  renameSync(path, elsewhere);
  try {
    const reason = expect.stringMatching(
      /vault\.db was moved, removed or replaced while the service runs/,
    ) as string;
    expect(await looked()).toEqual({ ready: false, reason });
    writeFileSync(path, '');
    expect(await looked()).toMatchObject({ ready: false, reason });
  } finally {
    renameSync(elsewhere, path);
  }
  expect(await looked()).toMatchObject({ ready: true });
});

test('a failed rebuild stops nobody: the current version follows the log', async () => {
  const name = apiKeys.collection.name;
  const { side, store } = running.system;
  const failures = side.table<ProjectionFailure>(failuresTable);
  await failures.put(name, { ...failure, rebuilding: true });
  const health = new Health({ system: running.system, projections, say: () => undefined });
  const said = await readiness(running.system, health, projections, await store.head());
  await failures.delete(name);
  expect(said).toMatchObject({ ready: true });
  expect(said.warnings?.join()).toContain(`The rebuild of the read model ${name} (API keys`);
});

test('what waits until a node is ready goes on when it is, and where it is not, after a while', async () => {
  const { signal } = new AbortController();
  const answers = [new Error('The store is away.'), false, true, false];
  const ready = async () => {
    const answer = answers.shift() ?? false;
    if (answer instanceof Error) throw answer;
    return answer
      ? { ready: true as const, warnings: [] }
      : { ready: false as const, reason: 'Being built.' };
  };
  await onceReady(ready, signal);
  expect(answers).toEqual([false]);
  await onceReady(ready, signal, 120);
  expect(answers).toEqual([]);
  await onceReady(ready, AbortSignal.abort());
});
