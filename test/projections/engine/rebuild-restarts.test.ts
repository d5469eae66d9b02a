import { describe, expect, it } from 'vitest';
import { teams } from '../../../src/projections/teams.ts';
import { StoreError } from '../../../src/stores/errors.ts';
import type { EventBatch, SubscribeOptions } from '../../../src/stores/event-store/port.ts';
import { altered } from '../../support/altered.ts';
import { askForRebuild, caughtUp, documentsOf } from '../../support/projector.ts';
import { projectorsInAFolder } from '../../support/projector-suite.ts';
import type { DataFolder, Stores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { any, justTeams, teamsIn, teamsThat } from './teams-under-test.ts';

let folder: DataFolder;
let stores: Stores;
const start = projectorsInAFolder((opened) => ({ folder, stores } = opened));
const { createTeam, switched, aBusyDay, gated } = teamsIn(() => stores);

describe('a rebuild', () => {
  /** A store whose reader of the whole log stops after some events of these streams, until the signal aborts. */
  function stoppingAfter(count: number, prefix: string) {
    let reached: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      reached = resolve;
    });
    async function* subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch> {
      let seen = 0;
      if (!options.filter) yield* stores.store.subscribe(options);
      else
        for await (const batch of stores.store.subscribe({ ...options, batchSize: 1 })) {
          if (seen >= count) {
            reached();
            await new Promise<void>((resolve) =>
              options.signal.addEventListener('abort', () => resolve(), { once: true }),
            );
            return;
          }
          seen += batch.events.filter(({ stream }) => stream.startsWith(prefix)).length;
          yield batch;
        }
    }
    return { waiting, store: altered(stores.store, { subscribe }) };
  }

  it('goes on where it was when the next projector takes over, and reads nothing twice but to verify', async () => {
    for (let n = 0; n < 10; n++) await createTeam(`team-${n}`);
    const folded: string[] = [];
    const counting = [teamsThat({ fold: (doc, slug) => (folded.push(slug), doc) })];
    const first = start(stores, { projections: counting });
    await caughtUp(stores, counting);
    await first.stop();
    const { store, waiting } = stoppingAfter(6, 'team-');
    const second = start(stores, { store, projections: counting });
    await caughtUp(stores, counting);
    await askForRebuild(stores.store, any(teams));
    await waiting;
    const half = await until(
      async () => (await stores.documents.generations(teams.collection.name)).building[0],
    );
    expect(half.checkpoint).toBeGreaterThan(3n);
    await second.stop();
    await stores.close();
    stores = folder.open();
    const loaded: bigint[] = [];
    const documents = altered(stores.documents, {
      writer: async (...of) => {
        const writer = await stores.documents.writer(...of);
        if (of[1] === half.generation) loaded.push(writer.checkpoint);
        return writer as never;
      },
    });
    start(stores, { documents, projections: counting });
    await until(async () => (await switched('teams')).length === 1);
    expect((await switched('teams'))[0]?.data).toMatchObject({
      generation: half.generation,
      documents: 10,
      verified: 10,
    });
    expect(loaded).toEqual([half.checkpoint]);
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(10);
  });

  it('whose switch was not recorded before a crash is recorded by the next start, and not done again', async () => {
    await createTeam('one');
    const store = altered(stores.store, {
      append: async (...of) => {
        if (of[1][0]?.type === 'GenerationSwitched') throw new StoreError('unavailable', 'the store is away');
        return stores.store.append(...of);
      },
    });
    const first = start(stores, { store, projections: justTeams });
    await caughtUp(stores, justTeams);
    await askForRebuild(stores.store, any(teams));
    await until(
      async () => (await stores.documents.generations(teams.collection.name)).serving?.generation === 2,
    );
    await first.stop();
    start(stores, { projections: justTeams });
    await until(async () => (await switched('teams')).length === 1);
    await caughtUp(stores, justTeams);
    expect((await stores.documents.generations(teams.collection.name)).serving?.generation).toBe(2);
  });

  it('that was stopped in the middle is done by the next start', async () => {
    await aBusyDay();
    const first = start(stores, { projections: justTeams });
    await caughtUp(stores, justTeams);
    await first.stop();
    const before = await documentsOf(stores.documents, any(teams));
    const { store, waiting } = gated();
    const second = start(stores, { store, projections: justTeams });
    await askForRebuild(stores.store, any(teams));
    await waiting;
    await second.stop();
    expect(await stores.documents.generations(teams.collection.name)).toMatchObject({
      serving: { generation: 1 },
      building: [{}],
    });
    await stores.close();
    stores = folder.open();
    start(stores, { projections: justTeams });
    await until(async () => (await switched('teams')).length === 1);
    expect(await stores.documents.generations(teams.collection.name)).toMatchObject({ building: [] });
    expect((await stores.documents.generations(teams.collection.name)).serving?.generation).toBeGreaterThan(
      1,
    );
    expect(await documentsOf(stores.documents, any(teams))).toEqual(before);
  });

  it('is not done again by the next start', async () => {
    await createTeam('one');
    const first = start(stores, { projections: justTeams });
    await askForRebuild(stores.store, any(teams));
    await until(async () => (await switched('teams')).length === 1);
    await first.stop();
    start(stores, { projections: justTeams });
    await createTeam('two');
    await caughtUp(stores, justTeams);
    await askForRebuild(stores.store, any(teams));
    await until(async () => (await switched('teams')).length > 1);
    expect((await switched('teams')).map(({ data }) => (data as { generation: number }).generation)).toEqual([
      2, 3,
    ]);
  });
});
