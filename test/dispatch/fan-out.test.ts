import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { fanOutGroup } from '../../src/dispatch/fan-out.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { StoreError } from '../../src/stores/errors.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import { altered } from '../support/altered.ts';
import { until } from '../support/until.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from './harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

const approveFor = async (team: string) => {
  const fields = { name: 'Pantry', category: 'food' } as const;
  const { state } = await submitResource(scene.stores, { team, fields }, operator());
  await commandResource(scene.stores, state?.svc_id ?? '', { kind: 'approve' }, operator());
};

describe('an event for many subscriptions', () => {
  test('reaches each of them once, and a later event of another team does not wait for it', async () => {
    const { base, times } = await startReceiver(scene);
    const many = 250;
    await scene.subscribe(base, many);
    await commandTeam(scene.stores.store, { kind: 'create', team: 'other', name: 'Other' }, operator());
    const wish = { team: 'other', url: `${base}/other`, events: ['resource.approved'] } as const;
    await createSubscription(scene.stores, wish, newSigningSecret(randomBytes), operator());

    // The first steps of the large events are written when the other team's delivery is.
    const stuck = Promise.withResolvers<undefined>();
    let waiting = 0;
    const own = scene.open();
    const store = altered<EventStore>(own.store, {
      append: async (stream, events, expected) => {
        const [first] = events;
        if (first?.type === 'DeliveryScheduled' && (first.data as { team: string }).team === 'harbour') {
          waiting += 1;
          await stuck.promise;
        }
        return own.store.append(stream, events, expected);
      },
    });
    startDispatcher(scene, { store }, own);
    await scene.approve(3);
    await until(() => waiting > 0);
    await approveFor('other');
    await scene.happened('DeliverySucceeded', 1);
    const scheduled = await scene.logged('DeliveryScheduled');
    expect(scheduled.map(({ data }) => (data as { team: string }).team)).toEqual(['other']);
    // Two steps of fifty at most: the rest is neither read nor rendered yet.
    expect(waiting).toBeLessThanOrEqual(100);
    stuck.resolve(undefined);
    await scene.happened('DeliverySucceeded', 3 * many + 1);
    expect(times.size).toBe(3 * many + 1);
    expect(await scene.logged('DeliveryScheduled')).toHaveLength(3 * many + 1);
  });

  test('is given back unfinished by a dispatcher that stops, and finished by the next', async () => {
    const { base } = await startReceiver(scene);
    const many = 250;
    await scene.subscribe(base, many);
    const own = scene.open();
    let appended = 0;
    const store = altered<EventStore>(own.store, {
      append: async (stream, events, expected) => {
        if (events[0]?.type === 'DeliveryScheduled') appended += 1;
        return own.store.append(stream, events, expected);
      },
    });
    const first = startDispatcher(scene, { store }, own);
    await scene.approve();
    await until(() => appended > 0);
    await first.stop();
    const { length } = await scene.logged('DeliveryScheduled');
    expect(length).toBeLessThan(many);
    startDispatcher(scene);
    await scene.happened('DeliverySucceeded', many);
    expect(await scene.logged('DeliveryScheduled')).toHaveLength(many);
  });
});

describe('events with few subscriptions', () => {
  test('are scheduled together, and one that fails does not hold up the others', async () => {
    const { base } = await startReceiver(scene);
    await scene.subscribe(base, 2);
    await scene.approve(25);
    const [poisoned] = await scene.logged('ResourceApproved');
    const together = Promise.withResolvers<undefined>();
    let appending = 0;
    let broken = true;
    const own = scene.open();
    const store = altered<EventStore>(own.store, {
      append: async (stream, events, expected) => {
        const [first] = events;
        if (first?.type !== 'DeliveryScheduled') return own.store.append(stream, events, expected);
        appending += 1;
        await together.promise;
        const { source } = first.data as { source: { event_id: string } };
        if (broken && source.event_id === poisoned?.id) throw new StoreError('event_too_large', 'Too large.');
        return own.store.append(stream, events, expected);
      },
    });
    startDispatcher(scene, { store }, own);
    // With a step for each event there would be four at a time.
    await until(() => appending === 50);
    together.resolve(undefined);
    await scene.happened('DeliverySucceeded', 48);
    broken = false;
    await scene.happened('DeliverySucceeded', 50);
    expect(await scene.logged('DeliveryScheduled')).toHaveLength(50);
  });
});

describe('a delivery that is scheduled where it is sent', () => {
  test('is attempted before the log brings it, and not again when the log does', async () => {
    const { base, times } = await startReceiver(scene);
    await scene.subscribe(base, 3);
    const own = scene.open();
    const released = Promise.withResolvers<undefined>();
    let isWithheld = false;
    const brought: string[] = [];
    const store = altered<EventStore>(own.store, {
      async *subscribe(options) {
        const { filter } = options;
        const isOfLanes = filter && 'types' in filter && filter.types.includes('DeliveryScheduled');
        for await (const batch of own.store.subscribe(options)) {
          if (isOfLanes && isWithheld) await released.promise;
          yield batch;
          if (isOfLanes) brought.push(...batch.events.map(({ type }) => type));
        }
      },
    });
    startDispatcher(scene, { store }, own);
    await scene.approve();
    await scene.happened('DeliverySucceeded', 3);
    isWithheld = true;
    await scene.approve();
    await scene.happened('DeliverySucceeded', 6);
    expect(brought.filter((type) => type === 'DeliveryScheduled')).toHaveLength(3);
    released.resolve(undefined);
    await until(() => brought.filter((type) => type === 'DeliveryScheduled').length === 6);
    isWithheld = false;
    await scene.approve();
    await scene.happened('DeliverySucceeded', 9);
    expect([...times.values()]).toEqual(Array<number>(9).fill(1));
  });
});

describe('an event whose fan-out fails for our own reasons', () => {
  test('is parked after ten tries, in however many dispatchers, and is fanned out when it is replayed', async () => {
    const { base, times } = await startReceiver(scene);
    await scene.subscribe(base, 1);
    await scene.approve();
    let broken = true;
    let tries = 0;
    /** A dispatcher that cannot schedule, and is given an event again at once. */
    const failing = () => {
      const own = scene.open();
      const store = altered<EventStore>(own.store, {
        append: (stream, events, expected) => {
          if (!broken || events[0]?.type !== 'DeliveryScheduled')
            return own.store.append(stream, events, expected);
          tries += 1;
          return Promise.reject(new StoreError('event_too_large', 'Too large.'));
        },
        consume: (group, options) =>
          own.store.consume(group, {
            ...options,
            handle: async (events) =>
              (await options.handle(events)).map(async (result) => {
                const { ...settled } = await result;
                return settled.kind === 'retry' ? { ...settled, afterMs: 0 } : settled;
              }),
          }),
      });
      return startDispatcher(scene, { shards: 1, store }, own);
    };
    for (const upTo of [3, 7]) {
      const dispatcher = failing();
      await until(() => tries >= upTo);
      await dispatcher.stop();
    }
    failing();
    const [parked] = await until(async () => {
      const found = await scene.stores.store.parked(fanOutGroup);
      return found.length > 0 && found;
    });
    expect(tries).toBe(10);
    expect(parked).toMatchObject({ event: { type: 'ResourceApproved' }, reason: 'Too large.' });
    broken = false;
    expect(await scene.stores.store.replayParked(fanOutGroup)).toBe(1);
    await scene.happened('DeliverySucceeded');
    expect(times.size).toBe(1);
  });
});
