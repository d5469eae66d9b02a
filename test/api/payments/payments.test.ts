import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import { registerPerson } from '../../../src/commands/accounts/person.ts';
import { joinTeam } from '../../../src/commands/teams/member.ts';
import { context, startSystem, type RunningSystem, type TestKey } from '../harness.ts';

const path = '/dash/api/v1/payments';

let running: RunningSystem;
let key: TestKey;
let neighbour: TestKey;
let member: string;
beforeAll(async () => {
  running = await startSystem();
  await running.team('harbour', ['payments:write', 'members:read']);
  await running.team('uphill', ['payments:write']);
  key = await running.key({ kind: 'team', team: 'harbour', scopes: ['payments:write'] });
  neighbour = await running.key({ kind: 'team', team: 'uphill', scopes: ['payments:write'] });
  member = await aMember('Ana');
});
afterAll(() => running.stop());

async function aMember(name: string): Promise<string> {
  const person = { email: `${name.toLowerCase()}@example.org`, profile: { name } };
  const { userId } = await registerPerson(running.system, person, context());
  await joinTeam(running.system, { team: 'harbour', user: userId, role: 'member' }, context());
  return userId;
}

type Headers = Readonly<Record<string, string>>;

const post = (url: string, payload?: unknown, headers: Headers = {}, as: TestKey = key) =>
  running.server.inject({
    method: 'POST',
    url,
    headers: {
      ...as.bearer,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined
      ? {}
      : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  });
const get = (url: string, as: TestKey = key) =>
  running.server.inject({ method: 'GET', url, headers: as.bearer });
const wish = (rest: object = {}) => ({ member_id: member, amount_minor: 1250, currency: 'USD', ...rest });

interface Payment {
  readonly id: string;
  readonly status: string;
}
interface Page {
  readonly data: readonly Payment[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

describe('payments', () => {
  test('are recorded, read, listed and reversed', async () => {
    const recorded = await post(
      path,
      wish({ memo: ' Spring dues ', occurred_at: '2026-03-01T12:00:00+01:00' }),
    );
    expect(recorded.statusCode).toBe(201);
    const payment = recorded.json<Payment>();
    expect(payment).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      member_id: member,
      amount_minor: 1250,
      currency: 'USD',
      memo: 'Spring dues',
      occurred_at: '2026-03-01T11:00:00.000Z',
      status: 'recorded',
      recorded_at: expect.stringMatching(/Z$/) as string,
      reversed_at: null,
    });
    expect(recorded.headers.location).toBe(`${path}/${payment.id}`);
    expect((await get(`${path}/${payment.id}`)).json()).toEqual(payment);
    expect((await get(path)).json<Page>().data).toContainEqual(payment);

    const reversed = await post(`${path}/${payment.id}/reverse`);
    expect(reversed.statusCode).toBe(200);
    expect(reversed.json()).toEqual({
      ...payment,
      status: 'reversed',
      reversed_at: expect.stringMatching(/Z$/) as string,
    });
    const again = await post(`${path}/${payment.id}/reverse`);
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({ error: 'conflict', detail: 'The payment is reversed already.' });
  });

  test('are one when a request is repeated with its Idempotency-Key, and the key is good for one request', async () => {
    const headers = { 'idempotency-key': 'till-7/receipt-41' };
    const [first, second] = await Promise.all([post(path, wish(), headers), post(path, wish(), headers)]);
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
    expect(second.json()).toEqual(first.json());
    const other = await post(path, wish({ amount_minor: 1251 }), headers);
    expect(other.json()).toMatchObject({ status: 422, error: 'idempotency_key_reused' });

    const { id } = first.json<Payment>();
    const reversing = { 'idempotency-key': 'undo-41' };
    const reversed = await post(`${path}/${id}/reverse`, undefined, reversing);
    expect((await post(`${path}/${id}/reverse`, undefined, reversing)).json()).toEqual(reversed.json());
  });

  test('come in pages, the newest first', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++)
      made.unshift((await post(path, wish({ amount_minor: 100 + n }))).json<Payment>().id);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null && seen.length < 5;) {
      const page: Page = (await get(`${path}?limit=2${cursor && `&cursor=${cursor}`}`)).json<Page>();
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen.slice(0, 5)).toEqual(made);
    expect((await get(`${path}?cursor=x`)).json()).toMatchObject({ error: 'invalid_cursor' });
  });

  test('show no memo of a person who was erased', async () => {
    const ben = await aMember('Ben');
    const { id } = (await post(path, wish({ member_id: ben, memo: 'For Ben' }))).json<Payment>();
    await erasePerson(running.system, ben, context());
    expect((await get(`${path}/${id}`)).json()).toMatchObject({ id, memo: null, amount_minor: 1250 });
    const refused = await post(path, wish({ member_id: ben, memo: 'Again' }));
    expect(refused.json()).toMatchObject({ status: 404 });
  });
});

