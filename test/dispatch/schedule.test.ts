import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandDelivery } from '../../src/commands/webhooks/delivery.ts';
import { commandSubscription } from '../../src/commands/webhooks/subscription.ts';
import { readAttempts } from '../../src/dispatch/attempts/attempt-journal.ts';
import { renderBody } from '../../src/dispatch/body.ts';
import { currentPayloadVersion } from '../../src/dispatch/payload-of-event.ts';
import { schedule } from '../../src/dispatch/retry-schedule.ts';
import { waitingTests } from '../../src/dispatch/lanes/waiting-tests.ts';
import { replayParkedDelivery } from '../../src/dispatch/operations/parked-deliveries.ts';
import { scheduleTest } from '../../src/dispatch/operations/test-delivery.ts';
import type { RecordedEvent } from '../../src/stores/event-store/port.ts';
import { clock } from '../support/clock.ts';
import { caughtUp } from '../support/projector.ts';
import { until } from '../support/until.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from './harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

const day = 24 * 3_600_000;
/** A delivery whose source event is not there. */
const unrenderable = (subscription: string) =>
  ({
    delivery: randomUUID(),
    subscription,
    team: 'harbour',
    event: 'resource.approved',
    source: { stream: 'resource-none', revision: 1, event_id: randomUUID() },
    occurred_at: new Date().toISOString(),
    payload_version: 1,
    body_sha256: '0'.repeat(64),
  }) as const;

const idOf = ({ stream }: RecordedEvent) => stream.replace('webhook-delivery-', '');

describe('with time under control', () => {
  test('a delivery is attempted on the whole schedule, and has then failed', async () => {
    const { base, times } = await startReceiver(scene, (response) => response.writeHead(500).end());
    await scene.subscribe(base, 1);
    const time = clock();
    startDispatcher(scene, { shards: 1, delays: schedule, random: () => 0.5, ...time });
    await scene.approve();
    for (let attempts = 1; attempts < schedule.length; attempts++) {
      const failures = await scene.happened('DeliveryAttemptFailed', attempts);
      const failure = failures.at(-1);
      const due = Date.parse((failure?.data as { next_attempt_at: string }).next_attempt_at);
      const after = due - Date.parse(String(failure?.metadata['at']));
      // The clock may have gone on by a millisecond while the outcome was appended.
      expect(Math.abs(after - (schedule[attempts] ?? 0))).toBeLessThanOrEqual(2);
      const wait = due - time.now().getTime();
      // Not a moment before.
      time.advance(wait - 1);
      await time.settled();
      expect([...times.values()]).toEqual([attempts]);
      // The outcome is an event before the lane knows of it: the clock goes on until the lane has seen its time.
      await until(() => {
        time.advance(1);
        return [...times.values()][0] === attempts + 1;
      });
    }
    const [failed] = await scene.happened('DeliveryFailed');
    expect(failed?.data).toMatchObject({ attempt: 12, status: 500 });
    const attempts = await readAttempts(scene.stores.side, failed ? idOf(failed) : '');
    expect(attempts.map(({ attempt, trigger }) => `${attempt} ${trigger}`)).toEqual(
      schedule.map((_, n) => `${n + 1} ${n === 0 ? 'schedule' : 'retry'}`),
    );
    time.advance(30 * day);
    await time.settled();
    expect([...times.values()]).toEqual([12]);
  });

  test('what is held for days is sent when the subscription is resumed, also by another dispatcher', async () => {
    const { base, times } = await startReceiver(scene);
    const [subscriber] = await scene.subscribe(base, 1);
    const id = subscriber?.id ?? '';
    await commandSubscription(scene.stores, id, { kind: 'pause' }, operator());
    const time = clock();
    const first = startDispatcher(scene, { shards: 1, ...time });
    await scene.approve(130);
    await scene.happened('DeliveryScheduled', 130);
    time.advance(20 * day);
    await first.stop();
    await caughtUp(scene.stores);
    const second = startDispatcher(scene, { shards: 1, ...time });
    await until(() => second.held.size === 1);
    time.advance(5 * day);
    await time.settled();
    expect(times.size).toBe(0);
    await commandSubscription(scene.stores, id, { kind: 'resume' }, operator());
    await scene.happened('DeliverySucceeded', 130);
    expect([...times.values()]).toEqual(Array.from({ length: 130 }, () => 1));
  });

  test('what cannot be rendered is parked with its reason, and can be asked for again', async () => {
    const { base, times } = await startReceiver(scene);
    const [subscriber] = await scene.subscribe(base, 1);
    const time = clock();
    const { faults } = startDispatcher(scene, { shards: 1, ...time });
    const data = unrenderable(subscriber?.id ?? '');
    const { delivery } = data;
    await commandDelivery(scene.stores.store, delivery, { kind: 'schedule', data }, operator());
    await scene.approve();
    await scene.happened('DeliverySucceeded');
    const parked = await until(async () => {
      time.advance(60_000);
      await time.settled();
      return (await scene.logged('DeliveryParked'))[0];
    });
    expect(parked.data).toEqual({
      subscription: subscriber?.id,
      tries: 10,
      reason: expect.stringMatching(/is not at the place that its delivery names/) as string,
    });
    expect(faults).toHaveLength(10);
    expect(times.has(delivery)).toBe(false);
    await caughtUp(scene.stores);
    expect(await replayParkedDelivery(scene.stores.store, delivery, operator())).toBe(true);
    await until(async () => {
      time.advance(60_000);
      await time.settled();
      return (await scene.logged('DeliveryParked')).length === 2;
    });
  });
});

