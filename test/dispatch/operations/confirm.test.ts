import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { confirmHealth } from '../../../src/commands/webhooks/confirmation.ts';
import { confirmWithTest, scheduleTest } from '../../../src/dispatch/operations/test-delivery.ts';
import type { Received } from '../receivers.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from '../harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

/** A subscription that a 410 has paused, with two deliveries that are held, and a dispatcher at work. */
async function paused() {
  const answers = { status: 410 };
  const received: Received[] = [];
  const to = await startReceiver(scene, (response, _, request) => {
    received.push(request);
    response.writeHead(answers.status).end();
  });
  const [subscriber] = await scene.subscribe(to.base, 1);
  const id = subscriber?.id ?? '';
  const { faults } = startDispatcher(scene, { delays: [0] });
  await scene.approve();
  await scene.happened('SubscriptionAutoPaused');
  await scene.approve(2);
  await scene.happened('DeliveryScheduled', 3);
  return { id, to, answers, faults, received };
}

const contexts = () => ({ test: operator(), confirm: operator() });
const confirm = (id: string) => confirmWithTest(scene.stores, id, contexts(), 10_000);
const statusOf = async (id: string) =>
  ((await scene.stores.store.readStream(`webhook-subscription-${id}`)).at(-1)?.data as { status: string })
    .status;

describe('a subscription that the service has paused', () => {
  test('is active again when its receiver accepts a test, and then gets what was held', async () => {
    const { id, to, answers, faults, received } = await paused();
    await expect(commandSubscription(scene.stores, id, { kind: 'resume' }, operator())).rejects.toThrow(
      'subscriptions confirm',
    );
    answers.status = 204;
    const { delivery, outcome } = await confirm(id);
    expect(outcome.state).toMatchObject({ status: 'active' });
    expect(outcome.state).not.toHaveProperty('paused_because');
    await scene.happened('DeliverySucceeded', 3);
    // The test, and each of the held ones, once. What had failed before is for somebody to ask for.
    expect([...to.times.values()]).toEqual([1, 1, 1, 1]);
    expect(to.times.get(delivery)).toBe(1);
    // Only the test says, in its signed body and in a header, that nothing has happened.
    for (const { headers, body } of received) {
      const isTest = headers['x-service-delivery'] === delivery;
      expect(headers['x-service-test']).toBe(isTest ? 'true' : undefined);
      expect((JSON.parse(body.toString()) as { test?: true }).test).toBe(isTest ? true : undefined);
    }
    expect(faults).toEqual([]);
  });

  test('stays paused when the test is not accepted, which is tried once', async () => {
    const { id, to, answers } = await paused();
    answers.status = 500;
    await expect(confirm(id)).rejects.toThrow('was not accepted');
    expect(await statusOf(id)).toBe('paused');
    expect(to.times.size).toBe(2);
    expect([...to.times.values()]).toEqual([1, 1]);
    answers.status = 204;
    await confirm(id);
    expect(await statusOf(id)).toBe('active');
  });

  test('is not confirmed by a test of another URL than it has now', async () => {
    const { id, answers } = await paused();
    answers.status = 204;
    const test = await scheduleTest(scene.stores, { subscriptionId: id }, operator());
    await scene.happened('DeliverySucceeded', 1);
    await commandSubscription(
      scene.stores,
      id,
      { kind: 'change-url', url: 'http://127.0.0.1:9' },
      operator(),
    );
    await expect(confirmHealth(scene.stores.store, id, test.delivery, operator())).rejects.toThrow(
      'Send another one',
    );
    expect(await statusOf(id)).toBe('paused');
  });

  test('says what is missing while nobody sends webhooks', async () => {
    const [subscriber] = await scene.subscribe('http://127.0.0.1:9', 1);
    const id = subscriber?.id ?? '';
    await commandSubscription(scene.stores, id, { kind: 'auto-pause', reason: 'It is gone.' }, operator());
    await expect(confirmWithTest(scene.stores, id, contexts(), 50)).rejects.toThrow(
      'A server must be running',
    );
  });
});
