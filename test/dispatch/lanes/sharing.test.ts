import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { attemptJournal, type AttemptEntry } from '../../../src/dispatch/attempts/attempt-journal.ts';
import { createSender, type Sender } from '../../../src/dispatch/attempts/sender.ts';
import { shardLease, shardOf } from '../../../src/dispatch/lanes/shards.ts';
import type { RecordedEvent } from '../../../src/stores/event-store/port.ts';
import type { Lease, Leases } from '../../../src/stores/leases/port.ts';
import type { SideJournal, SideStore } from '../../../src/stores/side/port.ts';
import { altered } from '../../support/altered.ts';
import type { Stores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import {
  openAttempts,
  openScene,
  startDispatcher,
  startReceiver,
  type Dispatcher,
  type Scene,
  type Subscriber,
  withAttemptJournal,
} from '../harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

const holding = (...shares: readonly [Dispatcher, number][]) =>
  until(() => shares.every(([dispatcher, share]) => dispatcher.held.size === share));

const leaseFor = ({ id }: Subscriber) => shardLease(shardOf(id, 8));
const subscriptionOf = ({ data }: RecordedEvent) => (data as { subscription: string }).subscription;
const twice = <Key>(times: ReadonlyMap<Key, number>) => [...times].filter(([, count]) => count > 1);

describe('dispatchers that share the work', () => {
  test('each make all attempts for their own subscriptions, and none for another', async () => {
    const { base, times } = await startReceiver(scene, (response, before) =>
      response.writeHead(before < 2 ? 500 : 204).end(),
    );
    const subscribers = await scene.subscribe(base, 24);
    const [one, other] = [startDispatcher(scene), startDispatcher(scene)];
    await holding([one, 4], [other, 4]);
    expect(new Set([...one.held, ...other.held]).size).toBe(8);

    await scene.approve(3);
    await scene.happened('DeliverySucceeded', 72);

    for (const dispatcher of [one, other]) {
      const own = subscribers.filter((each) => dispatcher.held.has(leaseFor(each)));
      expect(own.length).toBeGreaterThan(0);
      expect([...dispatcher.sent].sort()).toEqual(
        own.flatMap(({ path }) => Array.from({ length: 9 }, () => path)).sort(),
      );
    }
    expect([...times.values()]).toEqual(Array.from({ length: 72 }, () => 3));
    expect([...one.faults, ...other.faults]).toEqual([]);
  });

  test('are joined by others and left again while deliveries flow: none is lost and none sent twice', async () => {
    const { base, times } = await startReceiver(scene, (response) => {
      // Slow enough that attempts are under way whenever a shard changes hands.
      void sleep(20).then(() => response.writeHead(204).end());
    });
    await scene.subscribe(base, 16);
    let approved = 0;
    const enough = new AbortController();
    const flow = (async () => {
      while (!enough.signal.aborted) {
        await scene.approve(2);
        approved += 2;
        await scene.happened('DeliverySucceeded', Math.max(0, approved - 8) * 16);
      }
    })();

    const first = startDispatcher(scene);
    await holding([first, 8]);
    const second = startDispatcher(scene);
    await holding([first, 4], [second, 4]);
    const third = startDispatcher(scene);
    await holding([first, 3], [second, 3], [third, 2]);
    expect(new Set([...first.held, ...second.held, ...third.held]).size).toBe(8);
    await first.stop();
    expect(first.held.size).toBe(0);
    await holding([second, 4], [third, 4]);
    enough.abort();
    await flow;
    await scene.happened('DeliverySucceeded', approved * 16);

    expect(times.size).toBe(approved * 16);
    expect(twice(times)).toEqual([]);
    expect(await scene.logged('DeliveryAttemptFailed', 'DeliveryFailed')).toEqual([]);
    for (const dispatcher of [first, second, third]) {
      expect(dispatcher.sent.length).toBeGreaterThan(0);
      expect(dispatcher.faults).toEqual([]);
    }
    await until(async () => (await openAttempts(scene.stores.side)).length === 0);
  });

  test('take over all that a dead one held, and count as interrupted what it had under way, and nothing else', async () => {
    const hanging: (() => void)[] = [];
    const { base, times } = await startReceiver(scene, (response, before) => {
      // The first attempts of everybody hang until the test lets them go.
      if (before > 0) response.writeHead(204).end();
      else hanging.push(() => response.writeHead(204).end());
    });
    const subscribers = await scene.subscribe(base, 24);
    const doomed = mortal(scene.open());
    const one = startDispatcher(scene, doomed.parts, doomed.stores, doomed.died);
    const other = startDispatcher(scene);
    await holding([one, 4], [other, 4]);
    await scene.approve();
    await until(() => hanging.length === 24);
    const ofTheDead = subscribers.filter((each) => one.held.has(leaseFor(each))).map(({ id }) => id);
    expect((await openAttempts(scene.stores.side)).length).toBe(24);

    const diedAt = performance.now();
    await doomed.kill();
    await holding([other, 8]);
    await scene.happened('DeliverySucceeded', ofTheDead.length);
    // The lease of the dead is free at once here; where it takes eight seconds, this leaves them.
    expect(performance.now() - diedAt).toBeLessThan(7_000);
    for (const let_go of hanging) let_go();
    await scene.happened('DeliverySucceeded', 24);

    const interrupted = await scene.logged('DeliveryAttemptFailed');
    expect(interrupted.map(subscriptionOf).sort()).toEqual([...ofTheDead].sort());
    for (const { data } of interrupted) {
      expect(data).toMatchObject({ attempt: 1, error: expect.stringMatching(/^Interrupted/) as string });
    }
    expect(twice(times).length).toBe(ofTheDead.length);
    expect(Math.max(...times.values())).toBe(2);
    await until(async () => (await openAttempts(scene.stores.side)).length === 0);
    expect(other.faults).toEqual([]);
  });
});

describe('a dispatcher that loses its lease', () => {
  test('breaks off what is under way, and whoever has the lease then counts it as interrupted', async () => {
    const closed = Promise.withResolvers<true>();
    const arrived = Promise.withResolvers<true>();
    const { base, times } = await startReceiver(scene, (response, before) => {
      if (before > 0) return response.writeHead(204).end();
      response.on('close', () => closed.resolve(true));
      arrived.resolve(true);
    });
    await scene.subscribe(base, 1);
    const own = scene.open();
    const { leases, lose } = losable(own.leases);
    const { faults } = startDispatcher(scene, { shards: 1, leases }, own);
    await scene.approve();
    await arrived.promise;

    lose();

    // Long before the ten seconds that an attempt may take.
    expect(await Promise.race([closed.promise, sleep(2_000, false)])).toBe(true);
    const [succeeded] = await scene.happened('DeliverySucceeded');
    expect(succeeded?.data).toMatchObject({ attempt: 2 });
    const failures = await scene.logged('DeliveryAttemptFailed');
    expect(failures.map(({ data }) => data)).toMatchObject([
      { attempt: 1, error: expect.stringMatching(/^Interrupted/) as string },
    ]);
    expect([...times.values()]).toEqual([2]);
    expect(faults).toEqual([]);
  });

  test('does not send what it has noted already', async () => {
    const { base, times } = await startReceiver(scene);
    await scene.subscribe(base, 1);
    const own = scene.open();
    const { leases, lose } = losable(own.leases);
    const noted = attemptJournal(own.side);
    let puts = 0;
    const losing: SideJournal<AttemptEntry> = altered(noted, {
      open: async (group, id, entry) => {
        await noted.open(group, id, entry);
        puts += 1;
        if (puts === 1) lose();
      },
    });
    const side = withAttemptJournal(own.side, losing);
    const { sent } = startDispatcher(scene, { shards: 1, leases, side }, own);
    await scene.approve();

    const [succeeded] = await scene.happened('DeliverySucceeded');
    expect(succeeded?.data).toMatchObject({ attempt: 2 });
    expect(sent).toHaveLength(1);
    expect([...times.values()]).toEqual([1]);
  });

  test('sends nothing when it learns of it only after a standstill, with the connection just made', async () => {
    const { base, times } = await startReceiver(scene);
    await scene.subscribe(base.replace('127.0.0.1', 'receiver.example'), 1);
    const own = scene.open();
    // Nothing has told it yet: the lease is lost by the clock, as soon as somebody looks.
    let standstills = 0;
    const { leases } = losable(own.leases, () => standstills === 1 && ++standstills === 2);
    const sender = createSender({
      policy: { allowPrivate: true, ownHosts: [] },
      resolver: async () => {
        if (standstills === 0) standstills = 1;
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    startDispatcher(scene, { shards: 1, leases, sender }, own);
    await scene.approve();

    const [succeeded] = await scene.happened('DeliverySucceeded');
    expect(succeeded?.data).toMatchObject({ attempt: 2 });
    const failures = await scene.logged('DeliveryAttemptFailed');
    expect(failures.map(({ data }) => data)).toMatchObject([
      { attempt: 1, error: expect.stringMatching(/^Interrupted/) as string },
    ]);
    expect([...times.values()]).toEqual([1]);
  });
});

type Method = (...given: unknown[]) => unknown;

/** Stores that can die: from then on nothing that is asked of them has an effect or an answer. */
function mortal(stores: Stores) {
  const died = Promise.withResolvers<true>();
  let dead = false;
  const never = () => new Promise<never>(() => undefined);
  const mortalPart = <Part extends object>(part: Part, also: Partial<Part> = {}): Part =>
    new Proxy(part, {
      get(target, name) {
        if (name in also) return Reflect.get(also, name) as unknown;
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) =>
          dead ? never() : Reflect.apply<Part, unknown[], unknown>(value as Method, target, given);
      },
    });
  const sender: Sender = createSender({ policy: { allowPrivate: true, ownHosts: [] } });
  const { store, documents, side, vault, leases } = stores;
  const parts = {
    store: mortalPart(store),
    documents: mortalPart(documents),
    side: mortalPart<SideStore>(side, {
      table: (name) => mortalPart(side.table(name)),
      journal: (name) => mortalPart(side.journal(name)),
    }),
    vault: mortalPart(vault),
    leases: mortalPart<Leases>(leases),
    sender: mortalPart(sender),
  };
  return {
    stores,
    parts,
    died: died.promise,
    async kill() {
      dead = true;
      await leases.close();
      died.resolve(true);
    },
  };
}

/** Leases that can be lost, as those of a store on another machine can. `isLost` is asked when somebody looks. */
function losable(leases: Leases, isLost: () => boolean = () => false) {
  let losing = new AbortController();
  const can = (lease: Lease | undefined): Lease | undefined => {
    const own = (losing = new AbortController());
    return (
      lease &&
      altered<Lease>(lease, {
        get lost() {
          if (isLost()) own.abort();
          return own.signal;
        },
      })
    );
  };
  return {
    leases: altered<Leases>(leases, {
      acquire: async (name, signal) => can(await leases.acquire(name, signal)),
    }),
    lose: () => losing.abort(),
  };
}
