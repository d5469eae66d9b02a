import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { walk, type WalkNode } from '../../src/audit/walk.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { resendDelivery } from '../../src/dispatch/operations/resend.ts';
import { streamId } from '../../src/events/define.ts';
import { deliveryStream } from '../../src/events/webhooks/webhook.ts';
import { caughtUp } from '../support/projector.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from './harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

const told = ({ found, effects }: WalkNode): unknown =>
  effects.length === 0 ? found.recorded.type : [found.recorded.type, ...effects.map(told)];

async function walked(correlation: string) {
  await caughtUp(scene.stores);
  const found = await walk(scene.stores, correlation, undefined);
  return found?.roots.map(told);
}

/** A record that is submitted and approved in one request. */
async function publish(correlationId: string): Promise<void> {
  const fields = { name: 'Pantry', category: 'food' } as const;
  const context = () => ({ ...operator(), correlationId });
  const { state } = await submitResource(scene.stores, { team: 'harbour', fields }, context());
  const [submitted] = await scene.logged('ResourceSubmitted');
  const because = { ...context(), causationId: submitted?.id ?? '' };
  await commandResource(scene.stores, state?.svc_id ?? '', { kind: 'approve' }, because);
}

test('a walk shows a delivery, each of its attempts, and the pause that an attempt led to, under the request', async () => {
  const to = await startReceiver(scene, (response, times, { path }) =>
    response.writeHead(path === '/1' ? 410 : times === 0 ? 500 : 204).end(),
  );
  await scene.subscribe(to.base, 2);
  const { faults } = startDispatcher(scene, {}, scene.stores);
  const correlation = randomUUID();
  await publish(correlation);
  await scene.happened('DeliverySucceeded');
  await scene.happened('SubscriptionAutoPaused');

  const [root, ...others] = (await walked(correlation)) ?? [];
  expect(others).toEqual([]);
  const [submitted, [approved, ...deliveries]] = root as [string, [string, ...unknown[]]];
  expect([submitted, approved]).toEqual(['ResourceSubmitted', 'ResourceApproved']);
  expect(deliveries).toHaveLength(2);
  expect(deliveries).toContainEqual(['DeliveryScheduled', 'DeliveryAttemptFailed', 'DeliverySucceeded']);
  expect(deliveries).toContainEqual([
    'DeliveryScheduled',
    ['DeliveryAttemptFailed', 'SubscriptionAutoPaused'],
  ]);
  expect(faults).toEqual([]);
});

test('an attempt that somebody asked for is under the request that asked for it', async () => {
  const to = await startReceiver(scene);
  await scene.subscribe(to.base, 1);
  startDispatcher(scene, {}, scene.stores);
  await publish(randomUUID());
  const [delivered] = await scene.happened('DeliverySucceeded');
  const asked = operator();
  await resendDelivery(scene.stores.store, streamId(delivered ?? { stream: '' }, deliveryStream), asked);
  await scene.happened('DeliverySucceeded', 2);
  expect(await walked(asked.commandId)).toEqual([['DeliveryResent', 'DeliverySucceeded']]);
});
