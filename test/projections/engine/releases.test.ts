import { afterEach, beforeEach, expect, it } from 'vitest';
import { NodeCompatibility } from '../../../src/commands/node-compatibility.ts';
import { eventVersions } from '../../../src/events/catalogue.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { modelNamed } from '../../../src/projections/engine/read-model.ts';
import { projectingLease } from '../../../src/projections/engine/projector-takeover.ts';
import { versionsOf } from '../../../src/projections/engine/releases.ts';
import { teams } from '../../../src/projections/teams.ts';
import { NodeRegistry } from '../../../src/stores/leases/node-registry.ts';
import type { NodeEntry } from '../../../src/stores/leases/nodes-port.ts';
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

const versionOf = (type: string): number => eventVersions()[type] ?? 0;
const inVersion = (type: string, version: number) => ({ type, metadata: { commonweal_schema: version } });

/** A node of a release that reads an older version of one read model and of one event. */
const older: NodeEntry = {
  release: '0.9.0',
  projects: true,
  readModels: { ...versionsOf(all), [modelNamed(resources.collection.name)]: resources.version - 1 },
  events: { ...eventVersions(), ResourceSubmitted: versionOf('ResourceSubmitted') - 1 },
  keys: [],
};

it('while a projector of an older release runs, read models are built beside its own, and nothing is written that it cannot read', async () => {
  const theirs = folder.open();
  const running = await theirs.leases.tryAcquire(projectingLease);
  const registered = new NodeRegistry(() => theirs.side);
  await registered.announce(older);
  const nodes = new NodeRegistry(() => stores.side);
  const newest = [inVersion('ResourceSubmitted', versionOf('ResourceSubmitted'))];
  await expect(new NodeCompatibility(nodes).check(newest)).rejects.toThrow(
    /cannot be read by a node of release 0\.9\.0 that still runs/,
  );
  await new NodeCompatibility(nodes).check([inVersion('TeamCreated', 1)]);
  await new NodeCompatibility(nodes).check([
    inVersion('ResourceSubmitted', versionOf('ResourceSubmitted') - 1),
  ]);

  const served = async (name: string) => (await stores.documents.generations(name)).serving !== undefined;
  const projector = startProjector(stores, { nodes });
  await until(() => served(resources.collection.name));
  expect(await served(teams.collection.name)).toBe(false);

  await registered.leave();
  await running?.release();
  await until(() => served(teams.collection.name));
  await new NodeCompatibility(new NodeRegistry(() => stores.side)).check(newest);
  await projector.stop();
});

it('an event of a type that a registered node does not know is refused too', async () => {
  const nodes = new NodeRegistry(() => stores.side);
  const { TeamCreated: _unknown, ...events } = older.events;
  await nodes.announce({ ...older, events });
  await expect(new NodeCompatibility(nodes).check([inVersion('TeamCreated', 1)])).rejects.toMatchObject({
    code: 'unavailable',
  });
});
