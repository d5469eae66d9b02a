import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import { registerPerson } from '../../../src/commands/accounts/person.ts';
import { joinTeam } from '../../../src/commands/teams/member.ts';
import { commandSubscription, createSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { emptyCaches } from '../../../src/dispatch/context.ts';
import { dispatch } from '../../../src/dispatch/dispatcher.ts';
import { pauseRule } from '../../../src/dispatch/delivery-policy.ts';
import { createSender } from '../../../src/dispatch/attempts/sender.ts';
import { newSigningSecret } from '../../../src/dispatch/signature.ts';
import { beginning } from '../../../src/stores/event-store/port.ts';
import { receiver, type Receiver } from '../../dispatch/receivers.ts';
import { until } from '../../support/until.ts';
import { context, startSystem, type RunningSystem, type TestKey } from '../harness.ts';

const base = '/dash/api/v1/webhooks';

let running: RunningSystem;
let to: Receiver;
let stop: () => Promise<void>;
let key: TestKey;
let withMembers: TestKey;
let neighbour: TestKey;
let id: string;
let joined: string;
let secret: string;

beforeAll(async () => {
  running = await startSystem();
  // It repeats what it gets, as some receivers do.
  to = await receiver((response, request) => response.writeHead(200).end(request.body));
  await running.team('harbour', ['webhooks:read', 'webhooks:write', 'members:read']);
  await running.team('uphill', ['webhooks:read']);
  const team = 'harbour';
  key = await running.key({ kind: 'team', team, scopes: ['webhooks:read'] });
  withMembers = await running.key({ kind: 'team', team, scopes: ['webhooks:read', 'members:read'] });
  neighbour = await running.key({ kind: 'team', team: 'uphill', scopes: ['webhooks:read'] });
  const { store, documents, side, vault, personal, leases } = running.system;
  const events = ['member.joined', 'resource.approved'] as const;
  const made = await createSubscription(
    running.system,
    { team, url: `${to.url}?token=of-the-receiver`, events },
    newSigningSecret(randomBytes),
    context(),
  );
  id = made.subscriptionId;
  secret = made.secret ?? '';
  const abort = new AbortController();
  const dispatching = dispatch(
    {
      ...{ store, documents, side, vault, personal, leases },
      shards: 1,
      sender: createSender({ policy: { allowPrivate: true, ownHosts: [] } }),
      pauseRule,
      caches: emptyCaches(),
      now: () => new Date(),
      random: Math.random,
      onRepaired: () => undefined,
      onFault: () => () => undefined,
    },
    abort.signal,
  );
  stop = async () => {
    abort.abort();
    await dispatching;
  };
  const person = { email: 'ana@example.org', profile: { name: 'Ana Secret' } };
  const { userId } = await registerPerson(running.system, person, context());
  joined = userId;
  await joinTeam(running.system, { team, user: userId, role: 'member' }, context());
  await running.resources(2, { team });
  await until(async () => {
    const filter = { types: ['DeliverySucceeded'] };
    return (await store.readAll({ after: beginning, filter, limit: 10 })).events.length === 3;
  });
  await running.caughtUp();
  // The journal's entry is completed after the event.
  await until(async () => {
    const { data } = await pageOf('/deliveries', withMembers);
    const shown = await Promise.all(data.map(({ id }) => get(`/deliveries/${id}`, withMembers)));
    return shown.every((answer) => !answer.body.includes('"response":null'));
  });
});
afterAll(async () => {
  await stop();
  await to[Symbol.asyncDispose]();
  await running.stop();
});

const get = (path: string, as: TestKey = key) =>
  running.server.inject({ method: 'GET', url: `${base}${path}`, headers: as.bearer });

interface Shown {
  readonly id: string;
  readonly event: string;
  readonly [member: string]: unknown;
}
interface Page {
  readonly data: readonly Shown[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}
const pageOf = async (path: string, as?: TestKey) => (await get(path, as)).json<Page>();
const deliveryOf = async (event: string) =>
  (await pageOf('/deliveries')).data.find((each) => each.event === event)?.id ?? '';

describe('the webhooks of a team', () => {
  test('are listed with status and host, without the secret and the rest of the URL', async () => {
    const answer = await get('/subscriptions');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      data: [
        {
          id,
          status: 'active',
          host: `127.0.0.1:${to.port}`,
          test_receiver: false,
          name: null,
          events: ['member.joined', 'resource.approved'],
          secret_version: 1,
          next_secret_prepared_at: null,
          created_at: expect.stringMatching(/Z$/) as string,
          paused_at: null,
          paused_because: null,
        },
      ],
      has_more: false,
      next_cursor: null,
    });
    expect(answer.body).not.toContain('of-the-receiver');
    expect((await get(`/subscriptions/${id}`)).json()).toEqual(answer.json<Page>().data[0]);
  });

  test('have their deliveries listed, page by page, by status and by time', async () => {
    const whole = await pageOf('/deliveries');
    expect(whole.data).toHaveLength(3);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Page = await pageOf(`/deliveries?limit=1${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...page.data.map((each) => each.id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(whole.data.map((each) => each.id));
    expect((await pageOf(`/deliveries?status=delivered&subscription=${id}`)).data).toHaveLength(3);
    expect((await pageOf('/deliveries?status=failed')).data).toEqual([]);
    expect((await pageOf('/deliveries?since=2020-01-01T00:00:00%2B01:00')).data).toHaveLength(3);
    expect((await pageOf('/deliveries?until=2020-01-01T00:00:00Z')).data).toEqual([]);
  });

  test('show each attempt with what was sent and answered, and never the signing secret', async () => {
    const answer = await get(`/deliveries/${await deliveryOf('resource.approved')}`);
    const shown = answer.json<{ body: string }>();
    expect(shown).toMatchObject({
      status: 'delivered',
      hidden_because: null,
      attempts: [
        {
          attempt: 1,
          trigger: 'schedule',
          status: 200,
          error: null,
          next_attempt_at: null,
          under_way: false,
          request_headers: { 'webhook-signature': expect.stringMatching(/^v1,/) as string },
          response: { status: 200, text: shown.body, truncated: false },
        },
      ],
    });
    expect(JSON.parse(shown.body)).toMatchObject({ event: 'resource.approved' });
    expect(answer.body).not.toContain(secret.replace('whsec_', ''));
    expect(answer.body).not.toContain('of-the-receiver');
  });

  test('hide a body with personal data, and a response that may repeat it, from a key that may not read such data', async () => {
    const path = `/deliveries/${await deliveryOf('member.joined')}`;
    const hidden = await get(path);
    expect(hidden.json()).toMatchObject({
      body: null,
      hidden_because: expect.stringContaining('members:read') as string,
      attempts: [{ status: 200, response: null }],
    });
    expect(hidden.body).not.toContain('Ana Secret');
    const shown = await get(path, withMembers);
    expect(shown.json()).toMatchObject({ hidden_because: null });
    expect(shown.json<{ body: string }>().body).toContain('Ana Secret');
  });

  test('are shown also when the person whom they are about was erased since', async () => {
    const path = `/deliveries/${await deliveryOf('member.joined')}`;
    await erasePerson(running.system, joined, context());
    expect((await get(path, withMembers)).json()).toMatchObject({
      body: null,
      hidden_because: null,
      no_body_because: 'The person whom the event is about was erased.',
    });
  });

  test('tell how a receiver does', async () => {
    expect((await get(`/subscriptions/${id}/health`)).json()).toMatchObject({
      subscription: id,
      backlog: 0,
      failing_since: null,
      last_hour: { attempts: 3, succeeded: 3, given_up: 0, success_rate: 1 },
    });
  });

  test('are shown to no other team', async () => {
    expect((await pageOf('/subscriptions', neighbour)).data).toEqual([]);
    expect((await pageOf('/deliveries', neighbour)).data).toEqual([]);
    const { next_cursor } = await pageOf('/deliveries?limit=1');
    const others = [
      [`/subscriptions/${id}`, 404],
      [`/subscriptions/${id}/health`, 404],
      [`/deliveries?subscription=${id}`, 404],
      [`/deliveries/${await deliveryOf('member.joined')}`, 404],
      [`/deliveries?cursor=${next_cursor}`, 400],
    ] as const;
    for (const [path, status] of others) expect((await get(path, neighbour)).statusCode, path).toBe(status);
  });

  test('cannot be changed or sent by a key', async () => {
    const delivery = await deliveryOf('member.joined');
    const paths = ['/subscriptions', `/subscriptions/${id}`, '/deliveries', `/deliveries/${delivery}`];
    for (const path of paths)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        const answer = await running.server.inject({
          method,
          url: `${base}${path}`,
          headers: withMembers.bearer,
        });
        const { statusCode, headers } = answer;
        const isNamed = path === `/subscriptions/${id}`;
        if (isNamed && method === 'PATCH') expect(answer.json()).toMatchObject({ scope: 'webhooks:write' });
        else
          expect([statusCode, headers['allow']], `${method} ${path}`).toEqual([
            405,
            isNamed ? 'GET, HEAD, PATCH' : 'GET, HEAD',
          ]);
      }
  });

  test('are named, sent again and handed to the test receiver by a key with webhooks:write, and sent nowhere else', async () => {
    const scopes = ['webhooks:read', 'webhooks:write'] as const;
    const writing = await running.key({ kind: 'team', team: 'harbour', scopes });
    const sent = (method: 'POST' | 'PATCH', path: string, body?: object, by = writing) =>
      running.server.inject({
        method,
        url: `${base}${path}`,
        headers: by.bearer,
        ...(body && { payload: body }),
      });

    expect((await sent('PATCH', `/subscriptions/${id}`, { name: 'Member list' })).statusCode).toBe(200);
    expect((await get(`/subscriptions/${id}`)).json()).toMatchObject({ name: 'Member list' });
    for (const name of ['x\u202egnp.exe', 'two\nlines', 'x'.repeat(61), 7]) {
      const { statusCode } = await sent('PATCH', `/subscriptions/${id}`, { name });
      expect([400, 422], String(name)).toContain(statusCode);
    }
    await sent('PATCH', `/subscriptions/${id}`, { name: '', url: 'https://elsewhere.example/' });
    expect((await get(`/subscriptions/${id}`)).json()).toMatchObject({
      name: null,
      host: new URL(to.url).host,
    });
    expect((await sent('PATCH', `/subscriptions/${randomUUID()}`, { name: 'x' })).statusCode).toBe(404);
    expect((await sent('PATCH', `/subscriptions/${id}`, { name: 'x' }, neighbour)).statusCode).toBe(403);

    const made = await sent('POST', '/test-receiver', { events: ['member.joined', 'resource.approved'] });
    expect(made.statusCode).toBe(201);
    const { subscription, secret: shown } = made.json<{ subscription: string; secret: string }>();
    expect(shown).toMatch(/^whsec_/);
    expect((await get(`/subscriptions/${subscription}`)).json()).toMatchObject({
      test_receiver: true,
      host: 'the test receiver',
    });
    await running.resources(1, { team: 'harbour' });
    const person = { email: 'ben@example.org', profile: { name: 'Ben Secret' } };
    const { userId: user } = await registerPerson(running.system, person, context());
    await joinTeam(running.system, { team: 'harbour', user, role: 'member' }, context());
    const listed = await until(async () => {
      const { data } = (await get('/test-receiver')).json<{ data: { id: string; event: string }[] }>();
      return data.length === 2 && data;
    });
    const requestOf = (event: string) => `/test-receiver/${listed.find((each) => each.event === event)?.id}`;
    expect((await get(requestOf('resource.approved'))).json()).toMatchObject({
      signed: true,
      hidden_because: null,
      headers: { 'X-Service-Event': 'resource.approved' },
    });
    expect((await get(requestOf('member.joined'))).json()).toMatchObject({ body: null, headers: null });
    expect((await get(requestOf('member.joined'), withMembers)).json<{ body: string }>().body).toContain(
      'Ben Secret',
    );
    expect((await get(requestOf('resource.approved'), neighbour)).statusCode).toBe(404);
    expect((await get('/test-receiver/x')).statusCode).toBe(404);

    const delivery = await deliveryOf('resource.approved');
    const again = await sent('POST', `/deliveries/${delivery}/resend`);
    expect(again.json()).toEqual({ delivery, resent: true });
    expect((await sent('POST', `/subscriptions/${id}/send-waiting`)).json()).toMatchObject({ resent: 0 });
  });

  test('have the events of a time sent again by a key with webhooks:write, with an end and a place to go on', async () => {
    const scopes = ['webhooks:read', 'webhooks:write'] as const;
    const writing = await running.key({ kind: 'team', team: 'harbour', scopes });
    const replayed = async (body: object, of = id, by = writing): Promise<Record<string, unknown>> => {
      const answer = await running.server.inject({
        method: 'POST',
        url: `${base}/subscriptions/${of}/replay`,
        headers: by.bearer,
        payload: body,
      });
      return { status: answer.statusCode, ...answer.json<Record<string, unknown>>() };
    };
    const before = new Date(Date.now() - 3_600_000).toISOString();
    expect(await replayed({ since: '2020-01-01T00:00:00+01:00', until: before })).toMatchObject({
      status: 200,
      subscription: id,
      ...{ scheduled: 0, reopened: 0, waiting: 0, more: false },
    });
    const first = await replayed({ since: before, limit: 1 });
    expect(first).toMatchObject({
      status: 200,
      more: true,
      position: expect.stringMatching(/^\d+$/) as string,
    });
    const rest = await replayed({ after: first['position'] });
    expect(rest).toMatchObject({ status: 200, more: false });
    const sent = [first, rest].map((each) => Number(each['reopened']) + Number(each['waiting']));
    // Those of the test before stand in the log too.
    expect(sent[0]).toBe(1);
    expect(sent[1]).toBeGreaterThan(1);

    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    for (const [body, says] of [
      [{}, 'either since or after'],
      [{ since: before, after: '1' }, 'either since or after'],
      [{ since: 'yesterday' }, 'since'],
      [{ since: before, limit: 2_001 }, 'limit'],
      [{ since: before, till: before }, 'till'],
      [{ after: '0x1' }, 'after'],
      [{ since: tomorrow }, 'in the future'],
      [{ since: before, until: '2020-01-01T00:00:00Z' }, 'before the beginning'],
      [{ after: '9999999999999999999' }, 'no event at this position'],
    ] as const) {
      const answer = await replayed(body);
      expect([answer.status, JSON.stringify(answer)], JSON.stringify(body)).toEqual([
        422,
        expect.stringContaining(says),
      ]);
    }
    expect((await replayed({ since: before }, randomUUID())).status).toBe(404);
    expect((await replayed({ since: before }, 'x')).status).toBe(404);
    expect(await replayed({ since: before }, id, key)).toMatchObject({
      status: 403,
      scope: 'webhooks:write',
    });
  });

  test('need the scope', async () => {
    const other = await running.key({ kind: 'team', team: 'harbour', scopes: ['members:read'] });
    for (const path of ['/subscriptions', `/subscriptions/${id}`, '/deliveries', '/deliveries/x']) {
      expect((await get(path, other)).json(), path).toMatchObject({ status: 403, scope: 'webhooks:read' });
      expect((await running.server.inject({ method: 'GET', url: `${base}${path}` })).statusCode).toBe(401);
    }
  });

  test.each([
    ['limit=0', 'limit must be at least 1.'],
    ['limit=x', 'limit must be a whole number.'],
    ['status=lost', 'status must be one of pending'],
    ['subscription=x', 'subscription must be the id of a webhook.'],
    ['since=yesterday', 'since must be a time such as'],
    ['since=2999-01-01T00:00:00Z', 'since is in the future.'],
    ['since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z', 'until is before since.'],
    ['colour=red', 'There is no parameter "colour"'],
    ['cursor=made-up', 'The cursor was not given out'],
  ])('refuse %s', async (query, said) => {
    const answer = await get(`/deliveries?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ detail: string }>().detail).toContain(said);
  });

  test('refuse a cursor with other filters than those of its list', async () => {
    const { next_cursor } = await pageOf('/deliveries?status=delivered&limit=1');
    expect((await get(`/deliveries?cursor=${next_cursor}&limit=1`)).statusCode).toBe(200);
    expect((await get(`/deliveries?cursor=${next_cursor}&status=delivered`)).statusCode).toBe(200);
    expect((await get(`/deliveries?cursor=${next_cursor}&status=failed`)).statusCode).toBe(400);
  });

  test('say why the service has paused one', async () => {
    const reason = 'The receiver answered 410 Gone.';
    await commandSubscription(running.system, id, { kind: 'auto-pause', reason }, context());
    await running.caughtUp();
    expect((await get(`/subscriptions/${id}`)).json()).toMatchObject({
      status: 'paused',
      paused_at: expect.stringMatching(/Z$/) as string,
      paused_because: reason,
    });
  });
});
