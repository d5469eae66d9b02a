import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandDelivery } from '../../src/commands/webhooks/delivery.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { until } from '../support/until.ts';
import { openScene, operator, startDispatcher, type Scene } from './harness.ts';
import { attemptedAt, type RealDelivery } from './real-delivery.ts';

type Handle = (event: { readonly event: string; readonly delivery_id: string }) => unknown;

const example = new URL('../../examples/webhook-receiver/receiver.js', import.meta.url).href;
const { receiver } = (await import(example)) as {
  receiver: (options: { secret: string; handle: Handle }) => FastifyInstance;
};

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

/** The receiver of the example, subscribed, with what it got and handled. */
async function subscribed(handle: Handle = () => undefined) {
  const handled: string[] = [];
  const requests: Pick<RealDelivery, 'body' | 'headers'>[] = [];
  const secret = newSigningSecret(randomBytes);
  const server = receiver({
    secret,
    handle: async (event) => {
      await handle(event);
      handled.push(event.delivery_id);
    },
  });
  server.addHook('preHandler', async ({ headers, body }) => {
    requests.push({ headers: headers as Record<string, string>, body: body as Buffer });
  });
  const base = await server.listen({ host: '127.0.0.1', port: 0 });
  scene.atEnd(() => server.close());
  const wish = { team: 'harbour', url: `${base}/webhooks`, events: ['resource.approved'] } as const;
  await createSubscription(scene.stores, wish, secret, operator());
  const first = async (): Promise<RealDelivery> => {
    const [request] = await until(() => requests.length > 0 && requests);
    if (!request) throw new Error('Nothing arrived.');
    return { ...request, secret };
  };
  const post = async (headers: Readonly<Record<string, string>>, body: Buffer) =>
    (await server.inject({ method: 'POST', url: '/webhooks', headers, payload: body })).statusCode;
  return { handled, first, post };
}

test('the example handles a delivery, and a repeated one once', async () => {
  const { handled, first } = await subscribed();
  startDispatcher(scene);
  await scene.approve();
  await scene.happened('DeliverySucceeded');
  const { headers } = await first();
  const id = headers['webhook-id'] ?? '';
  expect(handled).toEqual([id]);

  await commandDelivery(scene.stores.store, id, { kind: 'resend', requestedBy: 'resend' }, operator());
  await scene.happened('DeliverySucceeded', 2);
  expect(handled).toEqual([id]);
});

test('the example gets a delivery again that it could not handle', async () => {
  let failures = 2;
  const { handled } = await subscribed(() => {
    if (failures-- > 0) throw new Error('The database is down.');
  });
  startDispatcher(scene);
  await scene.approve();
  await scene.happened('DeliverySucceeded');
  expect(handled).toHaveLength(1);
  expect(await scene.logged('DeliveryAttemptFailed')).toHaveLength(2);
});

test('the example refuses what is forged or old', async () => {
  const { handled, first, post } = await subscribed();
  startDispatcher(scene);
  await scene.approve();
  await scene.happened('DeliverySucceeded');
  const real = await first();
  const { headers, body } = real;
  const changed = (name: string, value: string) => post({ ...headers, [name]: value }, body);

  expect(await post(headers, Buffer.from(body.toString().replace('approved', 'rejected')))).toBe(401);
  expect(await changed('webhook-id', '11111111-1111-4111-8111-111111111111')).toBe(401);
  expect(await changed('webhook-signature', 'v1,AAAA')).toBe(401);
  expect(await changed('webhook-signature', `v1,${'ä'.repeat(44)}`)).toBe(401);
  const { 'webhook-signature': _, ...unsigned } = headers;
  expect(await post(unsigned, body)).toBe(401);
  const another = { ...real, secret: newSigningSecret(randomBytes) };
  expect(await post(attemptedAt(another, new Date()), body)).toBe(401);

  const old = attemptedAt(real, new Date(Date.now() - 6 * 60_000));
  expect(await post(old, body)).toBe(400);
  const now = String(Math.floor(Date.now() / 1_000));
  expect(await post({ ...old, 'webhook-timestamp': now }, body), 'with another time').toBe(401);

  expect(await post(attemptedAt(real, new Date()), body), 'a repeated one is acknowledged').toBe(204);
  expect(handled).toHaveLength(1);
});
