import { beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/events/ids.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { apiKeys } from '../../../src/projections/keys.ts';
import { teams } from '../../../src/projections/teams.ts';
import { statusOf, visible } from '../../../src/projections/engine/read-your-writes.ts';
import { askForRetry } from '../../../src/projections/engine/retry-requests.ts';
import { aCommand } from '../../support/context.ts';
import { all } from '../../support/fold.ts';
import { caughtUp } from '../../support/projector.ts';
import { projectorsInAFolder } from '../../support/projector-suite.ts';
import type { Stores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { any, teamsIn, teamsThat } from './teams-under-test.ts';

let stores: Stores;
const start = projectorsInAFolder((opened) => ({ stores } = opened));
const { createTeam, team, checkpointOf, failureOf } = teamsIn(() => stores);

describe('a projection that cannot fold an event', () => {
  let broken: boolean;
  let attempts: number;
  const fragile = teamsThat({
    fold: (doc, slug) => {
      if (slug === 'poison') attempts += 1;
      if (broken && slug === 'poison') throw new Error('no idea what that is');
      return doc;
    },
  });
  const withFragile = all.map((each) => (each.collection.name === teams.collection.name ? fragile : each));

  beforeEach(() => {
    broken = true;
    attempts = 0;
  });

  it('stands still, says why and since when, and the others go on', async () => {
    await createTeam('fine');
    start(stores, { projections: withFragile, now: () => new Date('2026-05-06T07:08:09Z') });
    await caughtUp(stores);
    await createTeam('poison');
    const { position } = await createTeam('after');
    const failure = await until(() => failureOf(fragile));
    expect(failure).toEqual({
      error: `${teams.collection.name} cannot fold TeamCreated (team-poison, revision 0): no idea what that is`,
      event: 'TeamCreated',
      at: { id: expect.any(String) as string, type: 'TeamCreated', stream: 'team-poison', revision: 0 },
      unknown: false,
      since: '2026-05-06T07:08:09.000Z',
    });
    await visible(stores.documents, [resources.collection.name, apiKeys.collection.name], position);
    expect(await team('after')).toBeUndefined();
    expect(await checkpointOf(teams.collection.name)).toBeLessThan(position - 1n);
    const [status, ...others] = await statusOf(stores, withFragile);
    expect(status).toMatchObject({ name: teams.collection.name, lag: 2 });
    for (const other of others) expect(other.failure, other.name).toBeUndefined();
  });

  it('goes on by itself when it can again, has skipped nothing, and says nothing more', async () => {
    start(stores, { projections: [fragile] });
    for (const slug of ['before', 'poison', 'after']) await createTeam(slug);
    await until(() => failureOf(fragile));
    broken = false;
    await caughtUp(stores, [fragile]);
    for (const slug of ['before', 'poison', 'after']) expect(await team(slug), slug).toBeDefined();
    await until(async () => (await failureOf(fragile)) === undefined);
    expect((await statusOf(stores, [fragile]))[0]).toMatchObject({ lag: 0 });
  });

  it('says since when it stands still, however often it has tried again', async () => {
    let clock = Date.parse('2026-05-06T07:00:00Z');
    start(stores, { projections: [fragile], now: () => new Date((clock += 1_000)) });
    await createTeam('poison');
    const first = await until(() => failureOf(fragile));
    const before = attempts;
    await until(() => attempts > before + 3);
    expect(await failureOf(fragile)).toEqual(first);
  });

  it('is tried at once when somebody asks for it, however long it would wait', async () => {
    start(stores, { projections: [fragile], retryMs: 60_000 });
    await caughtUp(stores, [fragile]);
    const { position } = await createTeam('poison');
    await until(() => failureOf(fragile));
    broken = false;
    await askForRetry(stores.side, any(apiKeys), new Date());
    await askForRetry(stores.side, fragile, new Date());
    await visible(stores.documents, [teams.collection.name], position);
    expect(attempts).toBe(2);
    await until(async () => (await failureOf(fragile)) === undefined);
  });

  it('stands still before an event that a newer version wrote', async () => {
    const newer = aCommand();
    const stream = 'team-newer';
    const event = {
      id: uuidOf(newer.commandId, stream, '0'),
      type: 'TeamCreated',
      data: { team: 'newer', title: 'Newer' },
      metadata: {
        commonweal_schema: 2,
        actor: newer.actor,
        command_id: newer.commandId,
        at: newer.at.toISOString(),
      },
    };
    await stores.store.append(stream, [event], 'no_stream');
    const { position } = await createTeam('after');
    start(stores);
    await visible(stores.documents, [apiKeys.collection.name, resources.collection.name], position);
    expect(await until(() => failureOf(any(teams)))).toMatchObject({
      error: `${teams.collection.name} cannot fold TeamCreated (team-newer, revision 0): TeamCreated (schema 2) is unknown to this version of Commonweal.`,
    });
    expect(await team('after')).toBeUndefined();
  });

  it('is the only one to stop when its own stream holds what a newer version wrote', async () => {
    start(stores);
    await caughtUp(stores);
    const event = {
      id: crypto.randomUUID(),
      type: 'RebuildStarted',
      data: {},
      metadata: { commonweal_schema: 99 },
    };
    await stores.store.append('projection-teams', [event], 'any');
    await until(() => failureOf(any(teams)));
    const { position } = await createTeam('harbour');
    await visible(
      stores.documents,
      [teams.collection.name, apiKeys.collection.name, resources.collection.name],
      position,
    );
    expect(await team('harbour')).toBeDefined();
  });
});
