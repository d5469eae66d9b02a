import { describe, expect, it } from 'vitest';
import type { AnyProjection } from '../../../src/projections/engine/read-model.ts';
import { foldLog } from '../../support/fold-log.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { deliveries } from '../../../src/projections/webhooks/deliveries.ts';
import { apiKeys } from '../../../src/projections/keys.ts';
import { foreignEvents } from '../../../src/projections/engine/foreign-events.ts';
import { teams } from '../../../src/projections/teams.ts';
import { NotYetVisible, statusOf, visible } from '../../../src/projections/engine/read-your-writes.ts';
import type { CollectionWriter } from '../../../src/stores/documents/port.ts';
import { altered } from '../../support/altered.ts';
import { all } from '../../support/fold.ts';
import { askForRebuild, caughtUp, documentsOf, everything } from '../../support/projector.ts';
import { projectorsInAFolder } from '../../support/projector-suite.ts';
import type { DataFolder, Stores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { any, justTeams, teamsIn, teamsThat } from './teams-under-test.ts';

let folder: DataFolder;
let stores: Stores;
const start = projectorsInAFolder((opened) => ({ folder, stores } = opened));
const { createTeam, team, checkpointOf, aBusyDay } = teamsIn(() => stores);

describe('a projection', () => {
  it('catches up with what stands in the log, and then follows it', async () => {
    await createTeam('early');
    start(stores);
    await caughtUp(stores);
    expect(await team('early')).toMatchObject({ name: 'Team early' });
    const { position } = await createTeam('late');
    await visible(stores.documents, [teams.collection.name], position);
    expect(await team('late')).toMatchObject({ name: 'Team late' });
  });

  it('follows what another process appends', async () => {
    start(stores);
    const other = folder.open();
    const { position } = await createTeam('elsewhere', other);
    await visible(other.documents, [teams.collection.name], position);
    expect(await team('elsewhere', other)).toMatchObject({ name: 'Team elsewhere' });
  });

  it('moves on past what is none of its business', async () => {
    start(stores);
    const { position } = await createTeam('harbour');
    await visible(
      stores.documents,
      [apiKeys.collection.name, deliveries.collection.name, resources.collection.name],
      position,
    );
    expect(await checkpointOf(apiKeys.collection.name)).toBeGreaterThanOrEqual(position);
  });

  it('goes on after a restart where it was, and folds nothing twice', async () => {
    const folded: string[] = [];
    const counting = [teamsThat({ fold: (doc, slug) => (folded.push(slug), doc) })];
    await createTeam('one');
    const first = start(stores, { projections: counting });
    await caughtUp(stores, counting);
    await first.stop();
    await createTeam('two');
    await stores.close();
    stores = folder.open();
    start(stores, { projections: counting });
    await caughtUp(stores, counting);
    expect(folded).toEqual(['one', 'two']);
    expect((await stores.documents.generations(teams.collection.name)).serving?.generation).toBe(1);
  });

  it('is not changed by a batch that it is given a second time', async () => {
    await aBusyDay();
    for (const each of all) {
      const { generation } = await stores.documents.build(each.collection, each.version);
      await stores.documents.serve(each.collection.name, generation);
      const writer = await stores.documents.writer(each.collection, generation);
      await foldOnce(each, writer);
      const once = await documentsOf(stores.documents, each);
      const stamp = await stores.documents.collection(each.collection).stamp();
      await foldOnce(each, await stores.documents.writer(each.collection, generation));
      expect(await documentsOf(stores.documents, each)).toEqual(once);
      expect(await stores.documents.collection(each.collection).stamp(), each.collection.name).toBe(stamp);
    }
  });

  it('ignores what is not ours, be it called as ours is', async () => {
    const foreign = (type: string, data: unknown) => [
      { id: crypto.randomUUID(), type, data, metadata: { by: 'another product' } },
    ];
    await stores.store.append(
      'team-foreign',
      foreign('TeamCreated', { team: 'foreign', name: 1 }),
      'no_stream',
    );
    await stores.store.append('$system', foreign('$metadata', {}), 'any');
    await stores.store.append('projection-teams', foreign('RebuildStarted', {}), 'any');
    start(stores);
    await caughtUp(stores);
    await stores.store.append('projection-teams', foreign('RebuildStarted', {}), 'any');
    await createTeam('harbour');
    await caughtUp(stores);
    const after = await everything(stores.documents);
    expect(after[teams.collection.name]).toMatchObject([{ team: 'harbour' }]);
    expect((await stores.documents.generations(teams.collection.name)).serving?.generation).toBe(1);
    for (const { failure } of await statusOf(stores, all)) expect(failure).toBeUndefined();
  });
});

describe('a change just made', () => {
  it('is seen by whoever waits for its position, every time', async () => {
    start(stores);
    for (let n = 0; n < 50; n++) {
      const { position } = await createTeam(`team-${n}`);
      await visible(stores.documents, [teams.collection.name], position);
      expect(await team(`team-${n}`)).toBeDefined();
    }
  });

  it('is waited for no longer than told, and then the late read models are named', async () => {
    const { position } = await createTeam('harbour');
    const began = performance.now();
    const waiting = visible(stores.documents, [teams.collection.name, apiKeys.collection.name], position, 50);
    await expect(waiting).rejects.toThrow(NotYetVisible);
    await expect(waiting).rejects.toThrow(
      'The change is recorded, but not visible yet in: teams, api-keys. Try again in a moment.',
    );
    expect(performance.now() - began).toBeGreaterThanOrEqual(45);
  });

  it('is seen by asking again, once there is a projector', async () => {
    const { position } = await createTeam('harbour');
    await expect(visible(stores.documents, [teams.collection.name], position, 0)).rejects.toThrow(
      NotYetVisible,
    );
    start(stores);
    await visible(stores.documents, [teams.collection.name], position);
    expect(await team('harbour')).toBeDefined();
  });

  it('is not waited for where it is to be seen already', async () => {
    start(stores);
    const { position } = await createTeam('harbour');
    await visible(stores.documents, [teams.collection.name], position);
    await visible(stores.documents, [teams.collection.name], position, 0);
  });

  it('is seen though it happens between looking and listening, and no news follows', async () => {
    const { position } = await createTeam('harbour');
    let looked = false;
    const documents = altered(stores.documents, {
      progress: async () => {
        const progress = await stores.documents.progress();
        if (!looked) {
          looked = true;
          start(stores, { projections: justTeams });
          await visible(stores.documents, [teams.collection.name], position);
        }
        return progress;
      },
      changed: () => new Promise<void>(() => undefined),
    });
    await visible(documents, [teams.collection.name], position);
    expect(looked).toBe(true);
  });
});

describe('what another product keeps in the same log', () => {
  const foreign = (n: number) => ({
    id: crypto.randomUUID(),
    type: 'TeamCreated',
    data: { n },
    metadata: {},
  });

  it('is passed over and counted once, through restarts and rebuilds', async () => {
    const first = start(stores);
    await stores.store.append('orders-1', [foreign(1), foreign(2)], 'no_stream');
    await createTeam('one');
    await caughtUp(stores);
    await first.stop();
    await stores.store.append('orders-1', [foreign(3)], 'any');
    start(stores);
    await caughtUp(stores);
    await askForRebuild(stores.store, any(teams));
    await until(async () => (await stores.documents.progress()).get(teams.collection.name)?.generation === 2);
    expect(await foreignEvents(stores.side)).toMatchObject({
      count: 3,
      newest: { type: 'TeamCreated', stream: 'orders-1' },
    });
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(1);
  });
});

describe('the status of the projections', () => {
  it('counts what is not folded yet, and knows of no generation before the first start', async () => {
    await aBusyDay();
    const [first] = await statusOf(stores, justTeams);
    expect(first).toEqual({ name: teams.collection.name, generation: null, checkpoint: null, lag: 3 });
    start(stores);
    await caughtUp(stores);
    const head = await stores.store.head();
    for (const each of await statusOf(stores, all)) {
      expect(each).toEqual({ name: each.name, generation: 1, checkpoint: head.toString(), lag: 0 });
    }
  });
});

/** Folds what stands in the log. */
async function foldOnce(each: AnyProjection, writer: CollectionWriter<object>): Promise<void> {
  await foldLog(each, { ...stores, writer });
}