describe('a payment is refused', () => {
  test.each([
    ['"amount_minor":12.5', 'amount_minor'],
    ['"amount_minor":0', 'amount_minor'],
    ['"amount_minor":-1', 'amount_minor'],
    ['"amount_minor":9007199254740992', 'amount_minor'],
    ['"amount_minor":9007199254740993', 'amount_minor'],
    ['"amount_minor":1e400', 'amount_minor'],
    ['"amount_minor":"1250"', 'amount_minor'],
    ['"currency":"usd"', 'currency'],
    ['"currency":"DEM"', 'currency'],
    ['"currency":"XXX"', 'currency'],
    [`"memo":"${'x'.repeat(201)}"`, 'memo'],
    ['"memo":" "', 'memo'],
    ['"memo":"\\u0000"', 'memo'],
    ['"occurred_at":"2999-01-01T00:00:00Z"', 'occurred_at'],
    ['"occurred_at":"1969-12-31T23:59:59Z"', 'occurred_at'],
    ['"occurred_at":"yesterday"', 'occurred_at'],
    ['"occurred_at":"2026-03-01T12:00:00"', 'occurred_at'],
    ['"member_id":"ana"', 'member_id'],
    ['"note":"x"', 'note'],
  ])('for %s', async (member_, named) => {
    const whole = JSON.stringify(wish()).slice(0, -1);
    const [name = ''] = member_.split(':');
    const kept = whole.replace(new RegExp(`${name}:("[^"]*"|[^,]*),?`), '').replace(/,$/, '');
    const answer = await post(path, `${kept},${member_}}`);
    expect([400, 422]).toContain(answer.statusCode);
    expect(JSON.stringify(answer.json())).toContain(named);
  });

  test('for somebody who is no member', async () => {
    const stranger = '11111111-1111-4111-8111-111111111111';
    const answer = await post(path, wish({ member_id: stranger }));
    expect(answer.json()).toMatchObject({ status: 404, detail: 'This person is no member of harbour.' });
  });
});

test('payments of a team are nobody else’s', async () => {
  const { id } = (await post(path, wish())).json<Payment>();
  expect((await get(`${path}/${id}`, neighbour)).statusCode).toBe(404);
  expect((await post(`${path}/${id}/reverse`, undefined, {}, neighbour)).statusCode).toBe(404);
  expect((await post(path, wish(), {}, neighbour)).statusCode, 'a member of another team').toBe(404);
  expect((await get(path, neighbour)).json<Page>().data).toEqual([]);
  const { next_cursor } = (await get(`${path}?limit=1`)).json<Page>();
  expect((await get(`${path}?cursor=${next_cursor ?? ''}`, neighbour)).statusCode).toBe(400);
});

test('a key needs payments:write', async () => {
  const reader = await running.key({ kind: 'team', team: 'harbour', scopes: ['members:read'] });
  for (const answer of [await get(path, reader), await post(path, wish(), {}, reader)]) {
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ error: 'insufficient_scope', scope: 'payments:write' });
  }
  expect((await running.server.inject({ method: 'GET', url: path })).statusCode).toBe(401);
});

test.each(['x', '..', '%00', 'x'.repeat(500)])('there is no payment %s', async (id) => {
  expect((await get(`${path}/${id}`)).statusCode).toBe(404);
  expect((await post(`${path}/${id}/reverse`)).statusCode).toBe(404);
});
