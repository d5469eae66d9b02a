import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textOfNeed } from '../../../../src/needs/need.ts';
import { needOfSearch } from '../../../../src/api/directory/upkeep/need-of-search.ts';
import { needsIn } from '../../../../src/needs/published.ts';
import { todayTable } from '../../../../src/needs/stored-counts.ts';
import { ofTeam } from '../../../../src/api/pages/paths.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import { legacy, type TestKey } from '../../harness.ts';
import { addressIn, firstWeek, noonOf } from '../../../needs/processes.ts';

const api = '/dash/api/v1/needs';
const page = ofTeam('/dash/resources/needs', 'harbour');
const person = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let dash: Dashboard;
let reviewer: Account;
let key: TestKey;
let pantry: string;
let logged = '';

beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('library', ['needs:read']);
  reviewer = await dash.account();
  await dash.member('harbour', reviewer, 'reviewer');
  key = await dash.key({ kind: 'team', team: 'library', scopes: ['needs:read'] });
  [pantry = ''] = await dash.resources(2, {
    fields: (index) => ({
      name: ['Corner Pantry', 'Sundridge Pantry'][index] ?? '',
      category: 'food',
      locations: [
        {
          street: '1 Quay',
          city: ['Homestead', 'Sundridge'][index] ?? '',
          region: 'FL',
          postal_code: '33030',
          country: 'US',
        },
      ],
    }),
  });
  await week();
});
afterAll(() => dash.stop());

/** A server whose clock stands still, whose counts are written when it is closed. */
async function serverAt(day: number, environment: Record<string, string> = {}): Promise<FastifyInstance> {
  const write = (line: string) => (logged += line);
  return dash.another({ now: () => noonOf(day), environment, logger: { level: 'trace', stream: { write } } });
}

interface Visit {
  readonly network: number;
  readonly headers?: Record<string, string>;
}

const get = (server: FastifyInstance, url: string, { network, headers = {} }: Visit) =>
  server.inject({ url, remoteAddress: addressIn(network), headers: { 'user-agent': person, ...headers } });
const find = (server: FastifyInstance, query: Record<string, string>, visit: Visit) =>
  get(server, `/find?${new URLSearchParams(query).toString()}`, visit);
