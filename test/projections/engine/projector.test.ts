import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { cancelRebuild, startRebuild } from '../../../src/commands/rebuild.ts';
import { createApiKey } from '../../../src/commands/keys/api-key.ts';
import { commandResource, submitResource } from '../../../src/commands/directory/resource.ts';
import { createSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { uuidOf } from '../../../src/events/ids.ts';
import { modelOf, projection, type AnyProjection } from '../../../src/projections/engine/define.ts';
import { projectingLease } from '../../../src/projections/engine/projecting-lease.ts';
import { foldLog } from '../../support/fold-log.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { deliveries } from '../../../src/projections/webhooks/deliveries.ts';
import { apiKeys } from '../../../src/projections/keys/api-keys.ts';
import { foreignEvents } from '../../../src/projections/engine/foreign-events.ts';
import { teams, type TeamDocument } from '../../../src/projections/teams/teams.ts';
import { NotYetVisible, statusOf, visible } from '../../../src/projections/engine/read-your-writes.ts';
import { askForRetry } from '../../../src/projections/engine/retry-requests.ts';
import { NodeRegistry } from '../../../src/stores/nodes/registry.ts';
import { StoreError } from '../../../src/stores/errors.ts';
import type { CollectionWriter } from '../../../src/stores/documents/port.ts';
import type { EventBatch, SubscribeOptions } from '../../../src/stores/event-store/port.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { all } from '../../support/fold.ts';
import { askForRebuild, caughtUp, documentsOf, everything } from '../../support/projector.ts';
import { projectorsInAFolder } from '../../support/projector-suite.ts';
import { pantryFields } from '../../support/samples.ts';
import type { DataFolder, Stores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

let folder: DataFolder;
let stores: Stores;
const start = projectorsInAFolder((opened) => ({ folder, stores } = opened));

const createTeam = (slug: string, into = stores) =>
  commandTeam(into.store, { kind: 'create', team: slug, name: `Team ${slug}` }, aCommand());
const team = (slug: string, from = stores) => from.documents.collection(teams.collection).get(slug);
const any = (each: unknown) => each as AnyProjection;
const justTeams = [any(teams)];
const checkpointOf = async (name: string) => (await stores.documents.progress()).get(name)?.checkpoint;
const failureOf = async (each: AnyProjection) => (await statusOf(stores, [each]))[0]?.failure;

/** Teams, told apart by who folds them or how. */
const teamsThat = (rest: {
  version?: number;
  fold?: (doc: TeamDocument | undefined, slug: string) => TeamDocument | undefined;
}) =>
  any(
    projection({
      ...teams,
      version: rest.version ?? teams.version,
      fold: (doc, event) => {
        const folded = teams.fold(doc, event);
        return rest.fold ? rest.fold(folded, event.data.team) : folded;
      },
    }),
  );

/** Some of everything that there is to project. */
async function aBusyDay(): Promise<void> {
  for (const slug of ['harbour', 'inland']) await createTeam(slug);
  await commandTeam(
    stores.store,
    { kind: 'enable-scopes', team: 'harbour', scopes: ['audit:read'] },
    aCommand(),
  );
  for (let n = 0; n < 6; n++) {
    const { state } = await submitResource(
      stores,
      { team: 'harbour', fields: { ...pantryFields, name: `Pantry ${n}` } },
      aCommand(),
    );
    const svcId = state?.svc_id ?? '';
    if (n % 3 > 0) await commandResource(stores, svcId, { kind: 'approve' }, aCommand());
    if (n % 3 === 2) await commandResource(stores, svcId, { kind: 'deactivate' }, aCommand());
  }
  await createApiKey(
    stores.store,
    { kind: 'developer', scopes: ['resources:read'], domains: [] },
    new Uint8Array(32),
    aCommand(),
  );
  const wish = { team: 'harbour', url: 'https://example.org/', events: ['resource.approved'] } as const;
  await createSubscription(stores, wish, 'whsec_x', aCommand());
}

describe('a projection', () => {
  it('catches up with what stands in the log, and then follows it', async () => {
    await createTeam('early');
    start(stores);
    await caughtUp(stores);
    expect(await team('early')).toMatchObject({ name: 'Team early' });
    const { position } = await createTeam('late');
    await visible(stores.documents, ['teams'], position);
    expect(await team('late')).toMatchObject({ name: 'Team late' });
  });

  it('follows what another process appends', async () => {
    start(stores);
    const other = folder.open();
    const { position } = await createTeam('elsewhere', other);
    await visible(other.documents, ['teams'], position);
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
    expect((await stores.documents.generations('teams')).serving?.generation).toBe(1);
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
    expect(after['teams']).toMatchObject([{ team: 'harbour' }]);
    expect((await stores.documents.generations('teams')).serving?.generation).toBe(1);
    for (const { failure } of await statusOf(stores, all)) expect(failure).toBeUndefined();
  });
});

describe('a change just made', () => {
  it('is seen by whoever waits for its position, every time', async () => {
    start(stores);
    for (let n = 0; n < 50; n++) {
      const { position } = await createTeam(`team-${n}`);
      await visible(stores.documents, ['teams'], position);
      expect(await team(`team-${n}`)).toBeDefined();
    }
  });

  it('is waited for no longer than told, and then the late read models are named', async () => {
    const { position } = await createTeam('harbour');
    const began = performance.now();
    const waiting = visible(stores.documents, ['teams', apiKeys.collection.name], position, 50);
    await expect(waiting).rejects.toThrow(NotYetVisible);
    await expect(waiting).rejects.toThrow(
      'The change is recorded, but not visible yet in: teams, api-keys. Try again in a moment.',
    );
    expect(performance.now() - began).toBeGreaterThanOrEqual(45);
  });

  it('is seen by asking again, once there is a projector', async () => {
    const { position } = await createTeam('harbour');
    await expect(visible(stores.documents, ['teams'], position, 0)).rejects.toThrow(NotYetVisible);
    start(stores);
    await visible(stores.documents, ['teams'], position);
    expect(await team('harbour')).toBeDefined();
  });

  it('is not waited for where it is to be seen already', async () => {
    start(stores);
    const { position } = await createTeam('harbour');
    await visible(stores.documents, ['teams'], position);
    await visible(stores.documents, ['teams'], position, 0);
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
          await visible(stores.documents, ['teams'], position);
        }
        return progress;
      },
      changed: () => new Promise<void>(() => undefined),
    });
    await visible(documents, ['teams'], position);
    expect(looked).toBe(true);
  });
});

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
  const withFragile = all.map((each) => (each.collection.name === 'teams' ? fragile : each));

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
      error: 'teams cannot fold TeamCreated (team-poison, revision 0): no idea what that is',
      event: 'TeamCreated',
      at: { id: expect.any(String) as string, type: 'TeamCreated', stream: 'team-poison', revision: 0 },
      unknown: false,
      since: '2026-05-06T07:08:09.000Z',
    });
    await visible(stores.documents, [resources.collection.name, apiKeys.collection.name], position);
    expect(await team('after')).toBeUndefined();
    expect(await checkpointOf('teams')).toBeLessThan(position - 1n);
    const [status, ...others] = await statusOf(stores, withFragile);
    expect(status).toMatchObject({ name: 'teams', lag: 2 });
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
    await visible(stores.documents, ['teams'], position);
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
      error:
        'teams cannot fold TeamCreated (team-newer, revision 0): TeamCreated (schema 2) is unknown to this version of Commonweal.',
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
    await visible(stores.documents, ['teams', apiKeys.collection.name, resources.collection.name], position);
    expect(await team('harbour')).toBeDefined();
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
    await until(async () => (await stores.documents.progress()).get('teams')?.generation === 2);
    expect(await foreignEvents(stores.side)).toMatchObject({
      count: 3,
      newest: { type: 'TeamCreated', stream: 'orders-1' },
    });
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(1);
  });
});

