import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { causeOf, commandImport } from '../../../../src/commands/directory/import.ts';
import { importResource } from '../../../../src/commands/directory/import-record.ts';
import { context, startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';

const api = '/dash/api/v1';

let running: RunningSystem;
let count = 0;
let team: string;
let key: TestKey;
let stranger: TestKey;

beforeAll(async () => {
  running = await startSystem();
  await running.team('quay', ['directory:manage']);
  stranger = await keyOf('quay');
});
afterAll(() => running.stop());

beforeEach(async () => {
  team = `team-${++count}`;
  await running.team(team, ['directory:manage']);
  key = await keyOf(team);
});

const keyOf = (
  of: string,
  scopes: readonly ('resources:read' | 'directory:manage')[] = ['directory:manage'],
) => running.key({ kind: 'team', team: of, scopes: [...scopes] });

interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

async function send(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: unknown,
  { by = key, once = '' } = {},
): Promise<Answer> {
  const answer = await running.server.inject({
    method,
    url,
    headers: { ...by.bearer, ...(once === '' ? {} : { 'idempotency-key': once }) },
    ...(payload === undefined ? {} : { payload: payload as NonNullable<InjectOptions['payload']> }),
  });
  return { ...answer.json<object>(), code: answer.statusCode, headers: answer.headers };
}

const place = { street: '12 Harbor Street', city: 'Lakewood', region: 'AK', postal_code: '99501' };
const pantry = { name: 'Corner Pantry', phones: [{ number: '555-010-7788' }], locations: [place] };
const listed = (...all: readonly object[]) =>
  running.resources(all.length, { team, fields: (index) => ({ phones: [], locations: [], ...all[index] }) });

test('every endpoint that manages needs directory:manage', async () => {
  const reader = await keyOf(team, ['resources:read']);
  for (const [method, url, body] of [
    ['GET', `${api}/duplicates`],
    ['POST', `${v1}/r_0000000000000000/merge`, { into: 'r_0000000000000001' }],
    ['POST', `${v1}/r_0000000000000000/unmerge`],
    ['POST', `${v1}/r_0000000000000000/dismiss-duplicates`],
    ['GET', `${api}/views`],
    ['POST', `${api}/views`, { name: 'a', query: '' }],
    ['DELETE', `${api}/views/a`],
    ['GET', `${api}/imports`],
    ['POST', `${api}/imports/${crypto.randomUUID()}/undo`],
    ['POST', `${api}/organizations`, { name: 'Trust' }],
    ['POST', `${api}/organizations/o_0000000000000000/approve`],
  ] as const)
    expect(await send(method, url, body, { by: reader }), url).toMatchObject({
      code: 403,
      scope: 'directory:manage',
    });
});

describe('duplicates', () => {
  test('are listed in groups, page by page also while some are merged, and merged with chosen fields', async () => {
    const names = ['Apple Pantry', 'Bread Pantry', 'Corn Pantry'];
    const all = await listed(
      ...names.flatMap((name) => [
        { ...pantry, name },
        { ...pantry, name, url: 'https://more.example/' },
      ]),
    );
    const first = await send('GET', `${api}/duplicates?limit=1`);
    expect(first).toMatchObject({
      code: 200,
      has_more: true,
      data: [{ in_common: ['name', 'phone', 'address'], records: [{ name: names[0] }, { name: names[0] }] }],
    });
    const [one = '', other = ''] = all;
    const body = { into: one, take: ['url'] };
    const merging = () => send('POST', `${v1}/${other}/merge`, body, { once: 'm' });
    expect(await merging()).toMatchObject({ code: 200, svc_id: other, merged_into: one });
    expect(await merging()).toMatchObject({ code: 200, svc_id: other, merged_into: one });
    expect(await send('GET', `${v1}/${other}`)).toMatchObject({ code: 403 });
    const second = await send('GET', `${api}/duplicates?limit=1&cursor=${String(first['next_cursor'])}`);
    expect(second['data']).toMatchObject([{ records: [{ name: names[1] }, { name: names[1] }] }]);
    const reader = await keyOf(team, ['resources:read', 'directory:manage']);
    expect(await send('GET', `${v1}/${one}`, undefined, { by: reader })).toMatchObject({
      url: 'https://more.example/',
    });
    expect(await send('GET', `${v1}/${other}`, undefined, { by: reader })).toMatchObject({
      code: 410,
      merged_into: one,
    });
    expect(await send('POST', `${v1}/${other}/merge`, { into: all[2] })).toMatchObject({ code: 409 });
    expect(await send('POST', `${v1}/${other}/unmerge`)).toMatchObject({
      code: 200,
      svc_id: other,
      left: [],
    });
    expect(await send('POST', `${v1}/${one}/dismiss-duplicates`)).toMatchObject({
      code: 200,
      records: expect.arrayContaining([one, other]) as string[],
    });
    expect((await send('GET', `${api}/duplicates`))['data']).toHaveLength(2);
    expect(await send('GET', `${api}/duplicates?cursor=rubbish`)).toMatchObject({ code: 400 });
  });

  test('of others are not found, and rubbish is refused', async () => {
    const [one = '', other = ''] = await listed(pantry, pantry);
    for (const [url, body] of [
      [`${v1}/${one}/merge`, { into: other }],
      [`${v1}/${one}/unmerge`, undefined],
      [`${v1}/${one}/dismiss-duplicates`, undefined],
    ] as const)
      expect(await send('POST', url, body, { by: stranger }), url).toMatchObject({ code: 404 });
    const [theirs = ''] = await running.resources(1, { team: 'quay' });
    for (const [body, code] of [
      [{ into: theirs }, 404],
      [{ into: one }, 422],
      [{ into: 'nothing' }, 422],
      [{ into: other, take: ['nonsense'] }, 422],
      [{ into: other, seen: '1' }, 422],
    ] as const)
      expect((await send('POST', `${v1}/${one}/merge`, body)).code, JSON.stringify(body)).toBe(code);
  });
});

test('saved views are saved without what means nothing, listed, and removed by name', async () => {
  const saved = await send('POST', `${api}/views`, {
    name: 'Food & “more”',
    query: 'status=submitted&sort=-changed&color=red',
  });
  expect(saved).toMatchObject({ code: 200, query: 'status=submitted&sort=-changed' });
  expect((await send('GET', `${api}/views`))['data']).toMatchObject([
    { id: saved['id'], name: 'Food & “more”' },
  ]);
  expect((await send('GET', `${api}/views`, undefined, { by: stranger }))['data']).toEqual([]);
  const address = `${api}/views/${encodeURIComponent('Food & “more”')}`;
  expect(await send('DELETE', address, undefined, { by: stranger })).toMatchObject({ code: 404 });
  expect(await send('DELETE', address)).toMatchObject({ code: 200 });
  expect(await send('DELETE', address)).toMatchObject({ code: 404 });
  for (const body of [{ name: '', query: '' }, { name: 'a' }, { name: 'a', query: 'x'.repeat(2_001) }])
    expect((await send('POST', `${api}/views`, body)).code).toBe(422);
});

test('organizations are added, decided about and taken out', async () => {
  const added = await send('POST', `${api}/organizations`, { name: 'Harbor Trust' }, { once: 'o' });
  expect(added).toMatchObject({ code: 201, name: 'Harbor Trust', status: 'submitted', team });
  const url = `${api}/organizations/${String(added['org_id'])}`;
  expect(added.headers.location).toBe(url);
  expect(await send('POST', `${api}/organizations`, { name: 'Harbor Trust' }, { once: 'o' })).toMatchObject({
    org_id: added['org_id'],
  });
  expect(await send('POST', `${url}/approve`, {}, { by: stranger })).toMatchObject({ code: 404 });
  expect(await send('POST', `${url}/reject`, {})).toMatchObject({ code: 422 });
  expect(await send('POST', `${url}/approve`, { note: 'Known' })).toMatchObject({ status: 'approved' });
  expect(await send('POST', `${url}/reject`, { reason: 'No' })).toMatchObject({ code: 409 });
  expect(await send('POST', `${url}/deactivate`)).toMatchObject({ status: 'inactive' });
  expect(await send('POST', `${url}/reactivate`)).toMatchObject({ status: 'approved' });
});

test('imports are listed, read and undone', async () => {
  const id = crypto.randomUUID();
  const { store } = running.system;
  await commandImport(store, id, { kind: 'begin', team, source: 'county' }, context());
  for (const name of ['One', 'Two']) {
    const cause = { ...context(), correlationId: id, causationId: causeOf(id, 'begin') };
    const source = { system: 'county', id: name };
    await importResource(
      running.system,
      { team, source, fields: { name, category: 'food' }, approve: true, active: true },
      cause,
    );
  }
  const none = {
    revised: 0,
    deactivated: 0,
    reactivated: 0,
    unchanged: 0,
    conflicts: 0,
    missing: 0,
    left_out: 0,
  };
  await commandImport(store, id, { kind: 'end', counts: { ...none, new: 2, approved: 2 } }, context());
  await running.caughtUp();
  expect((await send('GET', `${api}/imports`))['data']).toMatchObject([
    { id, source: 'county', status: 'ended', result: { new: 2 } },
  ]);
  const undo = (by = key) => send('POST', `${api}/imports/${id}/undo`, undefined, { by, once: 'u' });
  expect(await undo(stranger)).toMatchObject({ code: 404 });
  expect(await undo()).toMatchObject({ code: 200, status: 'undone', undo: { taken_out: 2 }, left: [] });
  expect(await send('GET', `${api}/imports/${id}`)).toMatchObject({ status: 'undone', progress: null });
  expect(await send('GET', `${api}/imports/${id}`, undefined, { by: stranger })).toMatchObject({ code: 404 });
});
