import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StoreError } from '../../../../src/stores/errors.ts';
import type { EventStore } from '../../../../src/stores/event-store/port.ts';
import { buildServer } from '../../../../src/api/server.ts';
import { startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';
import { get, type ListBody } from '../read.ts';

const pantry = { name: 'Pantry', category: 'food' };

describe('the writing routes', () => {
  let system: RunningSystem;
  let developer: TestKey;
  let manager: TestKey;
  let stranger: TestKey;

  beforeAll(async () => {
    system = await startSystem();
    await system.team('harbour', ['directory:manage']);
    await system.team('quay', ['directory:manage']);
    developer = await system.key();
    const scopes = ['resources:read', 'resources:submit', 'directory:manage'] as const;
    manager = await system.key({ kind: 'team', team: 'harbour', scopes });
    stranger = await system.key({ kind: 'team', team: 'quay', scopes });
  });
  afterAll(() => system.stop());

  const send = (method: 'POST' | 'PATCH', path: string, key: TestKey, payload?: unknown, headers = {}) =>
    system.server.inject({
      method,
      url: v1 + path,
      headers: { ...key.bearer, ...headers },
      ...(payload === undefined ? {} : { payload: payload as NonNullable<InjectOptions['payload']> }),
    });
  const raw = (body: string | Buffer, headers: Record<string, string> = {}) =>
    system.server.inject({
      method: 'POST',
      url: v1,
      headers: { ...developer.bearer, 'content-type': 'application/json', ...headers },
      payload: body,
    });
  const submitted = async (key: TestKey, fields: object = pantry) =>
    (await send('POST', '', key, fields)).json<{ svc_id: string; team: string; status: string }>();

  test('show the key that submitted a resource, and no other of the public, what became of it', async () => {
    const { svc_id } = await submitted(developer);
    const seen = (key: TestKey) => get(system.server, `${v1}/${svc_id}`, key.bearer);
    expect((await seen(developer)).json()).toMatchObject({ svc_id, status: 'submitted', review_note: null });
    await system.command(svc_id, { kind: 'reject', reason: 'Closed for good.' });
    expect((await seen(developer)).json()).toMatchObject({
      status: 'rejected',
      review_note: 'Closed for good.',
    });
    expect((await seen(developer)).json()).not.toHaveProperty('email');
    for (const other of [await system.key(), stranger]) expect((await seen(other)).statusCode).toBe(404);
    await system.command(svc_id, { kind: 'approve' });
    expect((await seen(developer)).json()).toMatchObject({ status: 'approved' });
    expect((await seen(stranger)).json()).not.toHaveProperty('status');
  });

  test('take a submission to the team of the key, or to the commons, and say where it is', async () => {
    const answer = await send('POST', '', manager, { ...pantry, city: '  Oakland ', languages: ['English'] });
    expect(answer.statusCode).toBe(201);
    const body = answer.json<{ svc_id: string }>();
    expect(body).toMatchObject({
      status: 'submitted',
      team: 'harbour',
      name: 'Pantry',
      city: 'Oakland',
      url: null,
    });
    expect(answer.headers.location).toBe(`${v1}/${body.svc_id}`);
    expect((await get(system.server, String(answer.headers.location), manager.bearer)).json()).toMatchObject({
      svc_id: body.svc_id,
      status: 'submitted',
      team: 'harbour',
      review_note: null,
    });
    expect(await submitted(developer)).toMatchObject({ team: 'commons' });
  });

  test('need resources:submit, and directory:manage for the rest', async () => {
    const reader = await system.key({ scopes: ['resources:read'] });
    expect((await send('POST', '', reader, pantry)).json()).toMatchObject({
      status: 403,
      scope: 'resources:submit',
    });
    const { svc_id } = await submitted(manager);
    for (const action of ['approve', 'reject', 'deactivate', 'reactivate']) {
      const answer = await send('POST', `/${svc_id}/${action}`, developer, {});
      expect(answer.json()).toMatchObject({ status: 403, scope: 'directory:manage' });
    }
    expect((await send('PATCH', `/${svc_id}`, developer, {})).statusCode).toBe(403);
    expect((await system.server.inject({ method: 'POST', url: v1, payload: pantry })).statusCode).toBe(401);
  });

  test('show what they did in the very next read', async () => {
    const { svc_id } = await submitted(manager);
    expect((await get(system.server, `${v1}/${svc_id}`, developer.bearer)).statusCode).toBe(404);
    const approved = await send('POST', `/${svc_id}/approve`, manager, { note: 'Checked by phone.' });
    expect(approved.statusCode).toBe(200);
    expect(approved.json()).toMatchObject({ svc_id, status: 'approved' });
    expect((await get(system.server, `${v1}/${svc_id}`, developer.bearer)).statusCode).toBe(200);
    expect((await get(system.server, `${v1}/${svc_id}`, manager.bearer)).json()).toMatchObject({
      status: 'approved',
      review_note: 'Checked by phone.',
    });
    await send('PATCH', `/${svc_id}`, manager, {
      name: 'Zebra crossing',
      url: 'https://example.org',
      city: null,
    });
    const found = await get(system.server, `${v1}?q=zebra`, developer.bearer);
    expect(found.json<ListBody>().data).toMatchObject([{ svc_id, url: 'https://example.org', city: null }]);
    await send('POST', `/${svc_id}/deactivate`, manager, { reason: 'Moved away.' });
    expect((await get(system.server, `${v1}?q=zebra`, developer.bearer)).json<ListBody>().data).toEqual([]);
    expect((await send('POST', `/${svc_id}/reactivate`, manager)).json()).toMatchObject({
      status: 'approved',
    });
  });

  test('confirm what is public, or parts of it, and the record says when and by whom', async () => {
    const { svc_id } = await submitted(manager);
    expect((await send('POST', `/${svc_id}/confirm`, manager)).statusCode).toBe(409);
    await send('POST', `/${svc_id}/approve`, manager, {});
    const confirmed = async () =>
      (await get(system.server, `${v1}/${svc_id}`, developer.bearer)).json<{ confirmed: unknown }>()
        .confirmed;
    const today = new Date().toISOString().slice(0, 10);
    expect(await confirmed()).toEqual({ on: today, by: 'team' });
    expect((await send('POST', `/${svc_id}/confirm`, stranger)).statusCode).toBe(404);
    for (const body of [{ parts: [] }, { parts: ['name'] }, { part: 'hours' }, { parts: 'hours' }])
      expect((await send('POST', `/${svc_id}/confirm`, manager, body)).statusCode, JSON.stringify(body)).toBe(
        422,
      );
    const answer = await send('POST', `/${svc_id}/confirm`, manager, { parts: ['phones', 'hours'] });
    expect(answer.json()).toMatchObject({ svc_id, status: 'approved' });
    const recorded = (await system.system.store.readStream(`resource-${svc_id}`)).at(-1);
    expect(recorded).toMatchObject({
      type: 'ResourceConfirmed',
      data: { by: 'team', parts: ['hours', 'phones'], announced: { svc_id } },
    });
  });

  test('keep one team out of the directory of another with 404', async () => {
    const { svc_id } = await submitted(manager);
    for (const action of ['approve', 'deactivate', 'reactivate']) {
      expect((await send('POST', `/${svc_id}/${action}`, stranger)).statusCode).toBe(404);
    }
    expect((await send('POST', `/${svc_id}/reject`, stranger, { reason: 'no' })).statusCode).toBe(404);
    expect((await send('PATCH', `/${svc_id}`, stranger, { name: 'Mine' })).statusCode).toBe(404);
    expect((await get(system.server, `${v1}/${svc_id}`, stranger.bearer)).statusCode).toBe(404);
    for (const id of [
      'r_0000000000000000',
      'x',
      'r_',
      '..%2f..',
      '%00',
      'a'.repeat(3_000),
      svc_id.toUpperCase(),
    ]) {
      expect((await send('POST', `/${id}/approve`, manager)).statusCode, id).toBe(404);
      expect((await get(system.server, `${v1}/${id}`, manager.bearer)).statusCode, id).toBe(404);
    }
  });

  test('list the own directory by state, and nobody else’s', async () => {
    const { svc_id: waiting } = await submitted(stranger);
    const { svc_id: refused } = await submitted(stranger);
    await send('POST', `/${refused}/reject`, stranger, { reason: 'A duplicate.' });
    const of = async (status: string, key: TestKey) =>
      (await get(system.server, `${v1}?status=${status}`, key.bearer)).json<ListBody>().data;
    expect(await of('submitted', stranger)).toMatchObject([
      { svc_id: waiting, status: 'submitted', team: 'quay' },
    ]);
    expect(await of('rejected', stranger)).toMatchObject([{ svc_id: refused, review_note: 'A duplicate.' }]);
    expect((await of('submitted', manager)).every(({ team }) => team === 'harbour')).toBe(true);
    const denied = await get(system.server, `${v1}?status=submitted`, developer.bearer);
    expect(denied.json()).toMatchObject({ status: 403, scope: 'directory:manage' });
    const mixed = await get(system.server, `${v1}?status=submitted&category=food`, manager.bearer);
    expect(mixed.statusCode).toBe(400);
    await submitted(stranger);
    const paged = await get(system.server, `${v1}?status=submitted&limit=1`, stranger.bearer);
    const cursor = paged.json<ListBody>().next_cursor ?? '';
    expect(
      (await get(system.server, `${v1}?cursor=${cursor}`, stranger.bearer)).json<ListBody>().data,
    ).toHaveLength(1);
    expect((await get(system.server, `${v1}?cursor=${cursor}`, manager.bearer)).statusCode).toBe(400);
    expect((await get(system.server, `${v1}?cursor=${cursor}`, developer.bearer)).statusCode).toBe(400);
  });

  test('answer 409 to what does not fit the state, and do again without harm what is done', async () => {
    const { svc_id } = await submitted(manager);
    expect((await send('POST', `/${svc_id}/deactivate`, manager)).json()).toMatchObject({
      status: 409,
      error: 'conflict',
    });
    expect((await send('POST', `/${svc_id}/approve`, manager)).statusCode).toBe(200);
    expect((await send('POST', `/${svc_id}/approve`, manager)).statusCode).toBe(200);
    expect((await send('POST', `/${svc_id}/reject`, manager, { reason: 'late' })).statusCode).toBe(409);
  });

  test('do once what is sent twice under one Idempotency-Key, however its members are ordered', async () => {
    const headers = { 'idempotency-key': 'order-1' };
    const first = await send(
      'POST',
      '',
      developer,
      { name: 'Once', category: 'food', city: 'Oakland' },
      headers,
    );
    const again = await send(
      'POST',
      '',
      developer,
      { city: 'Oakland', category: 'food', name: 'Once' },
      headers,
    );
    expect(again.statusCode).toBe(201);
    expect(again.body).toBe(first.body);
    const other = await send('POST', '', developer, { name: 'Twice', category: 'food' }, headers);
    expect(other.json()).toMatchObject({ status: 422, error: 'idempotency_key_reused' });
    const somebodyElse = await send(
      'POST',
      '',
      manager,
      { name: 'Once', category: 'food', city: 'Oakland' },
      headers,
    );
    expect(somebodyElse.json<{ svc_id: string }>().svc_id).not.toBe(first.json<{ svc_id: string }>().svc_id);
  });

  test('return the first answer to a repeated decision, whatever has happened since', async () => {
    const { svc_id } = await submitted(manager);
    const headers = { 'idempotency-key': 'decision-1' };
    await send('POST', `/${svc_id}/approve`, manager, { note: 'Yes.' }, headers);
    await send('POST', `/${svc_id}/deactivate`, manager);
    const again = await send('POST', `/${svc_id}/approve`, manager, { note: 'Yes.' }, headers);
    expect(again.json()).toMatchObject({ status: 'approved' });
    expect((await get(system.server, `${v1}/${svc_id}`, manager.bearer)).json()).toMatchObject({
      status: 'inactive',
    });
    const changed = await send('POST', `/${svc_id}/approve`, manager, { note: 'No.' }, headers);
    expect(changed.statusCode).toBe(422);
  });

  test('do once what fifty clients send at once under one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'race-1' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send('POST', '', developer, pantry, headers)),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });

  test('refuse an Idempotency-Key that is none, before anything else is looked at', async () => {
    for (const key of ['', ' ', 'a b', 'ü', 'a'.repeat(256), 'tab\there']) {
      const answer = await send('POST', '', developer, pantry, { 'idempotency-key': key });
      expect(answer.json(), JSON.stringify(key)).toMatchObject({
        status: 400,
        error: 'invalid_idempotency_key',
      });
    }
    expect(
      (await send('POST', '', developer, pantry, { 'idempotency-key': 'a'.repeat(255) })).statusCode,
    ).toBe(201);
  });

  test('record who asked and under which request', async () => {
    const answer = await send('POST', '', developer, pantry, { 'x-request-id': 'chosen-by-the-caller' });
    const { svc_id } = answer.json<{ svc_id: string }>();
    const [event] = await system.system.store.readStream(`resource-${svc_id}`);
    expect(event?.metadata).toMatchObject({
      actor: { kind: 'key', id: developer.keyId },
      correlation_id: answer.headers['x-request-id'],
    });
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });

  test.each<[string, unknown, string]>([
    ['no name', { category: 'food' }, 'name'],
    ['an empty name', { ...pantry, name: ' \t' }, 'name'],
    ['a name that is too long', { ...pantry, name: 'a'.repeat(301) }, 'name'],
    ['a name of another type', { ...pantry, name: 7 }, 'name'],
    ['an unknown category', { ...pantry, category: 'pets' }, 'category'],
    ['an unknown field', { ...pantry, colour: 'red' }, 'colour'],
    ['a null', { ...pantry, city: null }, 'city'],
    ['an address that is no URL', { ...pantry, url: 'javascript:alert(1)' }, 'url'],
    ['an email address that is none', { ...pantry, email: 'nobody' }, 'email'],
    ['a list that is none', { ...pantry, languages: 'English' }, 'languages'],
    ['a list with another type in it', { ...pantry, languages: ['English', 3] }, 'languages.1'],
    ['an identity of its own', { ...pantry, svc_id: 'r_0000000000000000' }, 'svc_id'],
    ['another team', { ...pantry, team: 'harbour' }, 'team'],
    ['an array', [pantry], 'body'],
    ['a NUL character', { ...pantry, city: 'a\0b' }, 'city'],
  ])('refuse %s with 422 naming the field', async (_what, body, field) => {
    const answer = await send('POST', '', developer, body);
    expect(answer.statusCode).toBe(422);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json<{ detail: string }>().detail).toContain(field);
  });

  test('refuse a lone surrogate, wherever it stands', async () => {
    expect((await raw('{"name":"a\\ud800","category":"food"}')).statusCode).toBe(422);
    expect((await raw('{"name":"a","category":"food","languages":["\\udfff"]}')).statusCode).toBe(422);
    expect((await raw('{"name":"a","category":"food","\\ud800":1}')).statusCode).toBe(422);
  });

  test('refuse what is not JSON in UTF-8 with 400', async () => {
    const bodies = ['{', '', 'null x', '{"name":}', "{'name':'a'}", '{"__proto__":{"name":"x"},"name":"a"}'];
    for (const body of bodies) expect((await raw(body)).statusCode, body).toBe(400);
    expect((await raw(Buffer.from([0x22, 0xff, 0x22]))).json()).toMatchObject({
      detail: 'The body is not UTF-8.',
    });
    expect((await raw(Buffer.from('\ufeff{}', 'utf16le'))).statusCode).toBe(400);
    expect(
      (await raw('{"constructor":{"prototype":{"polluted":1}},"name":"a","category":"food"}')).statusCode,
    ).toBe(400);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((await raw('null')).statusCode).toBe(422);
    expect((await raw(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).statusCode).toBe(422);
  });

  test('refuse any other type of content with 415, and compressed content too', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'rubbish',
      'application/xml',
    ];
    for (const type of types) {
      expect((await raw(JSON.stringify(pantry), { 'content-type': type })).statusCode, type).toBe(415);
    }
    expect((await raw(JSON.stringify(pantry), { 'content-encoding': 'gzip' })).statusCode).toBe(415);
    expect(
      (await raw(JSON.stringify(pantry), { 'content-type': 'application/json; charset=utf-8' })).statusCode,
    ).toBe(201);
    const without = await system.server.inject({ method: 'POST', url: v1, headers: developer.bearer });
    expect(without.statusCode).toBe(422);
  });

  test('refuse more than 256 KiB with 413', async () => {
    const refused = await raw(JSON.stringify({ ...pantry, description: 'a'.repeat(262_144) }));
    expect(refused.statusCode).toBe(413);
    expect(refused.json()).toMatchObject({
      detail: 'The request is too large: at most 256 KiB can be sent here.',
    });
    expect((await raw(`{"name":"a","category":"food"${' '.repeat(262_000)}}`)).statusCode).toBe(201);
  });

  test('refuse a decision with a field that it does not have, and a rejection without a reason', async () => {
    const { svc_id } = await submitted(manager);
    expect((await send('POST', `/${svc_id}/approve`, manager, { reason: 'x' })).statusCode).toBe(422);
    expect((await send('POST', `/${svc_id}/reject`, manager, {})).json()).toMatchObject({
      status: 422,
      field: 'reason',
    });
    expect((await send('POST', `/${svc_id}/reject`, manager)).statusCode).toBe(422);
    expect((await send('POST', `/${svc_id}/reactivate`, manager, { x: 1 })).statusCode).toBe(422);
    expect((await send('PATCH', `/${svc_id}`, manager, { name: null })).json()).toMatchObject({
      status: 422,
      field: 'name',
    });
    expect((await send('PATCH', `/${svc_id}`, manager, { status: 'approved' })).statusCode).toBe(422);
    expect((await send('PATCH', `/${svc_id}`, manager, {})).statusCode).toBe(200);
  });

  test.each<[string, StoreError, number, string]>([
    ['is away', new StoreError('unavailable', '/secret/path: away'), 503, 'nothing was recorded'],
    [
      'failed half-way',
      new StoreError('unavailable', '/secret/path', { outcome: 'unknown' }),
      503,
      'not known whether',
    ],
    ['is full', new StoreError('full', '/secret/path: full'), 503, 'no room'],
    ['finds the event too large', new StoreError('event_too_large', 'too large'), 413, 'too large'],
    ['is used wrongly', new StoreError('misuse', '/secret/path'), 500, 'logged'],
  ])('answer clearly when the store %s', async (_what, error, status, sentence) => {
    const { config, store } = system.system;
    const failing = new Proxy<EventStore>(store, {
      get: (target, name) =>
        name === 'append'
          ? () => Promise.reject(error)
          : (Reflect.get(target, name) as () => unknown).bind(target),
    });
    const ready = () => Promise.resolve({ ready: true });
    const server = await buildServer({ ...system.system, config, store: failing, ready });
    const answer = await server.inject({
      method: 'POST',
      url: v1,
      headers: developer.bearer,
      payload: pantry,
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json<{ detail: string }>().detail).toContain(sentence);
    expect(answer.body).not.toContain('secret');
    if (status === 503) {
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.body).toContain('Idempotency-Key');
    }
    await server.close();
  });
});
