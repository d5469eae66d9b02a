import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { registerPerson } from '../../src/commands/accounts/person.ts';
import { recordPayment, reversePayment } from '../../src/commands/payments.ts';
import { joinTeam } from '../../src/commands/teams/member.ts';
import { commandSubscription, createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { deliveryDetails } from '../../src/dispatch/operations/delivery-details.ts';
import { replay } from '../../src/dispatch/operations/replay.ts';
import { resendDelivery } from '../../src/dispatch/operations/resend.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import type { WebhookEvent } from '../../src/events/webhooks/webhook-events.ts';
import { deliveries } from '../../src/projections/webhooks/deliveries.ts';
import { caughtUp } from '../support/projector.ts';
import { until } from '../support/until.ts';
import type { Received } from './receivers.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from './harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

async function subscribe(url: string, events: readonly WebhookEvent[]): Promise<string> {
  const wish = { team: 'harbour', url, events };
  return (await createSubscription(scene.stores, wish, newSigningSecret(randomBytes), operator()))
    .subscriptionId;
}

/** A payment of a new member. */
async function pay(): Promise<string> {
  const { stores } = scene;
  const person = { email: `${crypto.randomUUID()}@example.org`, profile: { name: 'Ana' } };
  const { userId } = await registerPerson(stores, person, operator());
  await joinTeam(stores, { team: 'harbour', user: userId, role: 'member' }, operator());
  const payment = { member_id: userId, amount_minor: 1250, currency: 'USD', memo: 'Dues' };
  const { state } = await recordPayment(stores, 'harbour', payment, operator());
  return state?.payment ?? '';
}
const reverse = (payment: string) => reversePayment(scene.stores, payment, {}, operator());

test('a payment that is reversed while its delivery is held is not sent as received, and its reversal is announced', async () => {
  const received: Received[] = [];
  const { base } = await startReceiver(scene, (response, _, request) => {
    received.push(request);
    response.writeHead(204).end();
  });
  const bodies = () => received.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
  const id = await subscribe(`${base}/all`, ['payment.received', 'payment.reversed']);
  await commandSubscription(scene.stores, id, { kind: 'pause' }, operator());
  await caughtUp(scene.stores);
  const { faults } = startDispatcher(scene, { shards: 1 });
  const payment = await pay();
  const [scheduled] = await scene.happened('DeliveryScheduled');
  await reverse(payment);

  // It ends while it is held, and the log says why.
  const [ended] = await scene.happened('DeliveryReversed');
  expect(ended?.stream).toBe(scheduled?.stream);
  await commandSubscription(scene.stores, id, { kind: 'resume' }, operator());
  await scene.happened('DeliverySucceeded');
  expect(bodies().map(({ event }) => event)).toEqual(['payment.reversed']);
  expect(bodies()[0]?.['data']).toMatchObject({
    id: payment,
    amount_minor: 1250,
    currency: 'USD',
    reason: null,
  });

  const delivery = scheduled?.stream.replace('webhook-delivery-', '') ?? '';
  expect(await deliveryDetails(scene.stores, delivery)).toMatchObject({
    status: 'reversed',
    attempts: [],
    steps: [{ what: 'reversed' }],
  });
  await caughtUp(scene.stores);
  const found = scene.stores.documents.collection(deliveries.collection);
  expect(await found.get(delivery)).toMatchObject({ status: 'reversed' });

  // Whoever wants it all the same can have it sent.
  await resendDelivery(scene.stores.store, delivery, operator());
  await scene.happened('DeliverySucceeded', 2);
  expect(bodies()[1]).toMatchObject({ event: 'payment.received', data: { id: payment, memo: 'Dues' } });
  expect(faults).toEqual([]);
});

test('a payment that was reversed before its delivery is attempted is not sent, and a replay leaves it', async () => {
  let status = 500;
  const { base, times } = await startReceiver(scene, (response) => response.writeHead(status).end());
  const retried = await subscribe(`${base}/retried`, ['payment.received']);
  await caughtUp(scene.stores);
  const { faults } = startDispatcher(scene, { shards: 1, delays: [0, 60_000] });
  const payment = await pay();
  await scene.happened('DeliveryAttemptFailed');
  await reverse(payment);
  await scene.happened('DeliveryReversed');
  status = 204;

  // Scheduled after the reversal, so only the attempt can see it.
  const later = await subscribe(`${base}/later`, ['payment.received']);
  await caughtUp(scene.stores);
  const again = () =>
    replay(
      { ...scene.stores, now: () => new Date() },
      { subscription: later, from: { after: 0n } },
      operator(),
    );
  expect(await again()).toMatchObject({ scheduled: 1, reversed: 0 });
  await scene.happened('DeliveryReversed', 2);
  expect(await again()).toMatchObject({ scheduled: 0, reopened: 0, waiting: 0, reversed: 1 });

  const unharmed = await pay();
  await scene.happened('DeliverySucceeded', 2);
  await until(() => times.size === 3);
  expect([...times.values()]).toEqual([1, 1, 1]);
  const scheduled = await scene.logged('DeliveryScheduled');
  expect(scheduled.map(({ data }) => (data as { subscription: string }).subscription)).toEqual([
    retried,
    later,
    ...[retried, later].sort(),
  ]);
  expect(unharmed).not.toBe(payment);
  expect(faults).toEqual([]);
});
