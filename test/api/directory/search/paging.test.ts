import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';
import { pagesOf, svcIds } from '../read.ts';

describe('paging through a search while the directory changes', () => {
  let system: RunningSystem;
  let key: TestKey;
  let staying: string[];
  let moving: string[];
  let leaving: string[];
  beforeAll(async () => {
    system = await startSystem();
    key = await system.key();
    const near = { locations: [{ city: 'Miami', latitude: 25.77, longitude: -80.19 }] };
    staying = await system.resources(30, { fields: (n) => ({ name: `Garden ${n}`, ...near }) });
    moving = await system.resources(30, { fields: (n) => ({ name: `Garden club ${n}`, ...near }) });
    leaving = await system.resources(10, { fields: (n) => ({ name: `Garden shed ${n}`, ...near }) });
  });
  afterAll(() => system.stop());

  /** Between two pages one record goes away, one is found by its description alone from now on, and far away. */
  const change = async () => {
    const [out, other] = [leaving.pop(), moving.pop()];
    if (out) await system.command(out, { kind: 'deactivate' });
    if (!other) return;
    const locations = [{ city: 'Tampa', latitude: 27.95, longitude: -82.46 }];
    const set = { name: 'Renamed', description: 'A garden.', locations };
    await system.command(other, { kind: 'revise', change: set });
  };

  // The first page leaves out by itself what a further page has the index leave out.
  test.each([
    { q: 'garden club' },
    { q: 'garden miami' },
    { q: 'club garden swimming' },
    { q: 'shed' },
    { q: 'garden club', near: '25.77,-80.19', radius_km: '50', sort: 'relevance' },
    { q: 'garden club', near: '25.77,-80.19', radius_km: '50' },
  ])('long and short pages have the same order: %o', async (query) => {
    const inPagesOf = async (limit: string) =>
      svcIds(await pagesOf(system.server, v1, { ...query, limit }, key.bearer));
    expect(await inPagesOf('7')).toEqual(await inPagesOf('100'));
  });

  test.each([
    ['by relevance', { q: 'garden' }],
    ['by distance', { near: '25.77,-80.19', radius_km: '20000', q: 'garden' }],
    ['by distance alone', { near: '25.77,-80.19', radius_km: '20000' }],
  ])('%s no record is on two pages, and none that stays is missing', async (_, query) => {
    const seen = svcIds(await pagesOf(system.server, v1, { ...query, limit: '4' }, key.bearer, change));
    expect(new Set(seen).size).toBe(seen.length);
    expect(staying.filter((id) => !seen.includes(id))).toEqual([]);
  });

  test('by id each record that stays public is on exactly one page', async () => {
    const query = { q: 'garden', sort: 'id', limit: '4' };
    const seen = svcIds(await pagesOf(system.server, v1, query, key.bearer, change));
    expect(new Set(seen).size).toBe(seen.length);
    expect([...staying, ...moving].filter((id) => !seen.includes(id))).toEqual([]);
  });
});
