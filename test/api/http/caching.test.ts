import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeyScope } from '../../../src/events/teams.ts';
import type { Documents } from '../../../src/stores/documents/port.ts';
import { buildServer } from '../../../src/api/server.ts';
import { limitsOf, startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';
import { get, type ListBody } from '../directory/read.ts';

describe('a repeated read', () => {
  let system: RunningSystem;
  let key: TestKey;
  beforeAll(async () => {
    system = await startSystem();
    key = await system.key();
    await system.resources(40);
  });
  afterAll(() => system.stop());

  const ask = (query: string, headers = {}) =>
    get(system.server, `${v1}${query}`, { ...key.bearer, ...headers });

  test('is 304 without a body while nothing has changed, and 200 as soon as something has', async () => {
    const first = await ask('?limit=5');
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    expect(first.headers.vary).toBe('authorization, accept-encoding, origin');
    for (const known of [etag, `"other", ${etag}`, '*', etag.slice(2)]) {
      const again = await ask('?limit=5', { 'if-none-match': known });
      expect(again.statusCode).toBe(304);
      expect(again.body).toBe('');
      expect(again.headers.etag).toBe(etag);
    }
    expect((await ask('?limit=5', { 'if-none-match': '"other"' })).statusCode).toBe(200);
    const [shown] = first.json<ListBody>().data;
    await system.command(String(shown?.['svc_id']), { kind: 'revise', change: { city: 'Shelbyville' } });
    expect((await ask('?limit=5', { 'if-none-match': etag })).statusCode).toBe(200);
  });

  test('keeps its validator while others submit drafts; who manages a directory sees their own', async () => {
    await system.team('drafters', ['directory:manage']);
    const scopes = ['resources:read', 'directory:manage'] as KeyScope[];
    const manager = await system.key({ kind: 'team', team: 'drafters', scopes });
    const legacyKey = { 'x-api-key': key.key };
    const asked = [
      ['/dash/api/v1/resources?limit=5', key.bearer],
      ['/dash/api/v1/resources?limit=5&category=food', key.bearer],
      ['/dash/api/v1/resources?limit=5&q=resource', key.bearer],
      ['/dash/api/v1/resources?limit=5&status=submitted', manager.bearer],
      ['/api/resources?limit=5', legacyKey],
      ['/api/resources?limit=5&q=resource', legacyKey],
    ] as const;
    const etags = () =>
      Promise.all(
        asked.map(async ([path, headers]) => (await get(system.server, path, headers)).headers.etag),
      );
    const before = await etags();
    await system.submission('commons');
    expect(await etags()).toEqual(before);
    for (const [n, [path, headers]] of asked.entries()) {
      const known = { ...headers, 'if-none-match': String(before[n]) };
      expect((await get(system.server, path, known)).statusCode, path).toBe(304);
    }
    await system.submission('drafters');
    const after = await etags();
    expect(after.map((etag, n) => etag === before[n])).toEqual([true, true, true, false, true, true]);
  });

  test('has another validator for another query and another tier', async () => {
    await system.team('harbour', ['directory:manage']);
    const team = await system.key({ kind: 'team', team: 'harbour', scopes: ['resources:read'] });
    const tags = [
      (await ask('?limit=5')).headers.etag,
      (await ask('?limit=6')).headers.etag,
      (await ask('?limit=5&category=food')).headers.etag,
      (await ask('?limit=5&q=resource')).headers.etag,
      (await get(system.server, `${v1}?limit=5`, team.bearer)).headers.etag,
    ];
    expect(new Set(tags).size).toBe(tags.length);
  });

  test('is never 304 to who may not read', async () => {
    const one = await system.key();
    const limited = await system.key({ scopes: ['resources:submit'] });
    const restricted = await system.key({ domains: ['example.org'] });
    const first = await get(system.server, v1, one.bearer);
    const known = { 'if-none-match': String(first.headers.etag) };
    expect((await get(system.server, v1, { ...one.bearer, ...known })).statusCode).toBe(304);
    await system.revoke(one.keyId);
    expect((await get(system.server, v1, { ...one.bearer, ...known })).statusCode).toBe(401);
    expect((await get(system.server, v1, known)).statusCode).toBe(401);
    expect((await get(system.server, v1, { ...limited.bearer, ...known })).statusCode).toBe(403);
    const elsewhere = { ...restricted.bearer, ...known, origin: 'https://evil.test' };
    expect((await get(system.server, v1, elsewhere)).statusCode).toBe(403);
    const refused = await get(system.server, v1, { ...limited.bearer, 'if-none-match': '*' });
    expect(refused.statusCode).toBe(403);
    expect(refused.headers.etag).toBeUndefined();
  });

  test('of one resource is 304 until that resource changes', async () => {
    const [id = ''] = await system.resources(1);
    const first = await ask(`/${id}`);
    const known = { 'if-none-match': String(first.headers.etag) };
    await system.resources(1);
    expect((await ask(`/${id}`, known)).statusCode).toBe(304);
    await system.command(id, { kind: 'revise', change: { city: 'Shelbyville' } });
    expect((await ask(`/${id}`, known)).json()).toMatchObject({ city: 'Shelbyville' });
  });

  test('is compressed as the client asks, each time with the same content', async () => {
    const plain = await ask('?limit=40');
    const open = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [encoding, decompress] of Object.entries(open)) {
      for (let time = 0; time < 3; time++) {
        const answer = await ask('?limit=40', { 'accept-encoding': encoding });
        expect(answer.headers['content-encoding']).toBe(encoding);
        expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
        expect(decompress(answer.rawPayload).toString()).toBe(plain.body);
        expect(answer.headers.vary).toBe('authorization, accept-encoding, origin');
      }
    }
    expect((await ask('?limit=40', { 'accept-encoding': 'identity' })).body).toBe(plain.body);
    expect(
      (await ask('?limit=1', { 'accept-encoding': 'gzip' })).headers['content-encoding'],
    ).toBeUndefined();
    const many = Array.from({ length: 10 }, (_, index) => `gzip;q=0.${index + 1}`);
    for (const accepted of many) {
      const answer = await ask('?limit=40', { 'accept-encoding': accepted });
      expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.body);
    }
  });

  test('with HEAD has the headers of GET and no body', async () => {
    const got = await ask('?limit=5');
    const head = await system.server.inject({ method: 'HEAD', url: `${v1}?limit=5`, headers: key.bearer });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
    expect(head.headers.etag).toBe(got.headers.etag);
    expect((await system.server.inject({ method: 'HEAD', url: v1 })).statusCode).toBe(401);
  });

  test('is kept by what it asks for, however that is spelled', async () => {
    const { config, documents } = system.system;
    let pages = 0;
    const collection: Documents['collection'] = (spec) => {
      const real = documents.collection(spec);
      const select: typeof real.select = (...given) => {
        pages += 1;
        return real.select(...given);
      };
      return over(real, { select });
    };
    const server = await buildServer({
      ...system.system,
      config,
      documents: over(documents, { collection }),
      rateLimiter: limitsOf(config),
      ready: () => Promise.resolve({ ready: true }),
    });
    const own = await system.key();
    const bodies = new Set<string>();
    const spelled = [
      '?category=food&limit=7',
      '?limit=7&category=food',
      '?limit=07&&category=food',
      '?category=f%6Fod&limit=7',
    ];
    for (let round = 0; round < 50; round++) {
      const query = `${spelled[round % spelled.length]}${'&'.repeat(round)}`;
      bodies.add((await get(server, `${v1}${query}`, own.bearer)).body);
    }
    expect(bodies.size).toBe(1);
    // Made once, made again when it was asked for a second time, and kept from then on.
    expect(pages).toBe(2);
    await server.close();
  });

  test('is served anew every time where a store cannot say whether anything changed', async () => {
    const { config, documents } = system.system;
    const server = await buildServer({
      ...system.system,
      config,
      documents: withoutStamps(documents),
      rateLimiter: limitsOf(config),
      ready: () => Promise.resolve({ ready: true }),
    });
    const own = await system.key();
    const first = await get(server, `${v1}?limit=100`, own.bearer);
    const known = { ...own.bearer, 'if-none-match': String(first.headers.etag) };
    expect((await get(server, `${v1}?limit=100`, known)).statusCode).toBe(304);
    const [id = ''] = await system.resources(1);
    const second = await get(server, `${v1}?limit=100`, known);
    expect(second.statusCode).toBe(200);
    expect(second.body).toContain(id);
    const total = async () =>
      (await get(server, `/api/resources?key=${own.key}`)).json<{ total: number }>().total;
    const before = await total();
    await system.resources(1);
    expect(await total()).toBe(before + 1);
    await system.revoke(own.keyId);
    expect((await get(server, v1, own.bearer)).statusCode).toBe(401);
    await server.close();
  });
});

/** The same documents behind an adapter that has no stamps. */
function withoutStamps(documents: Documents): Documents {
  const collection: Documents['collection'] = (spec) =>
    over(documents.collection(spec), { stamp: () => Promise.resolve(undefined) });
  return over(documents, { collection });
}

/** An object with some methods replaced; the others keep their own `this`. */
function over<Part extends object>(part: Part, replaced: Partial<Part>): Part {
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(name in replaced ? replaced : target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
