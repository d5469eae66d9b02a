import { describe, expect, it } from 'vitest';
import { submitResource } from '../../../src/commands/directory/resource.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { BulkPace, leisurely } from '../../../src/projections/engine/pace.ts';
import { teams } from '../../../src/projections/teams.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { all } from '../../support/fold.ts';
import { caughtUp } from '../../support/projector.ts';
import { pantryFields } from '../../support/samples.ts';
import { projectorsInAFolder } from '../../support/projector-suite.ts';
import { until } from '../../support/until.ts';
import type { Stores } from '../../support/stores.ts';

let stores: Stores;
const start = projectorsInAFolder((opened) => ({ stores } = opened));

/** Longer than any test may take: a rest that nothing ends fails it. */
const long = 600_000;
const never = new AbortController().signal;
const prompt = all.filter((each) => !each.deferred);
const awaited = all.filter((each) => each.awaited !== false);

describe('the pace of a command that changes much', () => {
  it('ends its rest when somebody waits, and rests no more until then', async () => {
    const pace = new BulkPace(long);
    const resting = pace.rest(never);
    const shown = Promise.withResolvers<string>();
    const waiting = pace.hurried(shown.promise);
    await resting;
    await pace.rest(never);
    shown.resolve('shown');
    expect(await waiting).toBe('shown');
  });

  it('rests again when nobody waits any more, until it is stopped', async () => {
    const pace = new BulkPace(long);
    await pace.hurried(Promise.reject(new Error('not shown'))).catch(() => undefined);
    const stop = new AbortController();
    let rested = false;
    const resting = pace.rest(stop.signal).then(() => (rested = true));
    await new Promise(setImmediate);
    expect(rested).toBe(false);
    stop.abort();
    await resting;
  });

  it('writes what is appended during a rest in one commit', async () => {
    const commits: number[] = [];
    const documents = altered(stores.documents, {
      commit: async (writes, checkpoint) => {
        commits.push(writes.reduce((sum, { changes }) => sum + changes.length, 0));
        await stores.documents.commit(writes, checkpoint);
      },
    });
    const pace = new BulkPace(long);
    const began = Promise.withResolvers<undefined>();
    const watched = {
      roundMs: pace.roundMs,
      batchSize: pace.batchSize,
      rest(signal: AbortSignal) {
        began.resolve(undefined);
        return pace.rest(signal);
      },
    };
    const create = (slug: string) =>
      commandTeam(stores.store, { kind: 'create', team: slug, name: `Team ${slug}` }, aCommand());
    await create('one');
    start(stores, { documents, projections: prompt, pace: watched });
    await began.promise;
    const before = commits.length;
    for (const slug of ['two', 'three', 'four']) await create(slug);
    expect(commits).toHaveLength(before);
    await pace.hurried(caughtUp(stores, prompt));
    expect(commits.slice(before).filter((changed) => changed > 0)).toEqual([3]);
    expect(await stores.documents.collection(teams.collection).get('four')).toBeDefined();
  });
});

describe('a read model that no command waits for', () => {
  it('does not hold up an expensive one that commands wait for', async () => {
    const stuck = Promise.withResolvers<undefined>();
    let holding = false;
    let held = 0;
    const documents = altered(stores.documents, {
      commit: async (writes, checkpoint) => {
        const docs = writes.flatMap(({ changes }) => changes.map(({ doc }) => doc ?? {}));
        if (holding && docs.some((doc) => 'stream' in doc && 'revision' in doc)) {
          held += 1;
          await stuck.promise;
        }
        await stores.documents.commit(writes, checkpoint);
      },
    });
    const submit = () => submitResource(stores, { team: 'harbour', fields: pantryFields }, aCommand());
    await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, aCommand());
    start(stores, { documents });
    await caughtUp(stores);
    holding = true;
    await submit();
    await caughtUp(stores, awaited);
    await until(() => held === 1);
    stuck.resolve(undefined);
    await caughtUp(stores);
  });

  it('rests a quarter of a second after each commit, and not once it is told to stop', async () => {
    const committedAt: number[] = [];
    const documents = altered(stores.documents, {
      commit: async (writes, checkpoint) => {
        await stores.documents.commit(writes, checkpoint);
        const docs = writes.flatMap(({ changes }) => changes.map(({ doc }) => doc ?? {}));
        if (docs.some((doc) => 'stream' in doc && 'revision' in doc)) committedAt.push(performance.now());
      },
    });
    start(stores, { documents, pace: undefined });
    for (const [n, slug] of ['one', 'two', 'three'].entries()) {
      await commandTeam(stores.store, { kind: 'create', team: slug, name: slug }, aCommand());
      await until(() => committedAt.length === n + 1);
    }
    // A timer may fire a little before its time.
    for (const [n, at] of committedAt.slice(1).entries())
      expect(at - (committedAt[n] ?? 0)).toBeGreaterThanOrEqual(245);

    const began = performance.now();
    await leisurely.rest(AbortSignal.abort());
    expect(performance.now() - began).toBeLessThan(200);
  });
});
