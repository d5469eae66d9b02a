import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '../../../src/events/keys-format.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { visible } from '../../../src/projections/engine/read-your-writes.ts';
import { teams } from '../../../src/projections/teams.ts';
import { context, openAnother, startSystem, v1, type RunningSystem } from '../harness.ts';
import { get } from '../directory/read.ts';

/** Well formed, and nobody's. */
const strangersKey = newKey('developer', 'AAAAAAAAAAAA', Buffer.alloc(32, 7));
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('the service API', () => {
  let system: RunningSystem;
  beforeAll(async () => {
    system = await startSystem();
    await system.team('harbour', ['directory:manage']);
    await system.resources(3);
  });
  afterAll(() => system.stop());

  const list = (headers: Record<string, string> = {}) => get(system.server, v1, headers);

  test('answers 401 with a bare challenge when no token was sent', async () => {
    for (const headers of [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
    ]) {
      const answer = await list(headers);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.json()).toMatchObject({ status: 401, error: 'missing_token', title: 'No token' });
    }
    expect((await list({ authorization: 'Basic dTpw' })).headers['www-authenticate']).toBe('Bearer');
  });

  test('answers 401 invalid_token to a malformed and to an unknown token alike', async () => {
    const good = await system.key();
    const other = newKey('developer', good.keyId, Buffer.alloc(32, 9));
    const asTeamKey = newKey('team', good.keyId, Buffer.alloc(32, 9));
    for (const token of [
      'x',
      strangersKey,
      other,
      asTeamKey,
      `${good.key}x`,
      good.key.slice(1),
      `${good.key} ${good.key}`,
    ]) {
      const answer = await list(bearer(token));
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
      expect(answer.json()).toMatchObject({ error: 'invalid_token' });
    }
  });

  test('takes the scheme in any case, and no key in the address', async () => {
    const { key } = await system.key();
    expect((await list({ authorization: `bearer ${key}` })).statusCode).toBe(200);
    expect((await list({ authorization: `BEARER   ${key}` })).statusCode).toBe(200);
    expect((await get(system.server, `${v1}?key=${key}`)).statusCode).toBe(401);
    expect((await list({ 'x-api-key': key })).statusCode).toBe(401);
  });

  test('answers 403 naming the missing scope in header and body', async () => {
    const key = await system.key({ scopes: ['resources:submit'] });
    const answer = await list(key.bearer);
    expect(answer.statusCode).toBe(403);
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="resources:read"',
    );
    expect(answer.json()).toMatchObject({ error: 'insufficient_scope', scope: 'resources:read' });
    expect(answer.json<{ detail: string }>().detail).toContain('resources:read');
  });

  test('lets a key of the installation do nothing that needs another scope than audit:read', async () => {
    const key = await system.key({ kind: 'installation', scopes: ['audit:read'] });
    expect(key.key).toMatch(/^api_ik_/);
    const { paths } = (await get(system.server, '/openapi.json')).json<{
      paths: Record<string, Record<string, { security?: readonly Record<string, unknown>[] }>>;
    }>();
    const guarded = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security = [] }]) => security.some((scheme) => 'key' in scheme))
        .filter(() => !path.startsWith('/audit/'))
        .map(([method]) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')] as const),
    );
    expect(guarded.length).toBeGreaterThan(20);
    for (const [method, url] of guarded) {
      const answer = await system.server.inject({ method: method as 'GET', url, headers: key.bearer });
      expect(answer.statusCode, `${method} ${url}`).toBe(403);
      expect(answer.headers['www-authenticate'], url).toContain('insufficient_scope');
    }
    await system.revoke(key.keyId);
    expect((await list(key.bearer)).statusCode).toBe(401);
  });

  test('takes no developer key or team key for one of the installation', async () => {
    const good = await system.key();
    expect((await list(bearer(newKey('installation', good.keyId, Buffer.alloc(32, 9))))).statusCode).toBe(
      401,
    );
  });

  test('lets a team key use a team scope only while its team has it enabled', async () => {
    await system.team('quay', ['directory:manage']);
    const key = await system.key({
      kind: 'team',
      team: 'quay',
      scopes: ['resources:read', 'directory:manage'],
    });
    const own = () => get(system.server, `${v1}?status=submitted`, key.bearer);
    expect((await own()).statusCode).toBe(200);
    const { store, documents } = system.system;
    const enable = async (scopes: readonly ['directory:manage'] | readonly []) => {
      const { position } = await commandTeam(
        store,
        { kind: 'enable-scopes', team: 'quay', scopes },
        context(),
      );
      await visible(documents, [teams.collection.name], position);
    };
    await enable([]);
    const refused = await own();
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ scope: 'directory:manage' });
    await enable(['directory:manage']);
    expect((await own()).statusCode).toBe(200);
  });

  test('refuses a revoked key from the request after the revocation was visible', async () => {
    const key = await system.key();
    expect((await list(key.bearer)).statusCode).toBe(200);
    await system.revoke(key.keyId);
    expect((await list(key.bearer)).statusCode).toBe(401);
  });

  test('refuses it just so when another client of the stores revoked it, round after round', async () => {
    const other = await openAnother(system);
    try {
      for (let round = 0; round < 100; round++) {
        const key = await system.key();
        expect((await list(key.bearer)).statusCode).toBe(200);
        await system.revoke(key.keyId, other);
        expect((await list(key.bearer)).statusCode, `round ${round}`).toBe(401);
      }
    } finally {
      await other.close();
    }
  });

  test('serves a domain-restricted key without an origin and from its domains, and refuses any other with 403', async () => {
    const key = await system.key({ domains: ['example.org', '*.example.net'] });
    const from = async (headers: Record<string, string>) =>
      (await list({ ...key.bearer, ...headers })).statusCode;
    expect(await from({})).toBe(200);
    expect(await from({ origin: 'https://example.org' })).toBe(200);
    expect(await from({ origin: 'https://www.example.net' })).toBe(200);
    expect(await from({ referer: 'https://example.org/page?x=1' })).toBe(200);
    expect(await from({ origin: 'https://www.example.org' })).toBe(403);
    expect(await from({ origin: 'https://example.net' })).toBe(403);
    expect(await from({ origin: 'https://evilexample.net' })).toBe(403);
    expect(await from({ origin: 'null' })).toBe(403);
    expect(await from({ origin: 'https://evil.test', referer: 'https://example.org/' })).toBe(403);
    expect(await from({ referer: 'garbage' })).toBe(403);
    expect((await list({ ...key.bearer, origin: 'https://evil.test' })).json()).toMatchObject({
      error: 'domain_not_allowed',
    });
  });

  test('is closed with 503 until the read models are ready, and then stays open', async () => {
    const key = await system.key();
    let ready = false;
    const server = await system.another({
      ready: () => Promise.resolve({ ready, reason: 'resources: 12 events behind' }),
    });
    const closed = await get(server, v1, key.bearer);
    expect(closed.statusCode).toBe(503);
    expect(closed.headers['retry-after']).toBe('1');
    expect((await get(server, '/readyz')).json()).toMatchObject({
      status: 503,
      detail: 'resources: 12 events behind',
    });
    expect((await get(server, `/api/resources?key=${key.key}`)).json()).toHaveProperty('error');
    ready = true;
    expect((await get(server, v1, key.bearer)).statusCode).toBe(200);
    expect((await get(server, '/readyz')).json()).toEqual({ status: 'ready' });
  });

  test('stays open once the service has said that it is ready, though nobody else has come before', async () => {
    const key = await system.key();
    let ready = true;
    const server = await system.another({ ready: () => Promise.resolve({ ready }) });
    expect((await get(server, '/readyz')).statusCode).toBe(200);
    // Such as when a read model has stopped.
    ready = false;
    expect((await get(server, '/readyz')).statusCode).toBe(503);
    expect((await get(server, v1, key.bearer)).statusCode).toBe(200);
    expect((await get(server, '/dash/sign-in')).statusCode).toBe(200);
  });

  test('is open on a server that is told to stop, though it says so and nobody has come before', async () => {
    const key = await system.key();
    const server = await system.another({ stopping: AbortSignal.abort() });
    expect((await get(server, '/readyz')).json()).toMatchObject({
      status: 503,
      detail: 'The service is stopping.',
    });
    expect((await get(server, v1, key.bearer)).statusCode).toBe(200);
  });
});

