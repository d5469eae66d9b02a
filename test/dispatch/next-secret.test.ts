import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { activateSecret, createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { prepareNextSecret, renewSecret } from '../../src/dispatch/operations/signing-secrets.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { caughtUp } from '../support/projector.ts';
import { until } from '../support/until.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from './harness.ts';
import type { Received } from './receivers.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

/** Whether a request is valid for a secret, by each of the two signatures. */
function verdict({ headers, body }: Received, secret: string) {
  const standard = () => new Webhook(secret).verify(body, headers as Record<string, string>);
  const ofInterface = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  let isStandard = true;
  try {
    standard();
  } catch {
    isStandard = false;
  }
  return { standard: isStandard, interface: headers['x-service-signature'] === ofInterface };
}

const [both, neither] = [
  { standard: true, interface: true },
  { standard: false, interface: false },
];

test('a receiver changes to the next secret without a gap, and the former one ends when that is activated', async () => {
  const received: Received[] = [];
  const { base } = await startReceiver(scene, (response, _, request) => {
    received.push(request);
    response.writeHead(204).end();
  });
  const wish = { team: 'harbour', url: base, events: ['resource.approved'] } as const;
  const former = newSigningSecret(randomBytes);
  const { subscriptionId: id } = await createSubscription(scene.stores, wish, former, operator());
  await caughtUp(scene.stores);
  const { faults } = startDispatcher(scene, { shards: 1 });
  const sent = async () => {
    const count = received.length;
    await scene.approve();
    await until(() => received.length > count);
    return received[count] as Received;
  };

  const givenUp = (await prepareNextSecret(scene.stores, id, operator())).secret ?? '';
  const next = (await prepareNextSecret(scene.stores, id, operator())).secret ?? '';
  let request = await sent();
  expect(verdict(request, former)).toEqual(both);
  expect(verdict(request, next)).toEqual({ standard: true, interface: false });
  expect(verdict(request, givenUp)).toEqual(neither);

  await activateSecret(scene.stores, id, undefined, operator());
  request = await sent();
  expect(verdict(request, next)).toEqual(both);
  expect(verdict(request, former)).toEqual(neither);
  // Only the secret that signs is kept.
  expect(await scene.stores.vault.names('webhook-secret/')).toHaveLength(1);

  // After a leak: at once, and what was prepared does not stay valid beside it.
  const leaked = (await prepareNextSecret(scene.stores, id, operator())).secret ?? '';
  const renewed = (await renewSecret(scene.stores, id, operator())).secret ?? '';
  request = await sent();
  expect(verdict(request, renewed)).toEqual(both);
  for (const each of [next, leaked]) expect(verdict(request, each)).toEqual(neither);
  expect(await scene.stores.vault.names('webhook-secret/')).toHaveLength(1);
  await expect(activateSecret(scene.stores, id, undefined, operator())).rejects.toThrow(
    'No next signing secret',
  );

  // A next secret that the vault has lost stops nothing, and is not activated.
  await prepareNextSecret(scene.stores, id, operator());
  const [prepared] = await scene.happened('SubscriptionSecretPrepared', 4).then((all) => all.slice(-1));
  const { next_secret_id } = prepared?.data as { next_secret_id: string };
  await scene.stores.vault.delete(`webhook-secret/${id}/${next_secret_id}`);
  request = await sent();
  expect(verdict(request, renewed)).toEqual(both);
  await expect(activateSecret(scene.stores, id, undefined, operator())).rejects.toThrow('is lost');
  expect(faults).toEqual([]);
});
