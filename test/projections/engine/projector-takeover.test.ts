import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventVersions } from '../../../src/events/catalogue.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { modelNamed } from '../../../src/projections/engine/read-model.ts';
import {
  acquireProjecting,
  KilledProjectors,
  projectingLease,
} from '../../../src/projections/engine/projector-takeover.ts';
import { versionsOf } from '../../../src/projections/engine/releases.ts';
import { NodeRegistry } from '../../../src/stores/leases/node-registry.ts';
import type { Leases } from '../../../src/stores/leases/port.ts';
import { altered } from '../../support/altered.ts';
import { all } from '../../support/fold.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

let folder: DataFolder;
let stores: Stores;
let theirs: Stores;
const abort = new AbortController();
/** How often somebody looked whether the lease of the projector is free. */
let looks = 0;
beforeEach(async () => {
  folder = dataFolder();
  stores = folder.open();
  theirs = folder.open();
  looks = 0;
  await new NodeRegistry(() => theirs.side).announce({
    release: '0.9.0',
    projects: true,
    readModels: { ...versionsOf(all), [modelNamed(resources.collection.name)]: resources.version - 1 },
    events: eventVersions(),
    keys: [],
  });
});
afterEach(() => folder.dispose());

function parts(killed: KilledProjectors) {
  const leases: Leases = altered(stores.leases, {
    tryAcquire: (name) => {
      if (name === projectingLease) looks += 1;
      return stores.leases.tryAcquire(name);
    },
  });
  const nodes = new NodeRegistry(() => stores.side);
  return { leases, documents: stores.documents, projections: all, nodes, killed, lookEveryMs: 5 };
}

it('of an older release, one that was killed is not waited for until it is listed no more', async () => {
  const killed = new KilledProjectors(2_000);
  const beside = await acquireProjecting(parts(killed), abort.signal);
  expect(beside?.isWhole).toBe(false);
  await until(() => beside?.lost.aborted);
  await beside?.release();

  const whole = await acquireProjecting(parts(killed), abort.signal);
  expect([whole?.isWhole, whole?.projections]).toEqual([true, all]);
  // It is listed for longer than one that was killed could be, so it runs.
  await until(() => whole?.lost.aborted);
  await whole?.release();
  const again = await acquireProjecting(parts(killed), abort.signal);
  expect(again?.isWhole).toBe(false);
  await again?.release();
});

it('of an older release, one that holds its lease goes on with its read models', async () => {
  const running = await theirs.leases.tryAcquire(projectingLease);
  const beside = await acquireProjecting(parts(new KilledProjectors()), abort.signal);
  await until(() => looks > 12);
  expect([beside?.isWhole, beside?.lost.aborted]).toEqual([false, false]);
  await running?.release();
  await until(() => beside?.lost.aborted);
  await beside?.release();
});