describe('the rate limit', () => {
  let system: RunningSystem;
  beforeAll(async () => {
    system = await startSystem({ environment: { RATE_LIMIT_PER_MINUTE: '3' } });
  });
  afterAll(() => system.stop());

  test('counts each key for itself and says on every answer what is left', async () => {
    const [one, other] = [await system.key(), await system.key()];
    for (const left of [2, 1, 0]) {
      const answer = await get(system.server, v1, one.bearer);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['ratelimit-policy']).toBe('"key";q=3;w=60');
      expect(answer.headers['ratelimit']).toMatch(new RegExp(`^"key";r=${left};t=\\d+$`));
    }
    const refused = await get(system.server, v1, one.bearer);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refused.headers['ratelimit']).toMatch(/^"key";r=0;t=\d+$/);
    expect(refused.json()).toMatchObject({ status: 429, error: 'rate_limited' });
    expect((await get(system.server, v1, other.bearer)).statusCode).toBe(200);
  });

  test('counts requests that are refused for another reason too', async () => {
    const key = await system.key({ scopes: ['resources:submit'] });
    for (let request = 0; request < 3; request++)
      expect((await get(system.server, v1, key.bearer)).statusCode).toBe(403);
    expect((await get(system.server, v1, key.bearer)).statusCode).toBe(429);
  });
});

