import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { erasePerson } from '../../src/commands/accounts/erasure.ts';
import { commandPerson, registerPerson, requirePerson } from '../../src/commands/accounts/person.ts';
import { inviteMember } from '../../src/commands/teams/invitation.ts';
import { acceptInvitation, joinTeam } from '../../src/commands/teams/member.ts';
import { commandDelivery } from '../../src/commands/webhooks/delivery.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { readAttempts } from '../../src/dispatch/attempts/attempt-journal.ts';
import { deliveryDetails } from '../../src/dispatch/operations/delivery-details.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import type { DeliveryEvent } from '../../src/events/webhooks/webhook.ts';
import { until } from '../support/until.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from './harness.ts';
import type { Received } from './receivers.ts';
import { memoryLimits } from '../support/limits.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

const subscribe = (base: string) =>
  createSubscription(
    scene.stores,
    { team: 'harbour', url: `${base}/joined`, events: ['member.joined'] },
    newSigningSecret(randomBytes),
    operator(),
  );

async function register(name: string): Promise<string> {
  const person = { email: `${name.toLowerCase()}@example.org`, profile: { name } };
  return (await registerPerson(scene.stores, person, operator())).userId;
}

const join = (user: string) => joinTeam(scene.stores, { team: 'harbour', user, role: 'member' }, operator());

/** An inbox that answers each request as told. */
async function inbox(status: () => number = () => 204) {
  const arrived: Received[] = [];
  const { base } = await startReceiver(scene, (response, _, request) => {
    arrived.push(request);
    response.writeHead(status()).end();
  });
  return { base, arrived };
}

const dataOf = (event: { data: unknown } | undefined) => event?.data as Record<string, unknown>;

test('member.joined is delivered however the person joined', async () => {
  const to = await inbox();
  await subscribe(to.base);
  const { faults } = startDispatcher(scene, {}, scene.stores);
  const [added, invited] = [await register('Ana'), await register('Ben')];
  await join(added);
  const invitation = { team: 'harbour', role: 'reviewer', email: 'ben@example.org' } as const;
  const limits = memoryLimits({ 'invitations-team': 10 });
  const sent = await inviteMember({ ...scene.stores, limits, lifeSeconds: 60 }, invitation, operator());
  const { email } = await requirePerson(scene.stores, invited);
  await commandPerson(scene.stores, invited, { kind: 'verify-email', email }, operator());
  const by = { team: 'harbour', user: invited, invitation: sent.invitation };
  await acceptInvitation(scene.stores, by, operator());

  await scene.happened('DeliverySucceeded', 2);
  const told = to.arrived.map(({ body }) => (JSON.parse(body.toString()) as { data: object }).data);
  expect(told).toHaveLength(2);
  expect(told).toContainEqual({ id: added, name: 'Ana', email: 'ana@example.org', role: 'member' });
  expect(told).toContainEqual({ id: invited, name: 'Ben', email: 'ben@example.org', role: 'reviewer' });
  expect(faults).toEqual([]);
});

describe('a delivery about an erased person', () => {
  test('is failed when it is scheduled, without a digest', async () => {
    const to = await inbox();
    await subscribe(to.base);
    const user = await register('Ana');
    await join(user);
    await erasePerson(scene.stores, user, operator());
    const { faults } = startDispatcher(scene, {}, scene.stores);

    const [failed] = await scene.happened('DeliveryFailed');
    const [scheduled] = await scene.logged('DeliveryScheduled');
    expect(scheduled?.stream).toBe(failed?.stream);
    expect(dataOf(scheduled)).not.toHaveProperty('body_sha256');
    expect(dataOf(scheduled)).not.toHaveProperty('body_hmac');
    expect(dataOf(failed)).toMatchObject({ reason: 'erased', attempt: 0 });
    expect(to.arrived).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('is failed at the next attempt, and again when somebody asks for it', async () => {
    const to = await inbox(() => 500);
    await subscribe(to.base);
    const user = await register('Ana');
    await join(user);
    const first = startDispatcher(scene, { delays: [0, 3_600_000] }, scene.stores);
    const [attempted] = await scene.happened('DeliveryAttemptFailed');
    await first.stop();
    await erasePerson(scene.stores, user, operator());
    const later = { now: () => new Date(Date.now() + 7_200_000) };
    const { faults } = startDispatcher(scene, later, scene.stores);

    const [failed] = await scene.happened('DeliveryFailed');
    expect(dataOf(failed)).toMatchObject({ reason: 'erased', attempt: 1 });
    const [scheduled] = await scene.logged('DeliveryScheduled');
    expect(dataOf(scheduled)).toHaveProperty('body_hmac');

    const delivery = attempted?.stream.replace('webhook-delivery-', '') ?? '';
    await commandDelivery(
      scene.stores.store,
      delivery,
      { kind: 'resend', requestedBy: 'resend' },
      operator(),
    );
    const types = await until(async () => {
      const events = await scene.stores.store.readStream(`webhook-delivery-${delivery}`);
      return events.length >= 5 && events.map(({ type }) => type as DeliveryEvent['type']);
    });
    expect(types).toEqual([
      'DeliveryScheduled',
      'DeliveryAttemptFailed',
      'DeliveryFailed',
      'DeliveryResent',
      'DeliveryFailed',
    ]);
    expect(to.arrived).toHaveLength(1);
    expect(faults).toEqual([]);
  });
});

test('what an attempt said and heard is erased with the person whom it told of', async () => {
  const { base } = await startReceiver(scene, (response, _, request) =>
    response.writeHead(500, { 'x-echo': 'ana@example.org', 'retry-after': '3600' }).end(request.body),
  );
  await subscribe(base);
  const user = await register('Ana');
  await join(user);
  const dispatcher = startDispatcher(scene, { delays: [0, 3_600_000] }, scene.stores);
  const [attempted] = await scene.happened('DeliveryAttemptFailed');
  await dispatcher.stop();
  const delivery = attempted?.stream.replace('webhook-delivery-', '') ?? '';
  const entries = await readAttempts(scene.stores.side, delivery);
  expect(entries).toMatchObject([{ open: false, outcome: { response: { status: 500 } } }]);
  expect(JSON.stringify(entries)).not.toMatch(/ana@example|"Ana"|-signature/i);

  const shown = async () => (await deliveryDetails(scene.stores, delivery)).attempts[0];
  const kept = await shown();
  expect(JSON.parse(kept?.response?.text ?? '')).toMatchObject({ data: { name: 'Ana' } });
  expect(kept?.response?.headers).toMatchObject({ 'x-echo': 'ana@example.org' });
  expect(kept?.request?.headers).toHaveProperty('X-Service-Signature');

  await erasePerson(scene.stores, user, operator());
  const after = await shown();
  expect(after).toMatchObject({ attempt: 1, status: 500 });
  expect(after).not.toHaveProperty('response');
  expect(after).not.toHaveProperty('request');
});
