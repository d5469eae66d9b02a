import { describe, expect, it } from 'vitest';
import { startRebuild } from '../../../src/commands/rebuild.ts';
import { auditEvents } from '../../../src/projections/audit.ts';
import { modelOf } from '../../../src/projections/engine/read-model.ts';
import { teams, type TeamDocument } from '../../../src/projections/teams.ts';
import { visible } from '../../../src/projections/engine/read-your-writes.ts';
import type { EventBatch, SubscribeOptions } from '../../../src/stores/event-store/port.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { all } from '../../support/fold.ts';
import { askForRebuild, caughtUp, documentsOf, everything } from '../../support/projector.ts';
import { projectorsInAFolder } from '../../support/projector-suite.ts';
import type { DataFolder, Stores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { any, justTeams, teamsIn, teamsThat } from './teams-under-test.ts';

let folder: DataFolder;
let stores: Stores;
const start = projectorsInAFolder((opened) => ({ folder, stores } = opened));
const { createTeam, team, checkpointOf, switched, cancelled, aBusyDay, gated } = teamsIn(() => stores);

describe('a rebuild', () => {
  it('is begun by an event, ends with one, and answers as before', async () => {
    await aBusyDay();
    start(stores);
    await caughtUp(stores);
    // The index of the audit log also has the events of the rebuilds.
    const indexName = auditEvents.collection.name;
    const documents = async () => {
      const { [indexName]: index = [], ...rest } = await everything(stores.documents);
      const isRebuild = (doc: unknown) => (doc as { stream: string }).stream.startsWith('projection-');
      return { ...rest, [indexName]: index.filter((doc) => !isRebuild(doc)) };
    };
    const before = await documents();
    for (const each of all) {
      const { name } = each.collection;
      await askForRebuild(stores.store, each);
      const [event] = await until(async () => {
        const done = await switched(modelOf(each));
        return done.length > 0 && done;
      });
      expect(event).toMatchObject({
        data: { projection: modelOf(each), generation: 2 },
        metadata: { actor: { kind: 'system', id: 'projector' } },
      });
      expect(await stores.documents.generations(name)).toMatchObject({
        serving: { generation: 2 },
        building: [],
      });
    }
    await caughtUp(stores);
    expect(await documents()).toEqual(before);
  });

  it('lets the old generation serve, and follow the log, until the new one is ready', async () => {
    await createTeam('one');
    const first = start(stores, { projections: justTeams });
    await caughtUp(stores, justTeams);
    await first.stop();
    const { store, open, waiting } = gated();
    start(stores, { store, projections: justTeams });
    await askForRebuild(stores.store, any(teams));
    await waiting;
    const { position } = await createTeam('meanwhile');
    await visible(stores.documents, [teams.collection.name], position);
    expect(await team('one')).toBeDefined();
    expect(await team('meanwhile')).toBeDefined();
    expect(await stores.documents.generations(teams.collection.name)).toMatchObject({
      serving: { generation: 1 },
      building: [{ generation: 2 }],
    });
    open();
    await until(async () => (await switched('teams')).length === 1);
    expect(await team('meanwhile')).toBeDefined();
    expect(await stores.documents.generations(teams.collection.name)).toMatchObject({
      serving: { generation: 2 },
      building: [],
    });
  });

  it('never takes back what has been seen, though more happened at its very end', async () => {
    await createTeam('one');
    const steps: [before: bigint, after: bigint][] = [];
    const checkpoint = async () => (await checkpointOf(teams.collection.name)) ?? -1n;
    const createAndSee = async (slug: string) => {
      const { position } = await createTeam(slug);
      await visible(stores.documents, [teams.collection.name], position);
    };
    const documents = altered(stores.documents, {
      writer: async (spec, generation) => {
        const writer = await stores.documents.writer(spec, generation);
        const finish = async () => {
          await writer.finish();
          if (generation > 1) await createAndSee('while-finished');
        };
        return altered(writer, { finish }) as never;
      },
      serve: async (name, generation) => {
        const before = await checkpoint();
        await stores.documents.serve(name, generation);
        steps.push([before, await checkpoint()]);
      },
    });
    let ends = 0;
    async function* subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch> {
      yield* stores.store.subscribe(options);
      // The new generation has caught up; the old one still serves, and shows more.
      if ((ends += 1) === 1) await createAndSee(`at-end-${ends}`);
    }
    const store = altered(stores.store, { subscribe });
    start(stores, { store, documents, projections: justTeams });
    await caughtUp(stores, justTeams);
    await askForRebuild(stores.store, any(teams));
    await until(async () => (await switched('teams')).length === 1);
    expect(ends).toBeGreaterThan(0);
    expect(steps).toHaveLength(2);
    for (const [before, after] of steps) expect(after).toBeGreaterThanOrEqual(before);
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(3);
  });

  it('comes to its end though something happens all the time', async () => {
    await createTeam('one');
    let n = 0;
    // Whenever the rebuild is handed a batch, the log has grown by then.
    async function* subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch> {
      for await (const batch of stores.store.subscribe(options)) {
        if (batch.events.some(({ stream }) => stream.startsWith('team-')))
          await createTeam(`busy-${(n += 1)}`);
        yield batch;
      }
    }
    start(stores, { store: altered(stores.store, { subscribe }), projections: justTeams });
    await askForRebuild(stores.store, any(teams));
    await until(async () => (await switched('teams')).length === 1);
    expect(n).toBeGreaterThan(2);
  });

  it('keeps the old generation when told so, which serves again after it has caught up, or is dropped in time', async () => {
    let clock = Date.parse('2026-05-06T07:00:00Z');
    await createTeam('one');
    start(stores, { projections: justTeams, now: () => new Date(clock) });
    await caughtUp(stores, justTeams);
    await startRebuild(stores.store, 'teams', { keepSeconds: 3_600 }, aCommand());
    await until(async () => (await switched('teams')).length === 1);
    expect(await stores.documents.generations(teams.collection.name)).toMatchObject({
      serving: { generation: 2 },
      building: [{ generation: 1 }],
    });
    const { position } = await createTeam('two');
    await visible(stores.documents, [teams.collection.name], position);
    await startRebuild(stores.store, 'teams', { back: true, keepSeconds: 60 }, aCommand());
    await until(async () => (await switched('teams')).length === 2);
    expect(await stores.documents.generations(teams.collection.name)).toMatchObject({
      serving: { generation: 1 },
      building: [{ generation: 2 }],
    });
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(2);
    clock += 61_000;
    await until(
      async () => (await stores.documents.generations(teams.collection.name)).building.length === 0,
    );
    await startRebuild(stores.store, 'teams', { back: true }, aCommand());
    const [end] = await until(async () => {
      const ends = await cancelled('teams');
      return ends.length > 0 && ends;
    });
    expect(end?.data).toMatchObject({ reason: 'No earlier generation is kept.' });
    expect((await stores.documents.generations(teams.collection.name)).serving?.generation).toBe(1);
  });

  it('gives a raised version of the projection a collection of its own', async () => {
    await createTeam('one');
    const first = start(stores, { projections: justTeams });
    await caughtUp(stores, justTeams);
    await first.stop();
    const raised = teamsThat({
      version: teams.version + 1,
      fold: (doc) => doc && { ...doc, name: doc.name.toUpperCase() },
    });
    start(stores, { projections: [raised] });
    await caughtUp(stores, [raised]);
    const names = (await documentsOf(stores.documents, raised)).map((doc) => (doc as TeamDocument).name);
    expect(names).toEqual(['TEAM ONE']);
    expect((await team('one'))?.name).not.toBe('TEAM ONE');
  });

  it('follows a raised version that is stored under the same name', async () => {
    await createTeam('one');
    const first = start(stores, { projections: justTeams });
    await caughtUp(stores, justTeams);
    await first.stop();
    const other = teamsThat({
      version: teams.version + 1,
      fold: (doc) => doc && { ...doc, name: doc.name.toUpperCase() },
    });
    const raised = [{ ...other, collection: any(teams).collection }];
    start(stores, { projections: raised });
    await until(async () => (await team('one'))?.name === 'TEAM ONE');
    expect(await stores.documents.generations(teams.collection.name)).toMatchObject({
      serving: { generation: 2, version: teams.version + 1 },
      building: [],
    });
  });

  it('happens by itself when views.db was deleted, and answers as before', async () => {
    await aBusyDay();
    const first = start(stores);
    await caughtUp(stores);
    await first.stop();
    const before = await everything(stores.documents);
    expect(Object.values(before).filter((documents) => documents.length > 0).length).toBeGreaterThan(4);
    await stores.close();
    folder.deleteViews();
    stores = folder.open();
    expect(await stores.documents.progress()).toEqual(new Map());
    start(stores);
    await caughtUp(stores);
    expect(await everything(stores.documents)).toEqual(before);
  });
});
