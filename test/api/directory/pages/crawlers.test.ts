import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { integerId, integerOfSvcId, orgIdOf } from '../../../../src/events/ids.ts';
import { Sitemap } from '../../../../src/api/directory/pages/sitemap.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { commandOrganization, submitOrganization } from '../../../../src/commands/directory/organization.ts';
import { context, startSystem, type RunningSystem } from '../../harness.ts';

const base = 'https://directory.example';
let system: RunningSystem;
let ids: string[];
beforeAll(async () => {
  system = await startSystem({ environment: { BASE_URL: base } });
  ids = await system.resources(25);
  await system.submission('commons', { name: 'Draft' });
});
afterAll(() => system.stop());

const get = (url: string, headers: Record<string, string> = {}) => system.server.inject({ url, headers });
const locations = (body: string) =>
  [...body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address);
const idOf = (address: string) => address.slice(address.lastIndexOf('/') + 1);
const inOrder = (all: readonly string[]) =>
  all.toSorted((one, other) => (integerOfSvcId(one) ?? 0) - (integerOfSvcId(other) ?? 0));

describe('the sitemap', () => {
  test('names every public record once, in the order of ids, with when it changed', async () => {
    const index = await get('/sitemap.xml');
    expect([index.statusCode, index.headers['content-type']]).toEqual([
      200,
      'application/xml; charset=utf-8',
    ]);
    expect(locations(index.body)).toEqual([
      `${base}/sitemap/0-1.xml`,
      `${base}/sitemap/organizations-0-1.xml`,
    ]);
    const { body, statusCode } = await get('/sitemap/0-1.xml');
    expect(statusCode).toBe(200);
    expect(body).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www.sitemaps.org\/schemas\/sitemap\/0.9">\n/,
    );
    expect(body).toMatch(/<\/urlset>\n$/);
    expect(locations(body)).toEqual(inOrder(ids).map((id) => `${base}/r/${id}`));
    expect([...body.matchAll(/<lastmod>(\d{4}-\d\d-\d\dT[\d:.]+Z)<\/lastmod>/g)]).toHaveLength(ids.length);
  });

  test('has parts that together have every record once, however many there are', async () => {
    for (const parts of [2, 3, 7]) {
      const found: string[] = [];
      for (let part = 0; part < parts; part++) {
        const own = locations((await get(`/sitemap/${part}-${parts}.xml`)).body).map(idOf);
        expect(own.length).toBeLessThan(ids.length);
        found.push(...own);
      }
      expect(found).toEqual(inOrder(ids));
    }
  });

  test('has parts that together have every organization once', async () => {
    const orgIds: string[] = [];
    for (let n = 0; n < 9; n++) {
      const fields = { name: `Trust ${n}` };
      const { state } = await submitOrganization(system.system, { team: 'commons', fields }, context());
      const { org_id = '' } = state ?? {};
      await commandOrganization(system.system, org_id, { kind: 'approve' }, context());
      orgIds.push(org_id);
    }
    await system.caughtUp();
    for (const parts of [1, 3]) {
      const found: string[] = [];
      for (let part = 0; part < parts; part++)
        found.push(...locations((await get(`/sitemap/organizations-${part}-${parts}.xml`)).body).map(idOf));
      expect(found).toEqual(orgIds.toSorted());
    }
    expect((await get('/sitemap/organizations-1-1.xml')).statusCode).toBe(404);
  });

  test.each([1_000, 39_000, 100_000, 400_000])(
    'has parts of at most 50,000 for %i records and as many organizations',
    async (count) => {
      const all = Array.from({ length: count }, (_, index) => integerId('sitemap', String(index))).sort(
        (a, b) => a - b,
      );
      const orgIds = all.map(orgIdOf).sort();
      // Ids as they are made, without what they are of.
      const collection = {
        select: ({ limit, orderBy: [by] }: { readonly limit: number; readonly orderBy: readonly string[] }) =>
          Promise.resolve(
            by === 'number'
              ? all.slice(0, limit).map((number) => ({ number }))
              : orgIds.slice(0, limit).map((org_id) => ({ org_id })),
          ),
      };
      const documents = { collection: () => collection } as unknown as Documents;
      const index = locations(await new Sitemap(documents, () => base).index(undefined));
      const parts = index.filter((part) => part.includes('/organizations-')).length;
      for (const [named, places] of [
        [index.length - parts, all.map((number) => number / 2 ** 52)],
        [parts, orgIds.map((id) => Number.parseInt(id.slice(2), 16) / 2 ** 64)],
      ] as const) {
        const sizes = new Array<number>(named).fill(0);
        for (const place of places) {
          const part = Math.floor(place * named);
          sizes[part] = (sizes[part] ?? 0) + 1;
        }
        expect(Math.max(...sizes)).toBeLessThanOrEqual(50_000);
        expect(named).toBeLessThanOrEqual(Math.ceil(count / 30_000));
      }
    },
  );

  test('is read again only when a record changed', async () => {
    for (const url of ['/sitemap.xml', '/sitemap/0-1.xml']) {
      const { headers } = await get(url);
      const known = { 'if-none-match': String(headers.etag) };
      expect(headers['cache-control']).toBe('public, max-age=3600');
      const again = await get(url, known);
      expect([again.statusCode, again.body], url).toEqual([304, '']);
      await system.command(ids[0] ?? '', { kind: 'deactivate' });
      expect((await get(url, known)).statusCode, url).toBe(200);
      await system.command(ids[0] ?? '', { kind: 'reactivate' });
    }
  });

  test('leaves out what is no longer public', async () => {
    const [gone = ''] = await system.resources(1);
    expect((await get('/sitemap/0-1.xml')).body).toContain(gone);
    await system.command(gone, { kind: 'deactivate' });
    expect((await get('/sitemap/0-1.xml')).body).not.toContain(gone);
  });

  test.each(['1-1', '0-0', '5-3', '0-99999', 'x-1', '0-x', '-1-1', '0', '1e1-20', '0-1.5'])(
    'has no part %s',
    async (part) => {
      expect((await get(`/sitemap/${part}.xml`)).statusCode).toBe(404);
    },
  );
});

test('robots may read records and the start page, and follow no filter', async () => {
  const { statusCode, headers, body } = await get('/robots.txt');
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const rules = [...body.matchAll(/^(Allow|Disallow): (.*)$/gm)].map(([, kind, path = '']) => ({
    kind,
    path,
  }));
  /** RFC 9309 section 2.2.2: the longest rule that matches, and of equals the one that allows. */
  const allowed = (path: string) => {
    const matching = rules.filter((rule) =>
      new RegExp(`^${rule.path.replace(/[.?+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}`).test(path),
    );
    const longest = Math.max(...matching.map((rule) => rule.path.length));
    return matching.filter((rule) => rule.path.length === longest).some(({ kind }) => kind === 'Allow');
  };
  for (const path of [
    '/',
    '/r/r_0123456789abcdef',
    '/r/r_0123456789abcdef?lang=es',
    '/find',
    '/sitemap.xml',
    '/dash/assets/x/style.css',
    '/docs',
  ])
    expect(allowed(path), path).toBe(true);
  for (const path of [
    '/find?q=food',
    '/find?category=food&page=2',
    '/r/r_0123456789abcdef/report',
    '/dash/sign-in',
    '/oauth/authorize',
    '/api/resources',
  ])
    expect(allowed(path), path).toBe(false);
  expect(body).toContain(`Sitemap: ${base}/sitemap.xml`);
});