describe('of two projectors', () => {
  it('one works and the other takes over when it stops', async () => {
    const workers: string[] = [];
    const by = (worker: string) => [teamsThat({ fold: (doc) => (workers.push(worker), doc) })];
    const other = folder.open();
    const first = start(stores, { projections: by('first') });
    await createTeam('one');
    await caughtUp(stores, justTeams);
    start(other, { projections: by('second') });
    for (let n = 0; n < 20; n++) {
      await createTeam(`team-${n}`);
      await caughtUp(stores, justTeams);
    }
    expect(workers).toEqual(Array.from({ length: 21 }, () => 'first'));
    await first.stop();
    await createTeam('two');
    await caughtUp(stores, justTeams);
    expect(workers.slice(21)).toEqual(['second']);
  });

  it('the second one begins only when the first has written its last', async () => {
    const log: string[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = altered(stores.documents, {
      commit: async (writes, checkpoint) => {
        const something = writes.some(({ changes }) => changes.length > 0);
        if (something) {
          log.push('first begins to write');
          await held;
        }
        await stores.documents.commit(writes, checkpoint);
        if (something) log.push('first has written');
      },
    });
    const first = start(stores, { documents: slow, projections: justTeams });
    await createTeam('one');
    await until(() => log.length > 0);
    const stopping = first.stop();
    const other = folder.open();
    start(other, { projections: [teamsThat({ fold: (doc) => (log.push('second folds'), doc) })] });
    await createTeam('two');
    expect(await other.leases.tryAcquire(projectingLease)).toBeUndefined();
    release();
    await stopping;
    await caughtUp(stores, justTeams);
    expect(log).toEqual(['first begins to write', 'first has written', 'second folds']);
  });

  it('the one that loses its lease stops, and goes on when it gets it back', async () => {
    const losing: AbortController[] = [];
    const leases = altered(stores.leases, {
      acquire: async (...of) => {
        const lease = await stores.leases.acquire(...of);
        if (of[0] !== projectingLease) return lease;
        const lost = new AbortController();
        losing.push(lost);
        return lease && altered(lease, { lost: lost.signal });
      },
    });
    start({ ...stores, leases }, { projections: justTeams });
    for (const slug of ['one', 'two', 'three']) {
      await createTeam(slug);
      await caughtUp(stores, justTeams);
      losing.at(-1)?.abort();
    }
    await until(() => losing.length === 4);
    await createTeam('four');
    await caughtUp(stores, justTeams);
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(4);
  });

  it('the one that a store tells of a later holder asks for its lease anew, and nothing has failed', async () => {
    const epochs: (number | undefined)[] = [];
    let epoch = 6;
    const leases = altered(stores.leases, {
      acquire: async (...of) => {
        const lease = await stores.leases.acquire(...of);
        if (of[0] !== projectingLease) return lease;
        return lease && altered(lease, { epoch: (epoch += 1) });
      },
    });
    const documents = altered(stores.documents, {
      writer: async (...of) => {
        epochs.push(of[2]);
        return stores.documents.writer(...of) as never;
      },
      commit: async (writes, checkpoint) => {
        if (epoch === 7) throw new StoreError('fenced', 'teams is written under epoch 8');
        await stores.documents.commit(writes, checkpoint);
      },
    });
    const nodes = new NodeRegistry(() => stores.side);
    start({ ...stores, leases, documents }, { projections: justTeams, nodes });
    await createTeam('one');
    await caughtUp(stores, justTeams);
    expect(epochs).toEqual([7, 8]);
    expect(await failureOf(any(teams))).toBeUndefined();
  });

  it('neither begins while the other still writes, though that one is failing', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let writing = false;
    const documents = altered(stores.documents, {
      commit: async (writes, checkpoint) => {
        writing = true;
        await held;
        await stores.documents.commit(writes, checkpoint);
      },
    });
    // The second tail fails for good while the first is writing.
    async function* subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch> {
      if (!options.filter) {
        yield* stores.store.subscribe(options);
        return;
      }
      await until(() => writing);
      throw new StoreError('replaced', 'views.db was replaced');
    }
    const store = altered(stores.store, { subscribe });
    const deferred = all.filter((each) => each.deferred);
    const failing = start(stores, { documents, store, projections: [any(teams), ...deferred] });
    await createTeam('one');
    await until(() => writing);
    const { leases } = folder.open();
    for (let n = 0; n < 50; n++) {
      await createTeam(`team-${n}`);
      expect(await leases.tryAcquire(projectingLease)).toBeUndefined();
    }
    release();
    await expect(failing.ended).rejects.toMatchObject({ code: 'replaced' });
    expect(await leases.tryAcquire(projectingLease)).toBeDefined();
  });

  it('ends with an error when the files of the read models are exchanged under it', async () => {
    const projector = start(stores);
    await caughtUp(stores);
    rmSync(join(folder.path, 'views.db'));
    const ended = projector.ended.then(
      () => 'without an error',
      (error: unknown) => error,
    );
    let over: unknown;
    void ended.then((how) => (over = how));
    for (let n = 0; over === undefined; n++) {
      await createTeam(`team-${n}`);
      await until(() => true);
    }
    expect(over).toMatchObject({ code: 'replaced' });
    expect(await folder.open().leases.tryAcquire(projectingLease)).toBeDefined();
  });
});

