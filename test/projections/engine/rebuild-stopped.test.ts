import { describe, expect, it } from 'vitest';
import { cancelRebuild, startRebuild } from '../../../src/commands/rebuild.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { teams } from '../../../src/projections/teams.ts';
import { visible } from '../../../src/projections/engine/read-your-writes.ts';
import { StoreError } from '../../../src/stores/errors.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { askForRebuild, caughtUp, documentsOf } from '../../support/projector.ts';
import { projectorsInAFolder } from '../../support/projector-suite.ts';
import type { Stores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { any, justTeams, teamsIn, teamsThat } from './teams-under-test.ts';

let stores: Stores;
const start = projectorsInAFolder((opened) => ({ stores } = opened));
/** The documents of the read model in its version. */
const shown = teams.collection.name;
const { createTeam, team, failureOf, switched, cancelled, gated } = teamsIn(() => stores);

describe('a rebuild', () => {
  it('that is cancelled drops its generation, and the next one begins anew', async () => {
    await createTeam('one');
    const first = start(stores, { projections: justTeams });
    await caughtUp(stores, justTeams);
    await first.stop();
    const { store, waiting, open } = gated();
    start(stores, { store, projections: justTeams });
    await askForRebuild(stores.store, any(teams));
    await waiting;
    await cancelRebuild(stores.store, 'teams', aCommand());
    await until(async () => (await stores.documents.generations(shown)).building.length === 0);
    open();
    const { position } = await createTeam('two');
    await visible(stores.documents, [shown], position);
    expect((await stores.documents.generations(shown)).serving?.generation).toBe(1);
    expect(await switched('teams')).toEqual([]);
    await askForRebuild(stores.store, any(teams));
    await until(async () => (await switched('teams')).length === 1);
    expect(await cancelled('teams')).toHaveLength(1);
  });

  it('that is cancelled beside another one leaves the other one alone', async () => {
    await createTeam('one');
    const both = [any(teams), any(resources)];
    const first = start(stores, { projections: both });
    await caughtUp(stores, both);
    await first.stop();
    const { store, waiting, open } = gated();
    start(stores, { store, projections: both });
    for (const each of both) await askForRebuild(stores.store, each);
    await waiting;
    await cancelRebuild(stores.store, 'teams', aCommand());
    await until(async () => (await stores.documents.generations(shown)).building.length === 0);
    open();
    await until(async () => (await switched('resources')).length === 1);
    expect(await switched('teams')).toEqual([]);
  });

  it('that keeps failing can be cancelled while it waits, and its failure is gone', async () => {
    let broken = false;
    const fragile = teamsThat({
      fold: (doc) => {
        if (broken) throw new Error('not this time');
        return doc;
      },
    });
    await createTeam('one');
    start(stores, { projections: [fragile], retryMs: 60_000 });
    await caughtUp(stores, [fragile]);
    broken = true;
    await askForRebuild(stores.store, fragile);
    expect(await until(() => failureOf(fragile))).toMatchObject({ rebuilding: true });
    broken = false;
    await cancelRebuild(stores.store, 'teams', aCommand());
    await until(async () => (await failureOf(fragile)) === undefined);
    expect((await stores.documents.generations(shown)).building).toEqual([]);
  });

  it('that was cancelled or never asked for while nothing ran is dropped at the next start', async () => {
    await createTeam('one');
    const { store, waiting } = gated();
    const ready = start(stores, { projections: justTeams });
    await caughtUp(stores, justTeams);
    await ready.stop();
    const first = start(stores, { store, projections: justTeams });
    await askForRebuild(stores.store, any(teams));
    await waiting;
    await first.stop();
    await cancelRebuild(stores.store, 'teams', aCommand());
    expect((await stores.documents.generations(shown)).building).toHaveLength(1);
    start(stores, { projections: justTeams });
    await until(async () => (await stores.documents.generations(shown)).building.length === 0);
    expect((await stores.documents.generations(shown)).serving?.generation).toBe(1);
  });

  it.each([{ full: false }, { full: true }])(
    'that shows something else than the log is stopped, and names the document (full: $full)',
    async ({ full }) => {
      for (const slug of ['one', 'two', 'three']) await createTeam(slug);
      const documents = altered(stores.documents, {
        commit: async (writes, checkpoint) => {
          const wrong = writes.map((write) => ({
            ...write,
            changes: write.changes.map((change) =>
              change.id === 'two' && isNew(write.writer)
                ? { ...change, doc: { ...change.doc, name: 'Somebody else' } }
                : change,
            ),
          }));
          await stores.documents.commit(wrong, checkpoint);
        },
        writer: async (...of) => {
          const writer = await stores.documents.writer(...of);
          if (of[1] > 1) news.add(writer);
          return writer as never;
        },
      });
      const news = new Set<unknown>();
      const isNew = (writer: unknown) => news.has(writer);
      start(stores, { documents, projections: justTeams });
      await caughtUp(stores, justTeams);
      await startRebuild(stores.store, 'teams', { full }, aCommand());
      const [end] = await until(async () => {
        const ends = await cancelled('teams');
        return ends.length > 0 && ends;
      });
      expect(end?.data).toEqual({
        projection: 'teams',
        document: 'two',
        reason: `The new generation of ${shown} differs from the log: document two differs in name.`,
      });
      expect(await failureOf(any(teams))).toMatchObject({
        rebuilding: true,
        error: `The new generation of ${shown} differs from the log: document two differs in name.`,
      });
      expect(await stores.documents.generations(shown)).toMatchObject({
        serving: { generation: 1 },
        building: [],
      });
      const { position } = await createTeam('after');
      await visible(stores.documents, [shown], position);
      expect((await team('two'))?.name).toBe('Team two');
      news.clear();
      await startRebuild(stores.store, 'teams', {}, aCommand());
      await until(async () => (await failureOf(any(teams))) === undefined);
    },
  );

  it('in full finds a document too many', async () => {
    for (const slug of ['one', 'two']) await createTeam(slug);
    start(stores, {
      projections: justTeams,
      documents: altered(stores.documents, {
        writer: async (...of) => {
          const writer = await stores.documents.writer(...of);
          if (of[1] === 2)
            await writer.write([{ id: 'ghost', doc: { team: 'ghost' } as never, position: 1n }], -1n);
          return writer as never;
        },
      }),
    });
    await caughtUp(stores, justTeams);
    await startRebuild(stores.store, 'teams', { full: true }, aCommand());
    const [end] = await until(async () => {
      const ends = await cancelled('teams');
      return ends.length > 0 && ends;
    });
    expect(end?.data).toMatchObject({
      reason: `The new generation of ${shown} differs from the log: it has 3 documents, the log makes 2.`,
    });
  });

  it('that fails says so while the old generation serves on, and succeeds once it can', async () => {
    let broken = false;
    const fragile = teamsThat({
      fold: (doc, slug) => {
        if (broken && slug === 'one') throw new Error('not this time');
        return doc;
      },
    });
    await createTeam('one');
    start(stores, { projections: [fragile] });
    await caughtUp(stores, [fragile]);
    broken = true;
    await askForRebuild(stores.store, fragile);
    expect(await until(() => failureOf(fragile))).toMatchObject({
      error: expect.stringContaining('not this time') as string,
    });
    const { position } = await createTeam('two');
    await visible(stores.documents, [shown], position);
    expect(await team('one')).toBeDefined();
    expect(await team('two')).toBeDefined();
    const { serving, building } = await stores.documents.generations(shown);
    expect(serving?.generation).toBe(1);
    // However often it was tried, not more than the attempt at hand takes room.
    expect(building.length).toBeLessThanOrEqual(1);
    broken = false;
    await until(async () => (await switched('teams')).length === 1);
    await until(async () => (await failureOf(fragile)) === undefined);
    expect(await stores.documents.generations(shown)).toMatchObject({ building: [] });
    expect(await documentsOf(stores.documents, fragile)).toMatchObject([{ team: 'one' }, { team: 'two' }]);
  });

  it('that finds no room says so while the old generation serves on, and goes on when there is room', async () => {
    for (const slug of ['one', 'two']) await createTeam(slug);
    const news = new Set<unknown>();
    let isFull = true;
    const documents = altered(stores.documents, {
      writer: async (...of) => {
        const writer = await stores.documents.writer(...of);
        if (of[1] > 1) news.add(writer);
        return writer as never;
      },
      commit: async (writes, checkpoint) => {
        if (isFull && writes.some(({ writer }) => news.has(writer)))
          throw new StoreError('full', 'views.db: no room left on the device');
        await stores.documents.commit(writes, checkpoint);
      },
    });
    start(stores, { documents, projections: justTeams });
    await caughtUp(stores, justTeams);
    await askForRebuild(stores.store, any(teams));
    expect(await until(() => failureOf(any(teams)))).toMatchObject({
      rebuilding: true,
      error: 'views.db: no room left on the device',
    });
    const { position } = await createTeam('three');
    await visible(stores.documents, [shown], position);
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(3);
    isFull = false;
    await until(async () => (await switched('teams')).length === 1);
    expect(await stores.documents.generations(shown)).toMatchObject({ serving: { generation: 2 } });
    await until(async () => (await failureOf(any(teams))) === undefined);
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(3);
  });

  it('that fails in its last step leaves the old generation following the log', async () => {
    let failing = true;
    await createTeam('one');
    const documents = altered(stores.documents, {
      serve: async (name, generation) => {
        if (generation > 1 && failing) throw new Error('no room for that');
        await stores.documents.serve(name, generation);
      },
    });
    start(stores, { documents, projections: justTeams, retryMs: 50 });
    await caughtUp(stores, justTeams);
    await askForRebuild(stores.store, any(teams));
    await until(() => failureOf(any(teams)));
    const { position } = await createTeam('two');
    await visible(stores.documents, [shown], position);
    expect(await team('two')).toBeDefined();
    failing = false;
    await until(async () => (await switched('teams')).length === 1);
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(2);
  });
});
