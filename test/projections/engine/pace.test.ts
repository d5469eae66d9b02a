import { describe, expect, it } from 'vitest';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { BulkPace } from '../../../src/projections/engine/pace.ts';
import { teams } from '../../../src/projections/teams/teams.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { all } from '../../support/fold.ts';
import { caughtUp } from '../../support/projector.ts';
import { projectorsInAFolder } from '../../support/projector-suite.ts';
import type { Stores } from '../../support/stores.ts';

let stores: Stores;
const start = projectorsInAFolder((opened) => ({ stores } = opened));

/** Longer than any test may take: a rest that nothing ends fails it. */
const long = 600_000;
const never = new AbortController().signal;
const prompt = all.filter((each) => !each.deferred);

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