describe('a rebuild', () => {
  const switched = async (name: string) =>
    (await stores.store.readStream(`projection-${name}`)).filter(({ type }) => type === 'GenerationSwitched');

  /** A store whose log can be read from the first event only once the gate is open. */
  function gated() {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let reached: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      reached = resolve;
    });
    async function* subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch> {
      if (options.after === -1n) {
        reached();
        const aborted = new Promise<void>((resolve) =>
          options.signal.addEventListener('abort', () => resolve()),
        );
        await Promise.race([gate, aborted]);
      }
      yield* stores.store.subscribe(options);
    }
    return { open, waiting, store: altered(stores.store, { subscribe }) };
  }

  it('is begun by an event, ends with one, and answers as before', async () => {
    await aBusyDay();
    start(stores);
    await caughtUp(stores);
    // The index of the audit log also has the events of the rebuilds.
    const documents = async () => {
      const { 'audit-events': index = [], ...rest } = await everything(stores.documents);
      const isRebuild = (doc: unknown) => (doc as { stream: string }).stream.startsWith('projection-');
      return { ...rest, 'audit-events': index.filter((doc) => !isRebuild(doc)) };
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
    await visible(stores.documents, ['teams'], position);
    expect(await team('one')).toBeDefined();
    expect(await team('meanwhile')).toBeDefined();
    expect(await stores.documents.generations('teams')).toMatchObject({
      serving: { generation: 1 },
      building: [{ generation: 2 }],
    });
    open();
    await until(async () => (await switched('teams')).length === 1);
    expect(await team('meanwhile')).toBeDefined();
    expect(await stores.documents.generations('teams')).toMatchObject({
      serving: { generation: 2 },
      building: [],
    });
  });

  it('never takes back what has been seen, though more happened at its very end', async () => {
    await createTeam('one');
    const steps: [before: bigint, after: bigint][] = [];
    const checkpoint = async () => (await checkpointOf('teams')) ?? -1n;
    const createAndSee = async (slug: string) => {
      const { position } = await createTeam(slug);
      await visible(stores.documents, ['teams'], position);
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
    const half = await until(async () => (await stores.documents.generations('teams')).building[0]);
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
    await until(async () => (await stores.documents.generations('teams')).serving?.generation === 2);
    await first.stop();
    start(stores, { projections: justTeams });
    await until(async () => (await switched('teams')).length === 1);
    await caughtUp(stores, justTeams);
    expect((await stores.documents.generations('teams')).serving?.generation).toBe(2);
  });

  const cancelled = async (name: string) =>
    (await stores.store.readStream(`projection-${name}`)).filter(({ type }) => type === 'RebuildCancelled');

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
    await until(async () => (await stores.documents.generations('teams')).building.length === 0);
    open();
    const { position } = await createTeam('two');
    await visible(stores.documents, ['teams'], position);
    expect((await stores.documents.generations('teams')).serving?.generation).toBe(1);
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
    await until(async () => (await stores.documents.generations('teams')).building.length === 0);
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
    expect((await stores.documents.generations('teams')).building).toEqual([]);
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
    expect((await stores.documents.generations('teams')).building).toHaveLength(1);
    start(stores, { projections: justTeams });
    await until(async () => (await stores.documents.generations('teams')).building.length === 0);
    expect((await stores.documents.generations('teams')).serving?.generation).toBe(1);
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
        reason: 'The new generation of teams differs from the log: document two differs in name.',
      });
      expect(await failureOf(any(teams))).toMatchObject({
        rebuilding: true,
        error: 'The new generation of teams differs from the log: document two differs in name.',
      });
      expect(await stores.documents.generations('teams')).toMatchObject({
        serving: { generation: 1 },
        building: [],
      });
      const { position } = await createTeam('after');
      await visible(stores.documents, ['teams'], position);
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
      reason: 'The new generation of teams differs from the log: it has 3 documents, the log makes 2.',
    });
  });

  it('keeps the old generation when told so, which serves again after it has caught up, or is dropped in time', async () => {
    let clock = Date.parse('2026-05-06T07:00:00Z');
    await createTeam('one');
    start(stores, { projections: justTeams, now: () => new Date(clock) });
    await caughtUp(stores, justTeams);
    await startRebuild(stores.store, 'teams', { keepSeconds: 3_600 }, aCommand());
    await until(async () => (await switched('teams')).length === 1);
    expect(await stores.documents.generations('teams')).toMatchObject({
      serving: { generation: 2 },
      building: [{ generation: 1 }],
    });
    const { position } = await createTeam('two');
    await visible(stores.documents, ['teams'], position);
    await startRebuild(stores.store, 'teams', { back: true, keepSeconds: 60 }, aCommand());
    await until(async () => (await switched('teams')).length === 2);
    expect(await stores.documents.generations('teams')).toMatchObject({
      serving: { generation: 1 },
      building: [{ generation: 2 }],
    });
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(2);
    clock += 61_000;
    await until(async () => (await stores.documents.generations('teams')).building.length === 0);
    await startRebuild(stores.store, 'teams', { back: true }, aCommand());
    const [end] = await until(async () => {
      const ends = await cancelled('teams');
      return ends.length > 0 && ends;
    });
    expect(end?.data).toMatchObject({ reason: 'No earlier generation is kept.' });
    expect((await stores.documents.generations('teams')).serving?.generation).toBe(1);
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
    expect(await stores.documents.generations('teams')).toMatchObject({
      serving: { generation: 1 },
      building: [{}],
    });
    await stores.close();
    stores = folder.open();
    start(stores, { projections: justTeams });
    await until(async () => (await switched('teams')).length === 1);
    expect(await stores.documents.generations('teams')).toMatchObject({ building: [] });
    expect((await stores.documents.generations('teams')).serving?.generation).toBeGreaterThan(1);
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
    await visible(stores.documents, ['teams'], position);
    expect(await team('one')).toBeDefined();
    expect(await team('two')).toBeDefined();
    const { serving, building } = await stores.documents.generations('teams');
    expect(serving?.generation).toBe(1);
    // However often it was tried, not more than the attempt at hand takes room.
    expect(building.length).toBeLessThanOrEqual(1);
    broken = false;
    await until(async () => (await switched('teams')).length === 1);
    await until(async () => (await failureOf(fragile)) === undefined);
    expect(await stores.documents.generations('teams')).toMatchObject({ building: [] });
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
    await visible(stores.documents, ['teams'], position);
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(3);
    isFull = false;
    await until(async () => (await switched('teams')).length === 1);
    expect(await stores.documents.generations('teams')).toMatchObject({ serving: { generation: 2 } });
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
    await visible(stores.documents, ['teams'], position);
    expect(await team('two')).toBeDefined();
    failing = false;
    await until(async () => (await switched('teams')).length === 1);
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(2);
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
    expect(await stores.documents.generations('teams')).toMatchObject({
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

describe('the status of the projections', () => {
  it('counts what is not folded yet, and knows of no generation before the first start', async () => {
    await aBusyDay();
    const [first] = await statusOf(stores, justTeams);
    expect(first).toEqual({ name: 'teams', generation: null, checkpoint: null, lag: 3 });
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
