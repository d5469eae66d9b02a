import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { categoryTaxonomy } from '../../../src/hsds/export/attributes.ts';
import { entityId } from '../../../src/hsds/export/ids.ts';
import type { HsdsService } from '../../../src/hsds/export/service.ts';
import { problemsBy } from '../../hsds/published-schemas.ts';
import { startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';
import { get, pagesOf, svcIds } from './read.ts';

interface Page {
  readonly total_items?: number;
  readonly total_pages?: number;
  readonly page_number: number;
  readonly size: number;
  readonly first_page: boolean;
  readonly last_page: boolean;
  readonly empty: boolean;
  readonly contents: readonly HsdsService[];
}

const path = '/hsds/services';
const idOf = (svcId: string): string => entityId(svcId, 'service');

describe('the HSDS API', () => {
  let system: RunningSystem;
  let developer: TestKey;
  let teamKey: TestKey;
  let ids: string[];

  const ask = (query: string, { bearer } = developer, headers = {}) =>
    get(system.server, `${path}${query}`, { ...bearer, ...headers });
  const page = async (query: string, key = developer): Promise<Page> => {
    const answer = await ask(query, key);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
    return answer.json<Page>();
  };
  /** From the first page to the last. */
  const walk = async (query: string): Promise<Page[]> => {
    const pages = [await page(`?${query}`)];
    for (let last = pages[0]; last && !last.last_page; pages.push(last)) {
      last = await page(`?${query}&page=${last.page_number + 1}`);
    }
    return pages;
  };
  const names = (pages: readonly Page[]) => pages.flatMap(({ contents }) => contents.map(({ id }) => id));

  beforeAll(async () => {
    system = await startSystem();
    await system.team('harbour');
    developer = await system.key();
    teamKey = await system.key({ kind: 'team', team: 'harbour', scopes: ['resources:read'] });
    const made = await system.resources(23, {
      fields: (index) => ({
        name: `Pantry ${index}`,
        category: index % 2 === 0 ? 'food' : 'legal',
        organization: { name: 'Harbor Aid', url: 'https://harbor.example.org' },
        email: 'a@example.org',
        phones: [{ number: '555-0100', extension: '7' }],
        locations: [
          { street: '1 Quay', city: 'Miami' },
          { street: '9 Hidden Lane', city: 'Miami', confidential: true },
        ],
        opening_hours: [{ days: ['mon', 'tue'], opens: '09:00', closes: '17:00' }],
      }),
    });
    await system.submission('harbour', { name: 'A draft' });
    await system.caughtUp();
    ids = svcIds(await pagesOf(system.server, v1, { limit: '100' }, developer.bearer)).map(String);
    expect(new Set(ids)).toEqual(new Set(made));
  });
  afterAll(() => system.stop());

  test('says what it is, without a key', async () => {
    for (const at of ['/hsds', '/hsds/']) {
      const answer = await get(system.server, at);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ version: '3.1' });
      const { openapi_url } = answer.json<{ openapi_url: string }>();
      expect((await get(system.server, new URL(openapi_url).pathname)).statusCode).toBe(200);
    }
  });

  test('lists public services in pages, in the order of the list of resources', async () => {
    const first = await page('?per_page=10');
    expect(first).toMatchObject({
      total_items: 23,
      total_pages: 3,
      page_number: 1,
      size: 10,
      first_page: true,
      last_page: false,
      empty: false,
    });
    expect(await page('?per_page=10&page=3')).toMatchObject({ size: 3, first_page: false, last_page: true });
    expect(await page('?per_page=10&page=4')).toMatchObject({
      total_items: 23,
      size: 0,
      last_page: true,
      empty: true,
      contents: [],
    });
    for (const size of [1, 7, 22, 23, 24, 100]) {
      const pages = await walk(`per_page=${size}`);
      expect(names(pages)).toEqual(ids.map(idOf));
      expect(pages).toHaveLength(Math.ceil(23 / size));
    }
  });

  test('gives the same page to who jumps to it as to who walks there', async () => {
    const walked = await walk('per_page=4');
    const beside = await system.another();
    for (const number of [6, 3, 5]) {
      const answer = await get(beside, `${path}?per_page=4&page=${number}`, developer.bearer);
      expect(answer.json()).toEqual(walked[number - 1]);
    }
  });

  test('is valid by the published schemas', async () => {
    const brief = await page('?per_page=100');
    expect(brief.contents.flatMap(problemsBy('service_list.json'))).toEqual([]);
    expect(brief.contents[0]).not.toHaveProperty('phones');
    expect(brief.contents[0]).toHaveProperty('organization.name', 'Harbor Aid');
    const full = await page('?per_page=100&full=true');
    expect(full.contents.flatMap(problemsBy('service.json'))).toEqual([]);
    for (const key of [developer, teamKey]) {
      const one = (await ask(`/${idOf(ids[0] ?? '')}`, key)).json<HsdsService>();
      expect(problemsBy('service.json')(one)).toEqual([]);
      expect(one).toMatchObject({
        status: 'active',
        phones: [{ number: '555-0100', extension: 7 }],
        schedules: [{ byday: 'MO,TU', opens_at: '09:00', closes_at: '17:00' }],
      });
    }
    expect((await page('?minimal=true&per_page=1')).contents).toEqual([
      { id: idOf(ids[0] ?? ''), last_modified: expect.any(String) as string },
    ]);
  });

  test('shows each key its tier, and nobody what is confidential or not public', async () => {
    for (const at of [`/${idOf(ids[0] ?? '')}`, '?full=true']) {
      const [open, team] = [(await ask(at)).body, (await ask(at, teamKey)).body];
      expect(open).not.toContain('a@example.org');
      expect(team).toContain('a@example.org');
      for (const text of [open, team]) {
        expect(text).toContain('1 Quay');
        expect(text).not.toContain('Hidden');
        expect(text).not.toContain('A draft');
      }
    }
  });

  test('finds by words, category and time', async () => {
    const found = await page('?search=pantry%207&full=true');
    expect(found).toMatchObject({ total_items: 1, total_pages: 1, contents: [{ name: 'Pantry 7' }] });
    const term = found.contents[0]?.attributes?.[0]?.taxonomy_term_id ?? '';
    expect(names(await walk(`taxonomy_term_id=${term}&per_page=5`))).toHaveLength(11);
    expect(await page(`?taxonomy_id=${categoryTaxonomy.id}`)).toMatchObject({ total_items: 23 });
    for (const unknown of ['taxonomy_id', 'taxonomy_term_id']) {
      expect(await page(`?${unknown}=${crypto.randomUUID()}`)).toMatchObject({ total_items: 0, empty: true });
    }
    const changed = ids[4] ?? '';
    const since = new Date().toISOString();
    await system.command(changed, { kind: 'revise', change: { alert: 'Closed today' } });
    await system.caughtUp();
    const latest = await page(`?modified_after=${since}`);
    expect(latest).toMatchObject({ size: 1, last_page: true, contents: [{ alert: 'Closed today' }] });
    expect(latest).not.toHaveProperty('total_items');
    expect(names(await walk('modified_after=2020-01-01&per_page=4'))).toHaveLength(23);
  });

  test('refuses what it does not know, in the form of the service API', async () => {
    for (const query of [
      'page=0',
      'page=x',
      'per_page=101',
      'full=yes',
      'format=xml',
      'organization_id=1&search=food',
      'modified_after=x',
    ]) {
      const answer = await ask(`?${query}`);
      expect(answer.statusCode, query).toBe(400);
      expect(answer.headers['content-type']).toContain('application/problem+json');
      expect(answer.json()).toMatchObject({ status: 400 });
    }
    for (const id of ['1', crypto.randomUUID(), idOf('r_0000000000000001'), ids[0] ?? '']) {
      expect((await ask(`/${id}`)).statusCode, id).toBe(404);
    }
    expect((await get(system.server, path)).statusCode).toBe(401);
    const blind = await system.key({ scopes: ['resources:submit'] });
    expect((await ask('', blind)).statusCode).toBe(403);
    const posted = await system.server.inject({ method: 'POST', url: path, headers: developer.bearer });
    expect(posted.statusCode).toBe(405);
  });

  test('does not send again what the client has', async () => {
    for (const at of ['?per_page=3', `/${idOf(ids[1] ?? '')}`]) {
      const { headers } = await ask(at);
      const again = await ask(at, developer, { 'if-none-match': String(headers.etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    const { headers } = await ask('?per_page=10&full=true');
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(String(headers.link)) ?? [];
    expect((await get(system.server, next, developer.bearer)).json()).toMatchObject({
      page_number: 2,
      size: 10,
    });
  });
});
