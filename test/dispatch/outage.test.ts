import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shardLease } from '../../src/dispatch/lanes/shards.ts';
import { retry } from '../../src/ground/retry.ts';
import { StoreError } from '../../src/stores/errors.ts';
import type { ConsumeOptions, EventStore, SubscribeOptions } from '../../src/stores/event-store/port.ts';
import type { Leases } from '../../src/stores/leases/port.ts';
import { altered } from '../support/altered.ts';
import { conflicting } from '../support/conflicting.ts';
import { until } from '../support/until.ts';
import { openScene, startDispatcher, startReceiver, type Scene } from './harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

describe('while the event store is away', () => {
  test('nothing is sent, the operator is told, and when it is back everything goes on by itself', async () => {
    const { base, times } = await startReceiver(scene);
    await scene.subscribe(base, 3);
    const own = scene.open();
    const { store, leave, comeBack } = leaving(own.store);
    leave();
    const { sent, faults } = startDispatcher(scene, { store }, own);
    await until(() => faults.filter((each) => each.startsWith('webhook-sending')).length >= 2);
    await until(() => faults.some((each) => each.startsWith('webhook-fan-out')));

    comeBack();
    await scene.approve();
    await scene.happened('DeliverySucceeded', 3);

    // And once more, out of the middle of its work.
    leave();
    await until(() => faults.some((each) => each.startsWith('following the log')));
    const before = sent.length;
    await scene.approve();
    expect(sent.length).toBe(before);
    comeBack();
    await scene.happened('DeliverySucceeded', 6);
    expect([...times.values()]).toEqual(Array.from({ length: 6 }, () => 1));
    expect(await scene.logged('DeliveryAttemptFailed')).toEqual([]);
  });

  test('for long, another who reaches it does the sending', async () => {
    const { base } = await startReceiver(scene);
    await scene.subscribe(base, 8);
    const own = scene.open();
    const { store, leave } = leaving(own.store);
    const cutOff = startDispatcher(scene, { store }, own);
    const other = startDispatcher(scene);
    await until(() => cutOff.held.size === 4 && other.held.size === 4);
    leave();
    await until(() => cutOff.held.size === 0 && other.held.size === 8);
    await scene.approve();
    await scene.happened('DeliverySucceeded', 8);
    expect(other.sent).toHaveLength(8);
  });
});

describe('while every append to a delivery ends in a conflict', () => {
  test('its event is tried again later, however often, and never set aside', async () => {
    const { base, times } = await startReceiver(scene);
    await scene.subscribe(base, 1);
    await scene.approve();
    const own = scene.open();
    const contended = conflicting(own.store, 'webhook-delivery-');
    const verdicts: string[] = [];
    // Hands an event out again at once, where a store would wait as long as the verdict says.
    const store = altered<EventStore>(contended.store, {
      consume: async (group, options) => {
        const handle: ConsumeOptions['handle'] = async (events) => {
          for (let attempt = 1; contended.on; attempt++) {
            const [verdict] = await options.handle(events.map((each) => ({ ...each, attempt })));
            verdicts.push((await verdict)?.kind ?? 'none');
            if (attempt === 12) contended.on = false;
          }
          return options.handle(events);
        };
        await contended.store.consume(group, { ...options, handle });
      },
    });
    startDispatcher(scene, { store }, own);
    await scene.happened('DeliverySucceeded', 1);
    expect(verdicts).toEqual(Array.from({ length: 12 }, () => 'retry'));
    expect([...times.values()]).toEqual([1]);
    expect(await scene.stores.store.parked('webhook-fan-out')).toEqual([]);
  });
});

describe('while leases are away', () => {
  test('what is held is kept, the operator is told, and the others are asked for again later', async () => {
    const { base } = await startReceiver(scene);
    await scene.subscribe(base, 8);
    const own = scene.open();
    let asked = 0;
    const leases = altered<Leases>(own.leases, {
      tryAcquire: async (name) => {
        asked += 1;
        if (asked > 3 && asked < 12) throw new StoreError('unavailable', 'No answer.');
        return own.leases.tryAcquire(name);
      },
    });
    const { held, faults } = startDispatcher(scene, { leases }, own);
    await until(() => held.size === 8);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toMatch(/^webhook-shards: .*No answer/);
    await scene.approve();
    await scene.happened('DeliverySucceeded', 8);
  });
});

describe('files that were exchanged under a dispatcher', () => {
  test('end it with the error, and its leases are free', async () => {
    const own = scene.open();
    const store = altered<EventStore>(own.store, {
      consume: async () => {
        await until(() => held.size === 1);
        throw new StoreError('replaced', 'views.db was replaced.');
      },
    });
    const { ended, held } = startDispatcher(scene, { shards: 1, store }, own);
    await expect(ended).rejects.toMatchObject({ code: 'replaced' });
    expect(await scene.stores.leases.tryAcquire(shardLease(0))).toBeDefined();
  });
});

describe('work that is persevered in', () => {
  test('is repeated until it is no longer wanted, and whoever watches is told of each failure', async () => {
    const abort = new AbortController();
    const told: unknown[] = [];
    let times = 0;
    const work = async () => {
      times += 1;
      if (times === 4) abort.abort();
      throw new Error(`No. ${times}`);
    };
    await retry(work, { signal: abort.signal, onFault: (error) => told.push(String(error)), firstMs: 1 });
    expect(told).toEqual(['Error: No. 1', 'Error: No. 2', 'Error: No. 3']);
  });

  test('is given up after so many failures in a row, with the last of them', async () => {
    const { signal } = new AbortController();
    let times = 0;
    const work = async () => {
      times += 1;
      throw new Error(`No. ${times}`);
    };
    const persevering = retry(work, { signal, onFault: () => undefined, firstMs: 1, maximumFailures: 3 });
    await expect(persevering).rejects.toThrow('No. 3');
  });

  test('that finds its lease taken is no fault, and one whose files were exchanged ends at once', async () => {
    const { signal } = new AbortController();
    const errors = [new StoreError('fenced', 'Taken.'), new StoreError('replaced', 'Exchanged.')];
    const told: unknown[] = [];
    const work = async () => {
      throw errors.shift() ?? new Error('There is nothing more to throw.');
    };
    const persevering = retry(work, { signal, onFault: (error) => told.push(error), firstMs: 1 });
    await expect(persevering).rejects.toMatchObject({ code: 'replaced' });
    expect(told).toEqual([]);
  });
});

type Method = (...given: unknown[]) => unknown;

/** An event store that can be away: whatever is asked of it then fails, and subscriptions break off. */
function leaving(store: EventStore) {
  let away = new AbortController();
  const refuse = () => {
    if (away.signal.aborted) throw new StoreError('unavailable', 'The store is away.');
  };
  const guarded = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        refuse();
        return Reflect.apply<EventStore, unknown[], unknown>(value as Method, target, given);
      };
    },
  });
  async function* subscribe(options: SubscribeOptions) {
    refuse();
    yield* store.subscribe({ ...options, signal: AbortSignal.any([options.signal, away.signal]) });
    if (!options.signal.aborted) refuse();
  }
  return {
    store: altered<EventStore>(guarded, {
      subscribe,
      consume: async (group, options) => {
        refuse();
        await store.consume(group, {
          ...options,
          signal: AbortSignal.any([options.signal, away.signal]),
        });
        if (!options.signal.aborted) refuse();
      },
    }),
    leave: () => away.abort(),
    comeBack: () => {
      away = new AbortController();
    },
  };
}
