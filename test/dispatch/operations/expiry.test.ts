import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandDelivery } from '../../../src/commands/webhooks/delivery.ts';
import { commandSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { expireRound } from '../../../src/dispatch/operations/expiry.ts';
import { caughtUp } from '../../support/projector.ts';
import { until } from '../../support/until.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from '../harness.ts';

const day = 24 * 3_600_000;
const heldMs = 30 * day;

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

/** So many deliveries that are held for one paused subscription. */
async function held(count: number) {
  const [paused] = await scene.subscribe('http://127.0.0.1:9', 1);
  const id = paused?.id ?? '';
  await commandSubscription(scene.stores, id, { kind: 'pause' }, operator());
  const dispatcher = startDispatcher(scene);
  await scene.approve(count);
  await scene.happened('DeliveryScheduled', count);
  await dispatcher.stop();
  await caughtUp(scene.stores);
  return id;
}

const later = (ms: number) => new Date(Date.now() + ms);
const round = async (at: Date, atMost?: number) => {
  const ended = await expireRound(scene.stores, at, { heldMs, ...(atMost === undefined ? {} : { atMost }) });
  await caughtUp(scene.stores);
  return ended;
};
const expired = async () => (await scene.logged('DeliveryExpired')).map(({ stream }) => stream);

describe('what is held for a paused subscription', () => {
  test('expires after thirty days, the oldest first, so many in a round', async () => {
    await held(5);
    const scheduled = (await scene.logged('DeliveryScheduled')).map(({ stream }) => stream);
    expect(await round(later(heldMs - day))).toBe(0);
    expect(await round(later(heldMs + day), 2)).toBe(2);
    expect(await round(later(heldMs + day), 2)).toBe(2);
    expect(await round(later(heldMs + day), 2)).toBe(1);
    expect(await round(later(heldMs + day), 2)).toBe(0);
    expect((await expired()).sort()).toEqual(scheduled.sort());
  });

  test('is held from the pause on, and not from an earlier failure', async () => {
    const [subscriber] = await scene.subscribe('http://127.0.0.1:9', 1);
    const id = subscriber?.id ?? '';
    const dispatcher = startDispatcher(scene, { delays: [0, day] });
    await scene.approve(1);
    await scene.happened('DeliveryAttemptFailed', 1);
    await dispatcher.stop();
    const lateStart = { ...operator(), at: later(10 * day) };
    await commandSubscription(scene.stores, id, { kind: 'pause' }, lateStart);
    await caughtUp(scene.stores);
    expect(await round(later(heldMs + 5 * day))).toBe(0);
    expect(await round(later(heldMs + 11 * day))).toBe(1);
  });

  test('does not expire when the subscription was resumed, or somebody asked for it again, after the read model was read', async () => {
    const id = await held(2);
    const [first] = await scene.logged('DeliveryScheduled');
    const delivery = first?.stream.replace('webhook-delivery-', '') ?? '';
    // The read model stands still: it shows both as pending, and the subscription as paused.
    await scene.projector.stop();
    const then = { ...operator(), at: later(heldMs) };
    await commandDelivery(scene.stores.store, delivery, { kind: 'discard' }, then);
    await commandDelivery(
      scene.stores.store,
      delivery,
      { kind: 'resend', requestedBy: 'resend' },
      {
        ...operator(),
        at: later(heldMs),
      },
    );
    expect(await expireRound(scene.stores, later(heldMs + day), { heldMs })).toBe(1);
    expect(await expired()).not.toContain(first?.stream);
    await commandSubscription(scene.stores, id, { kind: 'resume' }, operator());
    expect(await expireRound(scene.stores, later(3 * heldMs), { heldMs })).toBe(0);
  });

  test('is discarded when the subscription is deleted, also what is scheduled later', async () => {
    const id = await held(3);
    await commandSubscription(scene.stores, id, { kind: 'delete' }, operator());
    await caughtUp(scene.stores);
    expect(await round(new Date())).toBe(3);
    expect(await scene.logged('DeliveryDiscarded')).toHaveLength(3);
    expect(await expired()).toEqual([]);
  });
});

test('a dispatcher ends what it holds for too long, and sends nothing of it', async () => {
  const id = await held(4);
  const to = await startReceiver(scene);
  await commandSubscription(scene.stores, id, { kind: 'change-url', url: `${to.base}/0` }, operator());
  const { faults } = startDispatcher(scene, { now: () => later(heldMs + day), heldMs });
  await until(async () => (await expired()).length === 4);
  expect(to.times.size).toBe(0);
  expect(faults).toEqual([]);
});
