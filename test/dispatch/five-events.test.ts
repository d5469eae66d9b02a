import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markStaleRecords } from '../../src/actions/directory/upkeep/stale-records.ts';
import { registerPerson } from '../../src/commands/accounts/person.ts';
import { formIdOf } from '../../src/commands/forms.ts';
import { endMembership, joinTeam } from '../../src/commands/teams/member.ts';
import { reversePayment } from '../../src/commands/payments.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { emptyCaches } from '../../src/dispatch/context.ts';
import { dispatch } from '../../src/dispatch/dispatcher.ts';
import { pauseRule } from '../../src/dispatch/delivery-policy.ts';
import { createSender } from '../../src/dispatch/attempts/sender.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import {
  choosableEvents,
  webhookEvents,
  type WebhookEvent,
} from '../../src/events/webhooks/webhook-events.ts';
import { context, startSystem, v1, type RunningSystem, type TestKey } from '../api/harness.ts';
import { formUrl, publish, visitor } from '../api/forms/visitor.ts';
import { anyForm } from '../support/any-form.ts';
import { problemsBySchema } from '../support/json-schema.ts';
import { until } from '../support/until.ts';
import { receiver, type Received } from './receivers.ts';

/** The five events and the further ones, fired by what people do, as one receiver gets them that has chosen each. */
let running: RunningSystem;
let key: TestKey;
let secret: string;
/** How far the clock of the server is put forward. */
let ahead = 0;
const arrived: Received[] = [];
const arrivedOfFive: Received[] = [];
const faults: string[] = [];
const ending: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  running = await startSystem({ now: () => new Date(Date.now() + ahead) });
  const { system } = running;
  await running.team('harbour', ['directory:manage', 'payments:write']);
  const scopes = ['resources:submit', 'directory:manage', 'payments:write'] as const;
  key = await running.key({ kind: 'team', team: 'harbour', scopes });
  const to = await receiver((response, request) => {
    (request.path === '/hook' ? arrived : arrivedOfFive).push(request);
    response.writeHead(204).end();
  });
  const wish = { team: 'harbour', url: to.url, events: choosableEvents };
  secret = newSigningSecret(randomBytes);
  await createSubscription(system, wish, secret, context());
  const five = { team: 'harbour', url: `${to.url}/five`, events: webhookEvents };
  await createSubscription(system, five, secret, context());
  const stopping = new AbortController();
  const { store, documents, side, vault, personal, leases } = system;
  const dispatching = dispatch(
    {
      ...{ store, documents, side, vault, personal, leases, pauseRule },
      shards: 1,
      sender: createSender({ policy: { allowPrivate: true, ownHosts: [] } }),
      caches: emptyCaches(),
      now: () => new Date(),
      random: Math.random,
      onRepaired: () => undefined,
      onFault: (what) => (error) => faults.push(`${what}: ${String(error)}`),
    },
    stopping.signal,
  );
  ending.push(
    async () => {
      stopping.abort();
      await dispatching;
    },
    () => to[Symbol.asyncDispose]() as Promise<void>,
    () => running.stop(),
  );
});
afterAll(async () => {
  for (const end of ending) await end();
});