describe('a test delivery', () => {
  const testOf = async (subscription: string) => {
    const delivery = randomUUID();
    const occurredAt = new Date().toISOString();
    const body = await renderBody(scene.stores, {
      event: 'resource.approved',
      deliveryId: delivery,
      occurredAt,
      payloadVersion: currentPayloadVersion,
      test: true,
    });
    if (body.kind !== 'rendered') throw new Error('A test delivery is about nobody.');
    const data = {
      delivery,
      subscription,
      team: 'harbour',
      event: 'resource.approved',
      test: true,
      occurred_at: occurredAt,
      payload_version: currentPayloadVersion,
      ...body.digest,
    } as const;
    await commandDelivery(scene.stores.store, delivery, { kind: 'schedule', data }, operator());
    return delivery;
  };

  test('is attempted once, also while the subscription is paused, and not when it is deleted', async () => {
    let status = 204;
    const { base, times } = await startReceiver(scene, (response) => response.writeHead(status).end());
    const [paused, deleted] = await scene.subscribe(base, 2);
    await commandSubscription(scene.stores, paused?.id ?? '', { kind: 'pause' }, operator());
    await commandSubscription(scene.stores, deleted?.id ?? '', { kind: 'delete' }, operator());
    const { faults } = startDispatcher(scene, { shards: 1 });
    await scene.approve();
    await scene.happened('DeliveryScheduled');

    const good = await testOf(paused?.id ?? '');
    await scene.happened('DeliverySucceeded');
    status = 500;
    const bad = await testOf(paused?.id ?? '');
    const [failed] = await scene.happened('DeliveryFailed');
    const gone = await testOf(deleted?.id ?? '');
    const [discarded] = await scene.happened('DeliveryDiscarded');

    expect(failed?.data).toMatchObject({ attempt: 1, status: 500 });
    expect(failed && idOf(failed)).toBe(bad);
    expect(discarded && idOf(discarded)).toBe(gone);
    expect([...times]).toEqual([
      [good, 1],
      [bad, 1],
    ]);
    expect(await readAttempts(scene.stores.side, bad)).toMatchObject([{ attempt: 1, trigger: 'test' }]);
    expect(faults).toEqual([]);
  });

  test('that nobody has sent is sent by the next dispatcher, also while the subscription is paused', async () => {
    const { base, times } = await startReceiver(scene);
    const [subscriber] = await scene.subscribe(base, 1);
    const id = subscriber?.id ?? '';
    await commandSubscription(scene.stores, id, { kind: 'pause' }, operator());
    const first = startDispatcher(scene, { shards: 1 });
    await scene.approve(130);
    await scene.happened('DeliveryScheduled', 130);
    await first.stop();
    const { delivery } = await scheduleTest(scene.stores, { subscriptionId: id }, operator());
    await caughtUp(scene.stores);
    const second = startDispatcher(scene, { shards: 1 });

    await scene.happened('DeliverySucceeded');
    expect([...times]).toEqual([[delivery, 1]]);
    await until(async () => (await waitingTests(scene.stores.side).list()).length === 0);
    expect([...first.faults, ...second.faults]).toEqual([]);
  });
});

describe('a delivery that cannot be rendered', () => {
  test('holds up no other of its subscription, even when there are hundreds of them', async () => {
    const { base, times } = await startReceiver(scene);
    const [subscriber] = await scene.subscribe(base, 1);
    // Nothing is due again until the test says so.
    startDispatcher(scene, { shards: 1, ...clock() });
    const poisonous = Array.from({ length: 250 }, () => unrenderable(subscriber?.id ?? ''));
    const { store } = scene.stores;
    await Promise.all(
      poisonous.map((data) => commandDelivery(store, data.delivery, { kind: 'schedule', data }, operator())),
    );
    await scene.approve(20);
    await scene.happened('DeliverySucceeded', 20);
    expect(times.size).toBe(20);
    expect(await scene.logged('DeliveryParked')).toEqual([]);
  });
});

describe('a team whose receivers never answer', () => {
  test('holds up no other team, however much it has due', async () => {
    const waiting: (() => void)[] = [];
    let isOver = false;
    const { base: dead, times: hanging } = await startReceiver(scene, (response) => {
      if (isOver) response.end();
      else waiting.push(() => response.end());
    });
    const { base: alive, times } = await startReceiver(scene);
    await scene.subscribe(dead, 30);
    await scene.subscribe(alive, 2, 'uphill');
    startDispatcher(scene, { shards: 1 });
    await scene.approve(10);
    await scene.happened('DeliveryScheduled', 300);
    await until(() => hanging.size === 100);

    await scene.approve(5, 'uphill');

    await scene.happened('DeliverySucceeded', 10);
    expect(times.size).toBe(10);
    // Nothing has timed out yet, and the team has no more than its share.
    expect(await scene.logged('DeliveryAttemptFailed')).toEqual([]);
    expect(hanging.size).toBe(100);
    isOver = true;
    for (const answer of waiting) answer();
  });
});