/** The links to records of a list of results. */
const linksIn = (body: string): string[] =>
  [...body.matchAll(/<h3><a href="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));

/** A week of searches, and its end. */
async function week(): Promise<void> {
  const server = await serverAt(0);
  const widget = await dash.key({ scopes: ['resources:read'] });
  for (let network = 0; network < 23; network++) {
    // In words, in a field, in another order and language: one thing.
    const query = [
      { q: 'dentist homestead' },
      { q: 'toothache', near: 'Homestead, FL' },
      { q: 'Dentista', near: 'homestead' },
    ][network % 3];
    await find(server, query ?? {}, { network });
    await find(
      server,
      { q: 'food pantry', near: 'Sundridge, FL' },
      { network, headers: { 'user-agent': 'Googlebot/2.1' } },
    );
    await find(server, { q: 'food pantry' }, { network, headers: { 'sec-purpose': 'prefetch' } });
    await find(server, { q: 'i want to kill myself', near: 'Homestead' }, { network });
    await find(server, { q: 'domestic violence', near: 'Homestead' }, { network });
    await find(server, { category: 'emergency' }, { network });
    await find(server, {}, { network });
    // What a program asks for with a key, and what a site chose for its widget.
    const headers = { 'x-api-key': widget.key };
    await get(server, `${legacy}?q=legal&lang=en`, { network, headers });
    const fromWidget = { ...headers, origin: 'https://site.example' };
    await get(server, `${legacy}?category=money&lang=en`, { network, headers: fromWidget });
    await get(server, `${legacy}?q=qwert&lang=en`, { network, headers: fromWidget });
    await get(server, `${legacy}?q=pantry&lang=en`, { network, headers: fromWidget });
    if (network >= 3) {
      const [link = ''] = linksIn((await find(server, { q: 'pantries' }, { network })).body);
      if (network >= 13) await get(server, link, { network });
    }
    const { body } = await find(
      server,
      { q: '=HYPERLINK("http://evil.example")', near: '33030' },
      { network },
    );
    expect(linksIn(body).join()).not.toContain('HYPERLINK');
  }
  await server.close();
  await (await serverAt(7)).close();
}

const rows = async () =>
  (await needsIn(dash.system.side, { weeks: 1 })).needs.map((row) => [
    textOfNeed(row),
    row.searches,
    row.foundNothing,
    row.openedNothing,
  ]);

describe('a search', () => {
  test.each([
    [{ text: 'dentist without insurance', near: 'Homestead, FL' }, 'dentist|health|Homestead'],
    [{ text: 'no insurance dentist', near: '33030-1234' }, 'dentist+free-clinic|health|330'],
    [{ text: 'rent', category: 'legal', near: '12 Main St, Hialeah, FL 33010' }, 'rent|legal|330'],
    [{ category: 'housing' }, '|housing|'],
    [{ text: 'my neighbour John Smith', near: 'nowhere at all' }, '?||'],
    [{ text: 'call me at 305-555-0100' }, '?||'],
    [
      { text: 'food', near: '25.7743,-80.1937', at: { latitude: 25.7743, longitude: -80.1937 } },
      'food|food|331',
    ],
    [{ text: 'food', near: 'guadalajara' }, 'food|food|Guadalajara'],
    [{ text: 'food', near: 'Miami-Dade County' }, 'food|food|Miami-Dade County'],
    [{ text: 'fod pantri', didYouMean: 'food pantry' }, 'food-pantry|food|'],
    [{ text: 'i dont want to live anymore', near: 'Homestead' }, undefined],
    [{ text: 'suicde', didYouMean: 'suicide' }, undefined],
    [{ text: 'shelter from domestic violence' }, undefined],
    [{ text: 'food', category: 'emergency' }, undefined],
    [{}, undefined],
  ])('for %j is counted as %s', async (search, expected) => {
    const need = await needOfSearch(search, (name) => Promise.resolve(name === 'guadalajara'));
    expect(need && textOfNeed(need)).toBe(expected);
  });

  test('by people counts, in the words of the search, and by nobody else', async () => {
    expect(await rows()).toEqual([
      ['dentist|health|Homestead', 20, 20, 0],
      ['?||330', 20, 20, 0],
      ['food-pantry|food|', 20, 0, 10],
    ]);
    const all = JSON.stringify(await dash.system.side.table('needs').list());
    for (const trace of ['toothache', 'HYPERLINK', 'qwert', 'violence', 'emergency', '10.0.'])
      expect(all).not.toContain(trace);
  });

  test('is in no line of the log', () => {
    expect(logged).toContain('/r/');
    for (const trace of ['toothache', 'HYPERLINK', 'dentist']) expect(logged).not.toContain(trace);
    expect(logged).not.toMatch(/via=(?!\[redacted)/);
  });

  test('says in the links to its records nothing that others can read or compare, and is the same page again', async () => {
    const server = await serverAt(8);
    const query = { q: 'pantry', near: 'Homestead, FL' };
    const first = await find(server, query, { network: 1 });
    const [link = ''] = linksIn(first.body);
    expect(link).toMatch(/^\/r\/r_[0-9a-f]+\?via=[\w-]{40,120}$/);
    expect(linksIn((await find(server, query, { network: 2 })).body)).not.toContain(link);
    const headers = { 'if-none-match': String(first.headers.etag) };
    expect((await find(server, query, { network: 1, headers })).statusCode).toBe(304);
    expect(first.headers['set-cookie']).toBeUndefined();
    const opened = await get(server, link, { network: 1 });
    expect(opened.statusCode).toBe(200);
    expect(opened.headers['set-cookie']).toBeUndefined();
    // Neither the way to the record for others, nor what search engines are told.
    expect(opened.body.replace(/<link rel="alternate"[^>]*>/g, '')).not.toContain('via=');
    expect((await get(server, `/r/${pantry}?via=nonsense`, { network: 1 })).statusCode).toBe(200);
    await server.close();
  });

  test('of a later page opens records too, and counts no second search', async () => {
    await dash.resources(25, {
      fields: (index) => ({ name: `Tutoring ${index}`, category: 'education', locations: [] }),
    });
    const server = await serverAt(8);
    const first = await find(server, { q: 'tutoring' }, { network: 1 });
    const [, next = ''] = /<a class="button primary" href="([^"]*)"/.exec(first.body) ?? [];
    const later = await get(server, next.replaceAll('&amp;', '&'), { network: 1 });
    expect(linksIn(later.body)[0]).toContain('?via=');
    const via = (body: string) =>
      new URL(linksIn(body)[0] ?? '', 'https://a.example').searchParams.get('via');
    expect(via(later.body)).toBe(via(first.body));
    await server.close();
  });

  test('is not counted where COUNT_SEARCHES is off', async () => {
    const before = await todayTable(dash.system.side).list();
    const server = await serverAt(9, { COUNT_SEARCHES: 'false' });
    const { body } = await find(server, { q: 'pantry' }, { network: 1 });
    expect(linksIn(body)[0]).toMatch(/^\/r\/r_[0-9a-f]+$/);
    await server.close();
    const after = await todayTable(dash.system.side).list();
    // What was counted before is closed all the same.
    expect(before.length).toBeGreaterThan(0);
    expect(after).toEqual([]);
  });

  test('is answered while the store of counts is away', async () => {
    const server = await serverAt(10);
    const table = todayTable(dash.system.side);
    const read = table.get.bind(table);
    table.get = () => Promise.reject(new Error('away'));
    try {
      const { statusCode, body } = await find(server, { q: 'pantry' }, { network: 1 });
      expect(statusCode).toBe(200);
      expect(linksIn(body)[0]).toMatch(/^\/r\/r_[0-9a-f]+$/);
    } finally {
      table.get = read;
    }
    await server.close();
  });
});

describe('the page', () => {
  test('says what was looked for in vain, in sentences and as a table, and narrows it down', async () => {
    const browser = await dash.signedIn(reviewer);
    await browser.open(page);
    expect(browser.status).toBe(200);
    const text = browser.html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(text).toContain('Dentist, Homestead: 20 searches, nothing found.');
    expect(text).toContain('fewer than 10');
    expect(browser.html).toContain('Add a record');
    await browser.open(`${page}?kind=food&weeks=4`);
    expect(browser.html).toContain('Food pantry');
    expect(browser.html).not.toContain('>Dentist<');
    await browser.open(`${page}?place=Homestead&week=${firstWeek}`);
    expect(browser.html).toContain('>Dentist<');
    expect(browser.html).not.toContain('>Food pantry<');
    for (const query of [
      'week=2020-W01',
      'place=Nowhere',
      'week=nonsense&weeks=7&kind=x&page=-1',
      'page=1e9',
    ]) {
      await browser.open(`${page}?${query}`);
      expect(browser.status).toBe(200);
    }
    await browser.open(ofTeam('/dash/resources', 'harbour'));
    expect(browser.html).toContain(`href="${page}"`);
  });

  test('is a spreadsheet that runs nothing', async () => {
    await dash.system.side.table('needs').put(`week/${firstWeek}/food|food|=1+1`, [10, 0, 0]);
    const browser = await dash.signedIn(reviewer);
    await browser.open(`${page}?format=csv`);
    const [head, first] = browser.html.split('\n');
    expect(head).toBe('from,until,what,kind,place,searches,found_nothing,opened_nothing');
    expect(first).toMatch(/^\d{4}-\d\d-\d\d,\d{4}-\d\d-\d\d,Dentist,[^,]+,Homestead,20,20,0$/);
    expect(browser.html).toContain(`,'=1+1,10,0,0`);
    await dash.system.side.table('needs').delete(`week/${firstWeek}/food|food|=1+1`);
  });

  test('is for who keeps the directory', async () => {
    const member = await dash.account();
    await dash.member('harbour', member, 'member');
    const browser = await dash.signedIn(member);
    await browser.open(page);
    expect(browser.status).toBe(404);
  });
});

describe('the endpoint', () => {
  const read = (query = '', of = key) => dash.server.inject({ url: `${api}${query}`, headers: of.bearer });

  test('has the same rows, in pages, for keys with needs:read alone', async () => {
    const answer = (await read()).json<Record<string, unknown>>();
    expect(answer).toMatchObject({ left_out: 0, has_more: false, next_cursor: null });
    expect(answer['data']).toEqual([
      {
        words: ['dentist'],
        what: 'Dentist',
        kind: 'health',
        place: 'Homestead',
        searches: 20,
        found_nothing: 20,
        opened_nothing: 0,
      },
      expect.objectContaining({ words: ['?'], what: 'Other words', kind: null, place: 'Postal code 330…' }),
      expect.objectContaining({ words: ['food-pantry'], place: 'No place given', opened_nothing: 10 }),
    ]);
    const first = (await read('?limit=2')).json<{ data: unknown[]; next_cursor: string }>();
    expect(first.data).toHaveLength(2);
    const rest = (await read(`?limit=2&cursor=${first.next_cursor}`)).json<{
      data: unknown[];
      has_more: boolean;
    }>();
    expect([rest.data.length, rest.has_more]).toEqual([1, false]);
    expect((await read('?kind=food')).json<{ data: unknown[] }>().data).toHaveLength(1);
    expect((await read('?place=homestead&weeks=104')).json<{ data: unknown[] }>().data).toHaveLength(1);
    await dash.team('quay', ['directory:manage']);
    const other = await dash.key({ kind: 'team', team: 'quay', scopes: ['directory:manage'] });
    const refused = await read('', other);
    expect(refused.statusCode).toBe(403);
    expect(refused.body).toContain('needs:read');
  });

  test.each([
    'weeks=0',
    'weeks=105',
    'weeks=x',
    'week=2026-W60',
    'week=',
    'kind=fun',
    'cursor=x',
    'limit=101',
  ])('refuses %s with a sentence', async (query) => {
    const refused = await read(`?${query}`);
    expect(refused.statusCode).toBe(400);
    expect(refused.json<{ error: string }>().error).toMatch(/^invalid_(parameter|cursor)$/);
  });
});
