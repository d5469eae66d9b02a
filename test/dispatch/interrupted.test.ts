import { afterEach, beforeEach, expect, test } from 'vitest';
import { attemptJournal } from '../../src/dispatch/attempts/attempt-journal.ts';
import { fanOut } from '../../src/dispatch/fan-out.ts';
import { journalGroupOf } from '../../src/dispatch/lanes/shards.ts';
import { subscriptionHealth } from '../../src/projections/webhooks/subscription-health.ts';
import { caughtUp } from '../support/projector.ts';
import { openScene, startDispatcher, startReceiver, unsupervised, type Scene } from './harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

/** A delivery that a dispatcher was sending when it was killed: its first attempt is open and has no outcome. */
async function interruptedDelivery(base: string): Promise<{ id: string; subscription: string }> {
  const { stores } = scene;
  const [subscriber] = await scene.subscribe(base, 1);
  const subscription = subscriber?.id ?? '';
  await caughtUp(stores);
  await scene.approve();
  const stop = new AbortController();
  const dispatching = { ...stores, now: () => new Date() } as unknown as Parameters<typeof fanOut>[0];
  const fanning = fanOut(dispatching, stop.signal, unsupervised);
  const [scheduled] = await scene.happened('DeliveryScheduled');
  stop.abort();
  await fanning;
  await caughtUp(stores);
  const id = scheduled?.stream.replace('webhook-delivery-', '') ?? '';
  await leaveOpen(id, subscription, 1);
  return { id, subscription };
}

const leaveOpen = (id: string, subscription: string, attempt: number) =>
  attemptJournal(scene.stores.side).open(journalGroupOf(subscription), `${id}/${attempt}`, {
    attempt,
    subscription,
    started_at: new Date().toISOString(),
    trigger: 'schedule',
  });

const outcomes = async () =>
  (await scene.logged('DeliveryAttemptFailed', 'DeliveryFailed')).map(({ type, data }) => {
    const { attempt, status, interrupted } = data as { attempt: number; status?: number; interrupted?: true };
    return [type, attempt, status ?? (interrupted && 'interrupted')];
  });

test('an interrupted attempt takes no place in the schedule: the receiver is still asked as often as it says', async () => {
  const { base, times } = await startReceiver(scene, (response) => response.writeHead(500).end());
  const { id, subscription } = await interruptedDelivery(base);
  startDispatcher(scene, { shards: 1, delays: [0, 1, 1] });
  await scene.happened('DeliveryFailed');
  expect(await outcomes()).toEqual([
    ['DeliveryAttemptFailed', 1, 'interrupted'],
    ['DeliveryAttemptFailed', 2, 500],
    ['DeliveryAttemptFailed', 3, 500],
    ['DeliveryFailed', 4, 500],
  ]);
  expect(times.get(id)).toBe(3);
  await caughtUp(scene.stores, [subscriptionHealth as never]);
  const health = await scene.stores.documents.collection(subscriptionHealth.collection).get(subscription);
  const [, second] = await scene.logged('DeliveryAttemptFailed');
  // What interrupts us says nothing of the receiver.
  expect(health?.failing_since).toBe(second?.metadata['at']);
});

test('a delivery does not fail by an interruption, however often its last attempt is interrupted', async () => {
  const { base } = await startReceiver(scene);
  const { id, subscription } = await interruptedDelivery(base);
  const delays = [0];
  for (let attempt = 1; attempt <= 5; attempt++) {
    // The sender is cut off as by a kill: the attempt is left open, and whoever comes next settles it.
    if (attempt > 1) await leaveOpen(id, subscription, attempt);
    const killed = startDispatcher(scene, { shards: 1, delays, sender: sendsNothing });
    await scene.happened('DeliveryAttemptFailed', attempt);
    await killed.stop();
  }
  startDispatcher(scene, { shards: 1, delays });
  await scene.happened('DeliverySucceeded');
  expect(await scene.logged('DeliveryFailed')).toEqual([]);
});

/** Never sends: what was settled is not attempted again before the next kill. */
const sendsNothing = {
  send: () =>
    Promise.resolve({ kind: 'failed', reason: 'aborted', message: 'Cut off.', durationMs: 0 } as const),
  close: () => Promise.resolve(),
};