describe('the pause after invalid tokens', () => {
  let system: RunningSystem;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system.stop());

  const setUp = async (environment: Record<string, string> = {}) => {
    let time = Date.parse('2026-01-01T00:00:00Z');
    const server = await system.another({ now: () => new Date(time), environment });
    const invalid = async (remoteAddress = '192.0.2.1', headers = {}) =>
      server.inject({ url: v1, headers: { ...bearer(strangersKey), ...headers }, remoteAddress });
    const times = async (count: number, from?: string) => {
      for (let attempt = 0; attempt < count; attempt++) expect((await invalid(from)).statusCode).toBe(401);
    };
    return { server, invalid, times, pass: (ms: number) => (time += ms) };
  };

  test('begins after 20 within five minutes, for 60 s, and doubles each time up to 15 minutes', async () => {
    const { invalid, times, pass } = await setUp();
    for (const seconds of [60, 120, 240, 480, 900, 900]) {
      await times(20);
      const paused = await invalid();
      expect(paused.statusCode).toBe(429);
      expect(paused.headers['retry-after']).toBe(String(seconds));
      expect(paused.json()).toMatchObject({ error: 'network_paused' });
      pass(seconds * 1_000 - 1);
      expect((await invalid()).statusCode).toBe(429);
      pass(1);
    }
  });

  test('does not begin when they are further apart, nor for requests without a token', async () => {
    const { server, invalid, times, pass } = await setUp();
    await times(19);
    pass(5 * 60_000 + 1);
    await times(19);
    for (let attempt = 0; attempt < 30; attempt++) expect((await get(server, v1)).statusCode).toBe(401);
    await times(1);
    expect((await invalid()).statusCode).toBe(429);
  });

  test('concerns one network, and never a valid key', async () => {
    const { server, invalid, times } = await setUp();
    const key = await system.key();
    await times(20, '192.0.2.1');
    expect((await invalid('192.0.2.254')).statusCode).toBe(429);
    expect((await invalid('::ffff:192.0.2.9')).statusCode).toBe(429);
    expect((await invalid('192.0.3.1')).statusCode).toBe(401);
    expect(
      (await server.inject({ url: v1, headers: key.bearer, remoteAddress: '192.0.2.1' })).statusCode,
    ).toBe(200);
    await times(20, '2001:db8:1:2::1');
    expect((await invalid('2001:db8:1:2:ffff::9')).statusCode).toBe(429);
    expect((await invalid('2001:db8:1:3::1')).statusCode).toBe(401);
  });

  test('believes X-Forwarded-For only from a trusted proxy', async () => {
    const trusting = await setUp({ TRUST_PROXY: '10.0.0.0/8' });
    const forged = { 'x-forwarded-for': '198.51.100.1' };
    for (let attempt = 0; attempt < 20; attempt++) await trusting.invalid('10.0.0.1', forged);
    expect((await trusting.invalid('10.0.0.2', forged)).statusCode).toBe(429);
    expect((await trusting.invalid('10.0.0.1', { 'x-forwarded-for': '203.0.113.5' })).statusCode).toBe(401);
    expect((await trusting.invalid('203.0.113.5', forged)).statusCode).toBe(401);

    const plain = await setUp();
    for (let attempt = 0; attempt < 20; attempt++) {
      await plain.invalid('192.0.2.1', { 'x-forwarded-for': `198.51.100.${attempt}` });
    }
    expect((await plain.invalid('192.0.2.1', { 'x-forwarded-for': '203.0.113.7' })).statusCode).toBe(429);
  });
});
