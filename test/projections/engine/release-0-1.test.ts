import { afterEach, beforeEach, expect, it } from 'vitest';
import { NodeCompatibility } from '../../../src/commands/node-compatibility.ts';
import { eventVersions } from '../../../src/events/catalogue.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { modelOf } from '../../../src/projections/engine/define.ts';
import { registerRelease01 } from '../../../src/projections/engine/projecting-lease.ts';
import { formerEntry } from '../../../src/projections/engine/release-0-1.ts';
import { teams } from '../../../src/projections/teams/teams.ts';
import { EmbeddedLeases } from '../../../src/stores/leases/embedded.ts';
import { NodeRegistry } from '../../../src/stores/leases/node-registry.ts';
import { altered } from '../../support/altered.ts';
import { all } from '../../support/fold.ts';
import { startProjector } from '../../support/projector.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

let folder: DataFolder;
let stores: Stores;
beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
});
afterEach(() => folder.dispose());

/** The leases that a projector of release 0.1 holds, in a process of its own. */
async function formerProjector(): Promise<EmbeddedLeases> {
  const leases = new EmbeddedLeases(folder.path);
  for (const each of all) await leases.tryAcquire(`projection-${modelOf(each)}`);
  return leases;
}

const served = async (name: string) => (await stores.documents.generations(name)).serving !== undefined;
const metadata = (version: number) => ({ commonweal_schema: version });

it('a projector of release 0.1 is noticed by its leases: read models are built beside its own, and it gets no event that it cannot read', async () => {
  const former = await formerProjector();
  const nodes = new NodeRegistry(() => stores.side);
  await registerRelease01({ leases: stores.leases, nodes });
  const newest = { type: 'ResourceSubmitted', metadata: metadata(eventVersions()['ResourceSubmitted'] ?? 0) };
  const check = () => new NodeCompatibility(nodes).check([newest]);
  await expect(check()).rejects.toThrow(/release 0\.1 that still runs/);
  await new NodeCompatibility(nodes).check([{ type: 'TeamCreated', metadata: metadata(1) }]);

  const projector = startProjector(stores, { nodes });
  await until(() => served(resources.collection.name));
  expect(await served(teams.collection.name)).toBe(false);

  await former.close();
  await until(() => served(teams.collection.name));
  expect(await nodes.present()).toEqual([]);
  await check();
  await projector.stop();
});

it('a projector that holds all leases ends the registration of release 0.1', async () => {
  const nodes = new NodeRegistry(() => stores.side);
  const gate = Promise.withResolvers<undefined>();
  const arrived = Promise.withResolvers<undefined>();
  // Registered when the projector has looked already, as after the leases of a killed projector ran out one by one.
  const documents = altered(stores.documents, {
    highestEpoch: async () => {
      arrived.resolve(undefined);
      await gate.promise;
      return stores.documents.highestEpoch();
    },
  });
  const projector = startProjector(stores, { nodes, documents });
  await arrived.promise;
  await nodes.announce(formerEntry, 'release-0.1');
  gate.resolve(undefined);
  await until(async () => (await nodes.present()).length === 0);
  await until(() => served(teams.collection.name));
  await projector.stop();
});

it('what is said of release 0.1 names no event that this release does not know', () => {
  expect(Object.keys(formerEntry.events).filter((type) => !(type in eventVersions()))).toEqual([]);
});
