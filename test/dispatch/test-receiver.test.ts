import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { erasePerson } from '../../src/commands/accounts/erasure.ts';
import { registerPerson } from '../../src/commands/accounts/person.ts';
import { joinTeam } from '../../src/commands/teams/member.ts';
import { commandSubscription, createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { openRequest, receive, receivedRequests } from '../../src/dispatch/operations/test-receiver.ts';
import { testReceiverKeeps } from '../../src/dispatch/delivery-policy.ts';
import { newSigningSecret, signHeaders } from '../../src/dispatch/signature.ts';
import type { WebhookEvent } from '../../src/events/webhooks/webhook-events.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from './harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

const subscribe = (...events: readonly WebhookEvent[]) =>
  createSubscription(
    scene.stores,
    { team: 'harbour', url: undefined, events },
    newSigningSecret(randomBytes),
    operator(),
  );

const received = (team = 'harbour') => receivedRequests(scene.stores.side, team);

const opened = async (place: number) => {
  const { id = '' } = (await received())[place] ?? {};
  return openRequest(scene.stores, 'harbour', id);
};

test('what would be sent is handed over in the process, signed, and recorded like any other delivery', async () => {
  const { base, times } = await startReceiver(scene);
  const { subscriptionId } = await subscribe('resource.approved');
  await scene.subscribe(base, 1);
  const { sent, faults } = startDispatcher(scene);
  await scene.approve();
  const outcomes = await scene.happened('DeliverySucceeded', 2);
  expect(faults).toEqual([]);
  expect(sent).toEqual(['/0']);
  expect(times.size).toBe(1);

  const [request, ...others] = await received();
  expect(others).toEqual([]);
  expect(request).toMatchObject({
    subscription: subscriptionId,
    event: 'resource.approved',
    attempt: 1,
    signed: true,
  });
  const there = outcomes.find(
    ({ data }) => (data as { subscription: string }).subscription === subscriptionId,
  );
  expect(there?.data).toMatchObject({ attempt: 1, status: 200 });
  const { content } = (await opened(0)) ?? {};
  expect(content?.headers['X-Service-Delivery']).toBe(request?.delivery);
  expect(JSON.parse(content?.body ?? '')).toMatchObject({
    event: 'resource.approved',
    delivery_id: request?.delivery,
  });

  expect(await received('uphill')).toEqual([]);
  expect(await openRequest(scene.stores, 'uphill', request?.id ?? '')).toBeUndefined();
});

test('with an address the same webhook sends there, and the test receiver gets nothing more', async () => {
  const { base, times } = await startReceiver(scene);
  const { subscriptionId: id } = await subscribe('resource.approved');
  startDispatcher(scene);
  await scene.approve();
  await scene.happened('DeliverySucceeded');
  await commandSubscription(scene.stores, id, { kind: 'change-url', url: `${base}/moved` }, operator());
  await scene.approve();
  await scene.happened('DeliverySucceeded', 2);
  expect(times.size).toBe(1);
  expect(await received()).toHaveLength(1);
});

test('who is erased is erased from the test receiver', async () => {
  await subscribe('member.joined');
  startDispatcher(scene, {}, scene.stores);
  const person = { email: 'ana@example.org', profile: { name: 'Ana Secret' } };
  const { userId: user } = await registerPerson(scene.stores, person, operator());
  await joinTeam(scene.stores, { team: 'harbour', user, role: 'member' }, operator());
  await scene.happened('DeliverySucceeded');
  expect((await opened(0))?.content?.body).toContain('Ana Secret');
  const table = scene.stores.side.table<unknown>('test-receiver-contents');
  expect(JSON.stringify(await table.list())).not.toContain('Ana');
  await erasePerson(scene.stores, user, operator());
  expect(await received()).toHaveLength(1);
  expect(await opened(0)).toMatchObject({ event: 'member.joined', content: undefined });
});

/** A request with this body, at the test receiver. */
async function arrives(body: string, at = new Date(), team = 'harbour') {
  const delivery = randomUUID();
  const secret = newSigningSecret(randomBytes);
  const event = 'resource.approved' as const;
  const headers = signHeaders({ secret, deliveryId: delivery, event, body, at });
  return receive(
    { ...scene.stores, now: () => at },
    {
      scheduled: {
        ...{ delivery, subscription: randomUUID(), team, event },
        ...{ occurred_at: at.toISOString(), payload_version: 1 },
      },
      attempt: 1,
      holder: undefined,
      recipient: { kind: 'active', url: undefined, secret },
      sending: { headers, body },
    },
  );
}

test('a flood leaves the newest of its team, and as much of each body as is kept', async () => {
  const now = Date.now();
  const tables = ['test-receiver-requests', 'test-receiver-contents'].map((name) =>
    scene.stores.side.table<unknown>(name),
  );
  await arrives('of the neighbour', new Date(now - 1), 'uphill');
  const { requests, bytes } = testReceiverKeeps;
  const flood = Array.from({ length: 2 * requests + 50 }, (_, number) => number);
  const atOnce = 50;
  for (let from = 0; from < flood.length; from += atOnce)
    await Promise.all(
      flood.slice(from, from + atOnce).map((number) => arrives(String(number), new Date(now + number))),
    );
  const bodies = await Promise.all((await received()).map((_, place) => opened(place)));
  expect(bodies.map((each) => each?.content?.body)).toEqual(flood.map(String).reverse().slice(0, requests));
  // And nothing else is left in the store.
  for (const table of tables) expect(await table.list()).toHaveLength(requests + 1);

  const long = 'é'.repeat(bytes);
  expect(await arrives(`x${long}`, new Date(now + 10_000))).toMatchObject({ kind: 'answered', status: 200 });
  const cut = await opened(0);
  expect(cut).toMatchObject({ bytes: 2 * bytes + 1, signed: true });
  const kept = cut?.content?.body ?? '';
  expect(Buffer.byteLength(kept)).toBe(bytes - 1);
  expect(kept.endsWith('é')).toBe(true);
});

test('a request is kept for a day', async () => {
  await arrives('old', new Date(Date.now() - testReceiverKeeps.forMs - 1_000));
  expect(await received()).toEqual([]);
  await arrives('younger', new Date(Date.now() - testReceiverKeeps.forMs + 60_000));
  expect(await received()).toHaveLength(1);
});

test('when the lease is lost before it is handed over, nothing is kept', async () => {
  const { subscriptionId } = await subscribe('resource.approved');
  const secret = newSigningSecret(randomBytes);
  const scheduled = {
    ...{ delivery: randomUUID(), subscription: subscriptionId, team: 'harbour', payload_version: 1 },
    event: 'resource.approved' as const,
    occurred_at: new Date().toISOString(),
  };
  const headers = signHeaders({
    ...{ secret, deliveryId: scheduled.delivery, event: scheduled.event },
    ...{ body: '{}', at: new Date() },
  });
  const outcome = await receive(
    { ...scene.stores, now: () => new Date() },
    {
      ...{ scheduled, attempt: 1, holder: undefined },
      recipient: { kind: 'active', url: undefined, secret },
      sending: { headers, body: '{}', mayStart: () => false },
    },
  );
  expect(outcome).toMatchObject({ kind: 'failed', reason: 'aborted' });
  expect(await received()).toEqual([]);
});

test('when the store of the test receiver is down, the attempt is made anew, and does not count', async () => {
  await subscribe('resource.approved');
  const table = scene.stores.side.table<unknown>('test-receiver-requests');
  const put = table.put.bind(table);
  let failures = 1;
  let aheadMs = 0;
  table.put = (...of) => {
    if (failures-- <= 0) return put(...of);
    aheadMs = 60_000;
    return Promise.reject(new Error('no disk'));
  };
  const now = () => new Date(Date.now() + aheadMs);
  const { faults } = startDispatcher(scene, { now }, scene.stores);
  await scene.approve();
  const [outcome] = await scene.happened('DeliverySucceeded');
  expect(outcome?.data).toMatchObject({ attempt: 1, status: 200 });
  expect(faults.join()).toContain('no disk');
  expect(await received()).toHaveLength(1);
});
