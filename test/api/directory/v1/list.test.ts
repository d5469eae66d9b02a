import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { integerOfSvcId } from '../../../../src/events/ids.ts';
import { startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';
import { get, pagesOf, svcIds, type ListBody } from '../read.ts';

const number = (svcId: unknown): number => integerOfSvcId(String(svcId)) ?? Number.NaN;

describe('the list of resources', () => {
  let system: RunningSystem;
  let developer: TestKey;
  let teamKey: TestKey;
  let all: string[];

  beforeAll(async () => {
    system = await startSystem();
    await system.team('harbour');
    developer = await system.key();
    teamKey = await system.key({ kind: 'team', team: 'harbour', scopes: ['resources:read'] });
    all = await system.resources(60, {
      fields: (index) => ({
        name: index % 10 === 0 ? `Café Übung ${index}` : `Pantry ${index}`,
        email: 'a@example.org',
      }),
    });
  });
  afterAll(() => system.stop());

  const list = async (query: string, { bearer } = developer) => get(system.server, `${v1}?${query}`, bearer);
  const page = async (query: string, key = developer) => (await list(query, key)).json<ListBody>();

  test('answers 25 at a time unless asked otherwise, in the order of their numbers', async () => {
    const body = await page('');
    expect(body.data).toHaveLength(25);
    expect(body.has_more).toBe(true);
    const numbers = body.data.map(({ svc_id }) => number(svc_id));
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
  });

  test('reaches every resource exactly once, whatever the page size, which may change on the way', async () => {
    for (const limit of ['1', '7', '59', '60', '61', '100']) {
      const ids = svcIds(await pagesOf(system.server, v1, { limit }, developer.bearer));
      expect(ids).toHaveLength(60);
      expect(new Set(ids)).toEqual(new Set(all));
    }
    const first = await page('limit=10');
    const rest = await page(`limit=100&cursor=${first.next_cursor ?? ''}`);
    expect(svcIds([first, rest])).toHaveLength(60);
  });

  test('says on the last page that there is no more', async () => {
    expect(await page('limit=60')).toMatchObject({ has_more: false, next_cursor: null });
    expect((await list('limit=60')).headers.link).toBeUndefined();
  });

  test('names the next page in a Link header that leads there', async () => {
    const first = await list('limit=5&category=food');
    const next = /^<([^>]+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? '';
    const second = await get(system.server, next, developer.bearer);
    expect(svcIds([second.json<ListBody>()])).not.toContain(first.json<ListBody>().data[0]?.['svc_id']);
    expect(second.json<ListBody>().data.every(({ category }) => category === 'food')).toBe(true);
  });

  test('shows a developer key the developer tier and a team key the team tier', async () => {
    const short = [
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
    ];
    const [seenByDeveloper] = (await page('limit=1')).data;
    const [seenByTeam] = (await page('limit=1', teamKey)).data;
    expect(Object.keys(seenByDeveloper ?? {})).toEqual(short);
    expect(Object.keys(seenByTeam ?? {})).toEqual([...short, 'email']);
    expect(seenByDeveloper).toMatchObject({ phone: '555-0100', city: 'Springfield', languages: [] });
    expect(seenByTeam).toMatchObject({ phone: '555-0100', email: 'a@example.org' });
  });

  test('filters by category', async () => {
    const body = await page('category=housing&limit=100');
    expect(body.data).toHaveLength(15);
    expect(new Set(body.data.map(({ category }) => category))).toEqual(new Set(['housing']));
  });

  test('finds resources of which each word is a word or begins one, without regard to case and accents', async () => {
    expect((await page('q=cafe%20ubu&limit=100')).data).toHaveLength(6);
    expect((await page('q=CAF%C3%89&limit=100')).data).toHaveLength(6);
    // No record has both: those with one of them.
    expect((await page('q=cafe+pantry&limit=100')).data).toHaveLength(60);
    expect((await page('q=pant+spring&category=legal&limit=100')).data.length).toBeGreaterThan(0);
    expect((await page('q=ntry')).data).toHaveLength(0);
  });

  test('pages through what a search found', async () => {
    const ids = svcIds(await pagesOf(system.server, v1, { q: 'pantry', limit: '7' }, developer.bearer));
    expect(ids).toHaveLength(54);
    expect(new Set(ids).size).toBe(54);
  });

  test('answers a search that has an operator of a query language in it as words', async () => {
    for (const q of [
      'pantry OR cafe',
      '"pantry',
      'pantry*',
      'NEAR(pantry cafe)',
      "pantry' --",
      'name:pantry',
      '^pantry',
    ]) {
      expect((await list(`q=${encodeURIComponent(q)}`)).statusCode, q).toBe(200);
    }
  });

  test('lists what has changed since a time, in the order of the changes', async () => {
    const before = new Date().toISOString();
    const [first = '', second = ''] = [all[40], all[3]];
    await system.command(first, { kind: 'revise', change: { city: 'Shelbyville' } });
    await system.command(second, { kind: 'revise', change: { city: 'Shelbyville' } });
    const changed = svcIds(
      await pagesOf(system.server, v1, { updated_since: before, limit: '1' }, developer.bearer),
    );
    expect(changed).toEqual([first, second]);
    const offset = before.replace('Z', '+00:00');
    expect((await page(`updated_since=${encodeURIComponent(offset)}`)).data).toHaveLength(2);
    expect((await page('updated_since=2999-01-01')).data).toHaveLength(0);
    const since = svcIds(
      await pagesOf(system.server, v1, { updated_since: '2001-01-01', limit: '9' }, developer.bearer),
    );
    expect(new Set(since)).toEqual(new Set(all));
    expect(since).toHaveLength(60);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['limit=99999999999999999999', 'limit'],
    ['limit=%EF%BC%91', 'limit'],
    ['category=unknown', 'category'],
    ['category=', 'category'],
    ['category=Food', 'category'],
    ['category=food%00', 'category'],
    ['category=__proto__', 'category'],
    [`q=${'a'.repeat(201)}`, 'q'],
    ['q=%ED%A0%80', 'q'],
    ['q=%FF', 'q'],
    ['updated_since=yesterday', 'updated_since'],
    ['updated_since=2026-02-30', 'updated_since'],
    ['updated_since=2026-01-01T00:00:00', 'updated_since'],
    ['updated_since=0000-01-01T00:00:00%2B14:00', 'updated_since'],
    ['updated_since=1767225600', 'updated_since'],
    ['cursor=', 'cursor'],
    ['cursor=abc', 'cursor'],
    [`cursor=${'A'.repeat(5_000)}`, 'cursor'],
    ['offset=10', 'offset'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['limit=5&limit=5', 'limit'],
    ['limit=5&%6cimit=6', 'limit'],
    ['limit[]=5', 'limit[]'],
    ['%E0%A4%A=1', 'query string'],
    ['status=closed', 'status'],
  ])('refuses ?%s with 400 naming what is wrong', async (query, name) => {
    const answer = await list(query);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json<{ detail: string }>().detail).toContain(name);
  });

  test('takes no HTML from a parameter into an answer that a browser would render', async () => {
    const answer = await list('%3Cscript%3E=1');
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('paging while the directory changes', () => {
  let system: RunningSystem;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system.stop());

  test('shows each of 300 resources exactly once while others are approved and deactivated', async () => {
    const key = await system.key();
    const staying = await system.resources(300);
    const leaving = await system.resources(40);
    const waiting = await Promise.all(Array.from({ length: 40 }, () => system.submission('commons')));

    const change = async () => {
      const out = leaving.pop();
      const coming = waiting.pop();
      if (out) await system.command(out, { kind: 'deactivate' });
      if (coming) await system.command(coming, { kind: 'approve' });
    };
    const seen = svcIds(await pagesOf(system.server, v1, { limit: '9' }, key.bearer, change));

    expect(new Set(seen).size).toBe(seen.length);
    expect(staying.filter((id) => !seen.includes(id))).toEqual([]);
    expect(waiting.length).toBeLessThan(10);
  });
});
