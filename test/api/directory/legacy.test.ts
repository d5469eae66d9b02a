import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '../../../src/events/keys-format.ts';
import { legacy, startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';
import { get, type Answer, type ListBody } from './read.ts';

function expectDeprecated({ headers }: Answer, base = ''): void {
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-allow-credentials']).toBeUndefined();
  expect(headers['x-service-deprecated']).toBe('true');
  expect(headers['deprecation']).toBe('@1792454400');
  expect(headers['sunset']).toBe('Tue, 20 Oct 2026 00:00:00 GMT');
  expect(headers.link).toBe(`<${base}${v1}>; rel="successor-version"`);
}

describe('the legacy endpoint', () => {
  let system: RunningSystem;
  let key: TestKey;
  beforeAll(async () => {
    system = await startSystem();
    await system.team('harbour');
    key = await system.key();
    await system.resources(130);
    await system.submission('commons');
  });
  afterAll(() => system.stop());

  const ask = (query: string, headers: Record<string, string> = { 'x-api-key': key.key }) =>
    get(system.server, `${legacy}${query}`, headers);
  const body = async (query: string) => (await ask(query)).json<ListBody>();

  test('answers data, has_more and total, in the developer tier whatever the key', async () => {
    const team = await system.key({ kind: 'team', team: 'harbour', scopes: ['resources:read'] });
    for (const { key: each } of [key, team]) {
      const answer = await ask('?limit=1', { 'x-api-key': each });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      const page = answer.json<ListBody>();
      expect(Object.keys(page)).toEqual(['data', 'has_more', 'total']);
      expect(page).toMatchObject({ has_more: true, total: 130 });
      expect(Object.keys(page.data[0] ?? {})).toEqual([
        'svc_id',
        'name',
        'category',
        'description',
        'url',
        'locations',
        'phones',
        'hours',
        'languages',
        'eligibility',
        'phone',
        'address',
        'city',
        'region',
        'confirmed',
        'updated_at',
      ]);
    }
  });

  test('lists, searches and counts the records of one team alone', async () => {
    await system.team('pier');
    await system.resources(3, { team: 'pier', fields: (index) => ({ name: `Pier Kitchen ${index}` }) });
    await system.caughtUp();
    const names = async (query: string) => (await body(query)).data.map(({ name }) => name);
    const all = await body('?team=pier');
    expect(all).toMatchObject({ has_more: false, total: 3 });
    const inPages = [...(await names('?team=pier&limit=2')), ...(await names('?team=pier&limit=2&offset=2'))];
    expect(inPages).toEqual(all.data.map(({ name }) => name));
    expect((await names('?team=pier&q=pier+kitchen')).sort()).toEqual([...inPages].sort());
    expect(await names('?team=harbour&q=pier+kitchen')).not.toContain(inPages[0]);
    for (const other of ['nobody', 'pier%20w', 'PIER', '%22%3E', 'x'.repeat(500)])
      expect(await body(`?team=${other}`), other).toMatchObject({ data: [], total: 0 });
    // Without a team it is all of them.
    expect(await body('?team=&limit=1')).toMatchObject({ total: 133 });
    for (const record of all.data) await system.command(String(record.svc_id), { kind: 'deactivate' });
    await system.caughtUp();
    expect(await body('?team=pier')).toMatchObject({ data: [], total: 0 });
  });

  test('takes the key from X-API-Key before the parameter, and from either alone', async () => {
    expect((await ask(`?key=${key.key}`, {})).statusCode).toBe(200);
    expect((await ask(`?key=rubbish`)).statusCode).toBe(200);
    expect((await ask(`?key=${key.key}`, { 'x-api-key': 'rubbish' })).statusCode).toBe(401);
    expect((await ask(`?key=${key.key}`, { 'x-api-key': '' })).statusCode).toBe(200);
    expect((await ask('', { authorization: `Bearer ${key.key}` })).statusCode).toBe(401);
  });

  test('says in its own words why a key is refused', async () => {
    const revoked = await system.key();
    await system.revoke(revoked.keyId);
    const unscoped = await system.key({ scopes: ['resources:submit'] });
    const restricted = await system.key({ domains: ['example.org'] });
    const unknown = newKey('developer', 'AAAAAAAAAAAA', Buffer.alloc(32, 7));
    const cases: [Record<string, string>, number, string][] = [
      [{}, 401, 'API key required'],
      [{ 'x-api-key': '' }, 401, 'API key required'],
      [{ 'x-api-key': 'rubbish' }, 401, 'Invalid or inactive API key'],
      [{ 'x-api-key': unknown }, 401, 'Invalid or inactive API key'],
      [{ 'x-api-key': revoked.key }, 401, 'Invalid or inactive API key'],
      [{ 'x-api-key': restricted.key }, 403, 'Domain not authorized for this API key'],
      [
        { 'x-api-key': restricted.key, origin: 'https://evil.test' },
        403,
        'Domain not authorized for this API key',
      ],
    ];
    for (const [headers, status, error] of cases) {
      const answer = await ask('', headers);
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toEqual({ error });
      expectDeprecated(answer);
    }
    const lacking = await ask('', { 'x-api-key': unscoped.key });
    expect(lacking.statusCode).toBe(403);
    expect(lacking.json<{ error: string }>().error).toContain('resources:read');
    expectDeprecated(lacking);
    const auditor = await system.key({ kind: 'installation', scopes: ['audit:read'] });
    const refused = await ask('', { 'x-api-key': auditor.key });
    expect([refused.statusCode, refused.json()]).toEqual([403, lacking.json()]);
    expect((await ask('?key=', {})).json()).toEqual({ error: 'API key required' });
  });

  test('admits a restricted key by Origin, else by Referer: a listed name alone, and with *. its subdomains', async () => {
    const { key: exact } = await system.key({ domains: ['example.org'] });
    const { key: below } = await system.key({ domains: ['*.example.org'] });
    const from = async (each: string, headers: Record<string, string>) =>
      (await ask('', { 'x-api-key': each, ...headers })).statusCode;
    expect(await from(exact, { origin: 'https://example.org' })).toBe(200);
    expect(await from(exact, { origin: 'http://EXAMPLE.org:8080' })).toBe(200);
    expect(await from(exact, { referer: 'https://example.org/a?b' })).toBe(200);
    expect(await from(exact, { origin: 'https://www.example.org' })).toBe(403);
    expect(await from(exact, { origin: 'https://example.org.evil.test' })).toBe(403);
    expect(await from(exact, { origin: 'https://evil.test', referer: 'https://example.org/' })).toBe(403);
    expect(await from(exact, { origin: 'https://user:pw@example.org' })).toBe(200);
    expect(await from(exact, { origin: 'https://example.org@evil.test' })).toBe(403);
    expect(await from(exact, { origin: 'file://example.org' })).toBe(403);
    expect(await from(below, { origin: 'https://www.example.org' })).toBe(200);
    expect(await from(below, { origin: 'https://a.b.example.org' })).toBe(200);
    expect(await from(below, { origin: 'https://example.org' })).toBe(403);
    expect(await from(below, { origin: 'https://evilexample.org' })).toBe(403);
  });

  test('pages by offset until has_more is false, each resource once', async () => {
    const ids: unknown[] = [];
    for (let offset = 0, more = true; more; offset += 50) {
      const page = await body(`?limit=50&offset=${offset}`);
      ids.push(...page.data.map(({ svc_id }) => svc_id));
      more = page.has_more;
    }
    expect(ids).toHaveLength(130);
    expect(new Set(ids).size).toBe(130);
    expect(await body('?offset=130')).toEqual({ data: [], has_more: false, total: 130 });
    expect(await body('?offset=9007199254740993')).toMatchObject({ data: [], has_more: false });
    expect(await body(`?offset=${'9'.repeat(400)}`)).toMatchObject({ data: [], has_more: false });
  });

  test.each([
    ['', 100],
    ['?limit=500', 130],
    ['?limit=501', 130],
    ['?limit=99999999999999999999999', 130],
    ['?limit=0', 100],
    ['?limit=-5', 100],
    ['?limit=abc', 100],
    ['?limit=1.5', 100],
    ['?limit=', 100],
    ['?limit=7&limit=9', 7],
    ['?limit=7&offset=-1', 7],
    ['?limit=7&offset=x', 7],
    ['?limit=7&category=unknown', 7],
    ['?limit=7&category=__proto__', 7],
    ['?limit=7&unknown=1', 7],
    ['?limit=7&q=', 7],
    ['?limit=7&q=%FF%ED%A0%80', 0],
    ['?limit=%zz', 100],
  ])('never refuses a query: %s gives %i resources', async (query, count) => {
    const answer = await ask(query);
    expect(answer.statusCode).toBe(200);
    if (count > 0) expect(answer.json<ListBody>().data).toHaveLength(count);
  });

  test('serves at most 500, clamped', async () => {
    const large = await startSystem();
    const own = await large.key();
    await large.resources(510);
    const page = await get(large.server, `${legacy}?limit=5000&key=${own.key}`);
    expect(page.json<ListBody>().data).toHaveLength(500);
    expect(page.json()).toMatchObject({ has_more: true, total: 510 });
    await large.stop();
  });

  test(
    'counts the matches of a search up to 1,000; whether there are more it always says',
    { timeout: 120_000 },
    async () => {
      const large = await startSystem();
      const own = await large.key();
      const names = (index: number) => ({
        name: index < 1_000 ? `Common place ${index}` : `Common other ${index}`,
      });
      await large.resources(1_010, { fields: names });
      const find = async (query: string) =>
        (await get(large.server, `${legacy}?key=${own.key}&${query}`)).json<ListBody>();
      expect(await find('limit=500')).toMatchObject({ has_more: true, total: 1_010 });
      expect(await find('q=place&limit=500')).toMatchObject({ has_more: true, total: 1_000 });
      expect(await find('q=other')).toMatchObject({ has_more: false, total: 10 });
      expect(await find('q=nowhere')).toEqual({ data: [], has_more: false, total: 0 });
      expect(await find('q=other&offset=10')).toEqual({ data: [], has_more: false, total: 10 });
      const pages = await Promise.all(
        [0, 500, 1_000, 1_010].map((offset) => find(`q=common&limit=500&offset=${offset}`)),
      );
      expect(pages.map(({ data, has_more }) => [data.length, has_more])).toEqual([
        [500, true],
        [500, true],
        [10, false],
        [0, false],
      ]);
      for (const page of pages) expect(page).not.toHaveProperty('total');
      await large.stop();
    },
  );

  test('filters by category and by words, and counts what the filter lets through', async () => {
    const food = await body('?category=food&limit=500');
    expect(food.total).toBe(food.data.length);
    expect(new Set(food.data.map(({ category }) => category))).toEqual(new Set(['food']));
    expect(await body('?q=resource+12&limit=1')).toMatchObject({ has_more: false, total: 1 });
    expect(await body('?q=resource&limit=1')).toMatchObject({ has_more: true });
    expect((await body('?q=resource+12&category=food')).data.map(({ name }) => name)).toContain(
      'Resource 12',
    );
  });

  test('has no rate limit and no pause', async () => {
    for (let attempt = 0; attempt < 40; attempt++) await ask('', { 'x-api-key': 'rubbish' });
    expect((await ask('', { 'x-api-key': 'rubbish' })).statusCode).toBe(401);
    expect((await ask('')).headers['ratelimit']).toBeUndefined();
  });

  test('answers 304 only to who may read', async () => {
    const first = await ask('');
    const known = { 'if-none-match': String(first.headers.etag) };
    const again = await ask('', { 'x-api-key': key.key, ...known });
    expect(again.statusCode).toBe(304);
    expectDeprecated(again);
    expect((await ask('', known)).statusCode).toBe(401);
  });

  test('carries the headers of its sunset on every answer under its path', async () => {
    const ask = async (method: string, url: string, headers: Record<string, string> = {}) =>
      system.server.inject({ method: method as 'GET', url, headers });
    const found = [
      [await ask('GET', legacy, { 'x-api-key': key.key }), 200],
      [await ask('HEAD', legacy, { 'x-api-key': key.key }), 200],
      [await ask('GET', legacy), 401],
      [await ask('OPTIONS', legacy), 204],
      [await ask('POST', legacy), 405],
      [await ask('DELETE', legacy), 405],
      [await ask('PROPFIND', legacy), 405],
      [await ask('POST', legacy, { 'content-type': 'application/json', 'content-length': '1' }), 405],
      [await ask('GET', `${legacy}/`), 404],
      [await ask('GET', `${legacy}/r_0000000000000000`), 404],
    ] as const;
    for (const [answer, status] of found) {
      expect(answer.statusCode).toBe(status);
      expectDeprecated(answer);
      if (status >= 400) expect(Object.keys(answer.json<object>())).toEqual(['error']);
    }
    expect(found[4][0].headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('lets a page of any site ask with X-API-Key and read the answer’s headers', async () => {
    const preflight = await system.server.inject({
      method: 'OPTIONS',
      url: legacy,
      headers: {
        origin: 'https://example.org',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key',
      },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
    expect(preflight.headers['access-control-allow-headers']).toBe('X-API-Key, Content-Type');
    expect((await ask('')).headers['access-control-expose-headers']).toContain('Sunset');
  });

  test('goes on serving after the sunset, unless told to be gone: then 410 from that moment on', async () => {
    const at = async (time: string, setting: string) => {
      const server = await system.another({
        now: () => new Date(time),
        environment: { LEGACY_AFTER_SUNSET: setting },
      });
      return get(server, legacy, { 'x-api-key': key.key });
    };
    expect((await at('2030-01-01T00:00:00Z', 'serve')).statusCode).toBe(200);
    expect((await at('2026-10-19T23:59:59.999Z', 'gone')).statusCode).toBe(200);
    const gone = await at('2026-10-20T00:00:00Z', 'gone');
    expect(gone.statusCode).toBe(410);
    expect(gone.json<{ error: string }>().error).toContain(v1);
    expectDeprecated(gone);
  });

  test('refuses plain http where the service is known by https, and believes only a trusted proxy', async () => {
    const https = { BASE_URL: 'https://directory.example' };
    const trusting = await system.another({ environment: { ...https, TRUST_PROXY: '10.0.0.0/8' } });
    const strict = await system.another({ environment: https });
    const from = (server: typeof strict, remoteAddress: string, proto?: string) =>
      server.inject({
        url: legacy,
        remoteAddress,
        headers: { 'x-api-key': key.key, ...(proto === undefined ? {} : { 'x-forwarded-proto': proto }) },
      });
    expect((await from(trusting, '10.0.0.1', 'https')).statusCode).toBe(200);
    for (const answer of [
      await from(strict, '10.0.0.1'),
      await from(strict, '10.0.0.1', 'https'),
      await from(trusting, '10.0.0.1'),
      await from(trusting, '10.0.0.1', 'http'),
      await from(trusting, '192.0.2.1', 'https'),
    ]) {
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toEqual({ error: 'HTTPS required' });
      expectDeprecated(answer, 'https://directory.example');
    }
  });
});

describe('near a place', () => {
  let system: RunningSystem;
  let key: TestKey;
  const miami = { city: 'Miami', region: 'FL' };
  beforeAll(async () => {
    system = await startSystem();
    key = await system.key();
    await system.resources(60, {
      fields: (n) => ({
        name: `Desk ${n}`,
        hours: '1st Mon of the month 09:00–17:00',
        locations:
          n === 0
            ? [{ ...miami, postal_code: '33125' }]
            : n < 40
              ? [{ virtual: true }, { ...miami, latitude: 25.774 + n / 1_000, longitude: -80.194 }]
              : [{ city: 'Tampa', region: 'FL' }],
      }),
    });
  });
  afterAll(() => system.stop());

  interface Body extends ListBody {
    readonly near?: unknown;
  }
  const list = async (query: string) =>
    (await get(system.server, `${legacy}?${query}`, { 'x-api-key': key.key })).json<Body>();
  const numbers = ({ data }: Body) => data.map(({ name }) => Number(String(name).slice(5)));

  test('the list has what is around it, the nearest first, in pages by offset that miss and repeat nothing', async () => {
    const whole = await list('near=Miami&limit=500');
    expect(whole).toMatchObject({ has_more: false, near: { radius_km: 40 } });
    expect(whole).not.toHaveProperty('total');
    expect(numbers(whole).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 40 }, (_, n) => n),
    );
    const distances = whole.data.map((each) => each['distance_km'] as number);
    expect(distances).toEqual(distances.toSorted((one, other) => one - other));
    const paged: number[] = [];
    for (let offset = 0; ; offset += 7) {
      const page = await list(`near=Miami&limit=7&offset=${offset}`);
      paged.push(...numbers(page));
      if (!page.has_more) break;
    }
    expect(paged).toEqual(numbers(whole));
    expect(await list('near=Miami&limit=7&offset=70')).toMatchObject({ data: [], has_more: false });
    expect(await list('near=Miami&limit=7&offset=9000')).toMatchObject({ data: [], has_more: false });
  });

  test('goes with words and a category', async () => {
    expect(numbers(await list('near=25.774,-80.194&q=desk+11'))).toEqual([11]);
    expect(numbers(await list('near=25.774,-80.194&category=legal&limit=2'))).toEqual([3, 7]);
  });

  test('that nobody knows counts as not given, and the answer says so', async () => {
    for (const query of ['', '&q=desk']) {
      const page = await list(`near=Atlantis+upon+Sea${query}`);
      expect(page).toMatchObject({ near: null, total: 60 });
      expect(page.data).toHaveLength(60);
    }
    expect(await list('near=+')).not.toHaveProperty('near');
  });

  test('with a language, distances and hours are in its words', async () => {
    const inWords = async (lang: string) => {
      const { data } = await list(`near=33125&limit=500&lang=${lang}`);
      const of = (name: string) => data.find((each) => each['name'] === name) ?? {};
      return [
        of('Desk 0')['distance_in_words'],
        of('Desk 1')['distance_in_words'],
        of('Desk 0')['hours_in_words'],
      ].map((words) => String(words).replaceAll('\u00a0', ' '));
    };
    const { data } = await list('near=33125&limit=500');
    expect(JSON.stringify(data)).not.toContain('in_words');
    expect(data.find(({ name }) => name === 'Desk 1')).not.toHaveProperty('nearest_location');
    expect(await inWords('en')).toEqual([
      'about 1 mile away',
      '2.7 miles away',
      'first Monday of the month: 9:00 am – 5:00 pm',
    ]);
    expect(await inWords('es')).toEqual([
      'a cerca de 1 milla',
      'a 2.7 millas',
      'primer lunes del mes: 9:00 a. m. – 5:00 p. m.',
    ]);
    expect((await inWords('ht'))[0]).toBe('apeprè 1 mil lwen');
    expect(await inWords('tlh')).toEqual(['undefined', 'undefined', 'undefined']);
    const spoken = (await list('near=33125&limit=500&lang=en')).data;
    expect(spoken.find(({ name }) => name === 'Desk 1')).toMatchObject({ nearest_location: 1 });
  });

  test('names are those of the pages, and the zone of the hours is beside them', async () => {
    await system.resources(1, {
      fields: () => ({
        name: 'HARBOR HELP DESK',
        locations: [{ city: 'Miami', region: 'FL' }],
        opening_hours: [{ days: ['mon'], opens: '09:00', closes: '17:00' }],
      }),
    });
    const shown = { hours_time_zone: 'America/New_York' };
    for (const query of ['limit=500', 'q=harbor', 'near=Miami&q=harbor']) {
      const named = async (more: string) =>
        (await list(query + more)).data.find(({ name }) => String(name).toLowerCase() === 'harbor help desk');
      expect(await named('')).toMatchObject({ ...shown, name: 'HARBOR HELP DESK' });
      expect(await named('&lang=en')).toMatchObject({ ...shown, name: 'Harbor Help Desk' });
    }
  });
});