async function send<Answer>(method: 'POST' | 'PATCH', url: string, payload: object): Promise<Answer> {
  const headers = { ...key.bearer, 'content-type': 'application/json' };
  const answer = await running.server.inject({ method, url, headers, payload });
  if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.body}`);
  return answer.json<Answer>();
}
const post = <Answer>(url: string, payload: object = {}) => send<Answer>('POST', url, payload);
const patch = (url: string, payload: object) => send('PATCH', url, payload);

const submission = () => post<{ svc_id: string }>(v1, { name: 'Harbour Pantry', category: 'food' });
const resourceData = ({ svc_id }: { svc_id: string }) => ({
  id: expect.any(Number) as number,
  name: 'Harbour Pantry',
  category: 'food',
  svc_id,
});

async function member(name: string): Promise<{ user: string; email: string }> {
  const email = `${name.toLowerCase()}@example.org`;
  const { userId } = await registerPerson(running.system, { email, profile: { name } }, context());
  await joinTeam(running.system, { team: 'harbour', user: userId, role: 'reviewer' }, context());
  return { user: userId, email };
}

/** What people do, and what `data` then says. */
const actions: Readonly<Record<WebhookEvent, () => Promise<object>>> = {
  'member.joined': async () => {
    const { user, email } = await member('Ana');
    return { id: user, name: 'Ana', email, role: 'reviewer' };
  },
  'form.submitted': async () => {
    await publish(running, 'volunteers', anyForm());
    const visiting = await visitor(running, formUrl('volunteers'));
    // Nobody fills in a form in no time.
    ahead = 30_000;
    const name = 'Ben “B.” Ödön';
    const sent = await visiting.send({
      name,
      household: '4',
      help_with: ['driving', 'phones'],
      agrees: 'on',
    });
    if (sent.statusCode >= 400) throw new Error(sent.body);
    return {
      id: expect.any(String) as string,
      form: formIdOf('harbour', 'volunteers'),
      submitted_at: expect.stringMatching(/Z$/) as string,
      answers: { name, household: 4, help_with: ['driving', 'phones'], agrees: true },
      form_version: 1,
      words: {
        name: { label: 'Your name' },
        household: { label: 'People in the household' },
        help_with: {
          label: 'What can you help with?',
          options: { driving: 'Driving', phones: 'Telephone' },
        },
        agrees: { label: 'You may call me' },
      },
    };
  },
  'resource.approved': async () => {
    const resource = await submission();
    await post(`${v1}/${resource.svc_id}/approve`);
    return resourceData(resource);
  },
  'resource.rejected': async () => {
    const resource = await submission();
    await post(`${v1}/${resource.svc_id}/reject`, { reason: 'It has closed.' });
    return { ...resourceData(resource), reason: 'It has closed.' };
  },
  'payment.received': async () => {
    const { user } = await member('Chi');
    const payment = { member_id: user, amount_minor: 2 ** 53 - 1, currency: 'JPY', memo: 'Für 五月' };
    const { id } = await post<{ id: string }>('/dash/api/v1/payments', payment);
    return { id, ...payment };
  },
  'payment.reversed': async () => {
    const { user } = await member('Dee');
    const payment = { member_id: user, amount_minor: 1250, currency: 'USD' };
    const { id } = await post<{ id: string }>('/dash/api/v1/payments', payment);
    await until(() => [arrived, arrivedOfFive].every((each) => each.some(({ body }) => body.includes(id))));
    await reversePayment(running.system, id, { reason: 'Recorded “twice”' }, context());
    return { id, ...payment, reason: 'Recorded “twice”' };
  },
  'member.left': async () => {
    const { user } = await member('Eli');
    await endMembership(running.system, { team: 'harbour', user }, context());
    return { id: user };
  },
  'resource.changed': async () => {
    const resource = await submission();
    // Nobody hears of a change of what is not public yet.
    await patch(`${v1}/${resource.svc_id}`, { name: 'Harbour' });
    await post(`${v1}/${resource.svc_id}/approve`);
    await patch(`${v1}/${resource.svc_id}`, { name: 'Harbour Pantry' });
    return { ...resourceData(resource), change: 'revised' };
  },
  'record.confirmed': async () => {
    const resource = await submission();
    await post(`${v1}/${resource.svc_id}/approve`);
    await post(`${v1}/${resource.svc_id}/confirm`, { parts: ['phones'] });
    return { ...resourceData(resource), by: 'team', parts: ['phones'] };
  },
  'record.stale': async () => {
    const resource = await submission();
    await post(`${v1}/${resource.svc_id}/approve`);
    // A confirmation that holds for no day is too long ago at once: of each of the four public records.
    expect(await markStaleRecords(running.system, -1, new Date())).toBe(4);
    await until(
      () => arrived.filter(({ headers }) => headers['x-service-event'] === 'record.stale').length === 4,
    );
    const today = new Date().toISOString().slice(0, 10);
    return { ...resourceData(resource), confirmed: { on: today, by: 'team' } };
  },
};

describe.each(choosableEvents)('%s', (event) => {
  test('arrives, verifies by both signatures, and is as its published schema says', async () => {
    const data = await actions[event]();
    const request = await until(() =>
      arrived.find(({ headers, body }) => {
        if (headers['x-service-event'] !== event) return false;
        const got = (JSON.parse(body.toString()) as { data: unknown }).data;
        return isLike(got, data);
      }),
    );
    const headers = request.headers as Record<string, string>;
    const body = new Webhook(secret).verify(request.body, headers) as Record<string, unknown>;
    const hex = createHmac('sha256', secret).update(request.body).digest('hex');
    expect(headers['x-service-signature']).toBe(`sha256=${hex}`);
    expect(body).toEqual({
      event,
      delivery_id: headers['x-service-delivery'],
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      data,
    });
    const schema = await running.server.inject({ method: 'GET', url: `/schemas/webhooks/${event}.json` });
    expect(problemsBySchema(schema.json<object>())(body)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

const isLike = (value: unknown, expected: object): boolean => {
  try {
    expect(value).toEqual(expected);
    return true;
  } catch {
    return false;
  }
};

test('each happened once, and who has chosen the five gets no other', () => {
  const names = (of: readonly Received[]) =>
    of.map(({ headers }) => String(headers['x-service-event'])).sort();
  const again = [
    ...['member.joined', 'member.joined', 'member.joined', 'payment.received'],
    ...['resource.approved', 'resource.approved', 'resource.approved'],
  ];
  const stale = Array.from({ length: 3 }, () => 'record.stale');
  expect(names(arrived)).toEqual([...choosableEvents, ...again, ...stale].sort());
  expect(names(arrivedOfFive)).toEqual([...webhookEvents, ...again].sort());
});
