import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandDelivery } from '../../src/commands/webhooks/delivery.ts';
import { fanOut } from '../../src/dispatch/fan-out.ts';
import type { DispatchContext } from '../../src/dispatch/context.ts';
import { DueReader, type ScanPlace } from '../../src/dispatch/lanes/due-reader.ts';
import { firstLook } from '../../src/dispatch/lanes/first-look.ts';
import { deliveries } from '../../src/projections/webhooks/deliveries.ts';
import { StoreError } from '../../src/stores/errors.ts';
import type { EventStore, Position } from '../../src/stores/event-store/port.ts';
import { altered } from '../support/altered.ts';
import { caughtUp, startProjector } from '../support/projector.ts';
import { until } from '../support/until.ts';
import { openScene, operator, startDispatcher, startReceiver, unsupervised, type Scene } from './harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

let subscription: string;

async function schedule(delivery = randomUUID()): Promise<string> {
  const data = {
    delivery,
    subscription,
    team: 'harbour',
    event: 'resource.approved',
    source: { stream: 'resource-1', revision: 1, event_id: randomUUID() },
    occurred_at: new Date().toISOString(),
    payload_version: 1,
    body_sha256: '0'.repeat(64),
  } as const;
  await commandDelivery(scene.stores.store, delivery, { kind: 'schedule', data }, operator());
  return delivery;
}

async function end(delivery: string, nextAttemptAt?: string): Promise<void> {
  const data = { subscription, attempt: 1, started_at: new Date().toISOString(), duration_ms: 1 };
  const command = nextAttemptAt
    ? ({ kind: 'fail', data: { ...data, error: 'No.' }, nextAttemptAt } as const)
    : ({ kind: 'succeed', data } as const);
  await commandDelivery(scene.stores.store, delivery, command, operator());
}

/** What a shard finds that has just been gained, in pages of two. */
async function pending(upTo: Position, documents = scene.stores.documents) {
  const dispatching = { ...scene.stores, documents, now: () => new Date() } as unknown as DispatchContext;
  const looked = new Set<string>();
  for await (const each of firstLook(dispatching, upTo)) looked.add(each.subscription);
  expect([...looked]).toEqual([subscription]);
  const reader = new DueReader(dispatching);
  const due = new Set<string>();
  let nextDue = Infinity;
  for (let place: ScanPlace | undefined; ;) {
    const page = await reader.page({ subscription, place, upTo, limit: 2 });
    for (const id of page.due) due.add(id);
    nextDue = Math.min(nextDue, page.nextDue);
    place = page.next;
    if (!place) return { due, nextDue };
  }
}

describe('what is pending when a shard is gained', () => {
  beforeEach(async () => {
    const [subscriber] = await scene.subscribe('http://127.0.0.1:9', 1);
    subscription = subscriber?.id ?? '';
  });

  test('is all that the read model shows and all that it does not show yet', async () => {
    const shown = [await schedule(), await schedule(), await schedule()] as const;
    await caughtUp(scene.stores, [deliveries as never]);
    await scene.projector.stop();
    const soon = '2031-01-01T00:00:00.000Z';
    const [done, failed, resent, untouched] = [
      await schedule(),
      await schedule(),
      await schedule(),
      await schedule(),
    ];
    await end(done);
    await end(failed, soon);
    await end(resent);
    await commandDelivery(scene.stores.store, resent, { kind: 'resend', requestedBy: 'resend' }, operator());
    const upTo = await scene.stores.store.head();

    const { due, nextDue } = await pending(upTo);

    for (const id of [...shown, resent, untouched]) expect(due.has(id), id).toBe(true);
    expect(new Date(nextDue).toISOString()).toBe(soon);
  });

  test('is found also where no read model has been built yet', async () => {
    await scene.projector.stop();
    const all = [await schedule(), await schedule(), await schedule()];
    const bare = scene.open();
    const documents = altered(bare.documents, { progress: async () => new Map() });
    const { due } = await pending(await bare.store.head(), documents);
    expect([...due].sort()).toEqual([...all].sort());
  });
});

describe('a projector that stands still', () => {
  test('holds up fan-out without costing the event anything, and keeps nobody from ending', async () => {
    const { base } = await startReceiver(scene);
    await scene.subscribe(base, 1);
    await caughtUp(scene.stores);
    await scene.projector.stop();
    // The fan-out cannot know of this one.
    await scene.subscribe(base, 1);
    await scene.approve();
    // Stopped and started more often than an event may fail.
    for (let n = 0; n < 12; n++) {
      const abort = new AbortController();
      let handed = false;
      const own = scene.stores.documents;
      const documents = altered(own, {
        progress: () => {
          handed = true;
          return own.progress();
        },
      });
      const dispatching = { ...scene.stores, documents } as unknown as Parameters<typeof fanOut>[0];
      const fanning = fanOut(dispatching, abort.signal, unsupervised);
      await until(() => handed);
      abort.abort();
      await fanning;
    }
    expect(await scene.stores.store.parked('webhook-fan-out')).toEqual([]);

    const projector = startProjector(scene.stores);
    scene.atEnd(() => projector.stop());
    startDispatcher(scene, { shards: 1 });
    await scene.happened('DeliverySucceeded', 2);
  });

  test('holds up nothing while no subscription has changed', async () => {
    const { base } = await startReceiver(scene);
    await scene.subscribe(base, 2);
    await caughtUp(scene.stores);
    await scene.projector.stop();
    await scene.approve(3);
    startDispatcher(scene, { shards: 1 });
    await scene.happened('DeliveryScheduled', 6);
  });
});

describe('an event whose fan-out fails', () => {
  test('does not hold up those that were handed out with it', async () => {
    const { base, times } = await startReceiver(scene);
    await scene.subscribe(base, 1);
    await scene.approve(10);
    const own = scene.open();
    let bad: string | undefined;
    const store = altered<EventStore>(own.store, {
      append: (stream, events, expected) => {
        if (stream.startsWith('webhook-delivery-')) bad ??= stream;
        if (stream !== bad) return own.store.append(stream, events, expected);
        return Promise.reject(new StoreError('event_too_large', 'Too large.'));
      },
    });
    const { faults } = startDispatcher(scene, { shards: 1, store }, own);
    await scene.happened('DeliverySucceeded', 9);
    await until(() => faults.length > 1);
    for (const fault of faults) expect(fault).toMatch(/^fan-out of event .*Too large/);
    expect(times.size).toBe(9);
  });
});
