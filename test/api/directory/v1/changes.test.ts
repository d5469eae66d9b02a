import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changesPath } from '../../../../src/api/directory/v1/changes.ts';
import { changesCursors } from '../../../../src/api/directory/v1/changes-query.ts';
import { integerOfSvcId } from '../../../../src/events/ids.ts';
import { resources } from '../../../../src/projections/directory/resources.ts';
import { appending } from '../../../support/append.ts';
import { until } from '../../../support/until.ts';
import { startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';
import { get, pagesOf } from '../read.ts';

interface Change {
  readonly svc_id: string;
  readonly change: 'upsert' | 'removed';
  readonly changed_at: string;
  readonly record?: Readonly<Record<string, unknown>>;
}
interface Changes {
  readonly data: readonly Change[];
  readonly has_more: boolean;
  readonly cursor: string;
}

describe('the feed of changes', () => {
  let system: RunningSystem;
  let developer: TestKey;
  let teamKey: TestKey;
  /** The cursor of a mirror that has read everything. */
  let level: string;

  const ask = (query: string, { bearer } = developer, headers = {}) =>
    get(system.server, `${changesPath}?${query}`, { ...bearer, ...headers });
  const read = async (query: string, key = developer) => {
    const answer = await ask(query, key);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
    return answer.json<Changes>();
  };
  /** From a cursor to the end. */
  const follow = async (from: string, limit: number, key = developer) => {
    const data: Change[] = [];
    for (let cursor = from; ;) {
      const page = await read(`limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`, key);
      data.push(...page.data);
      cursor = page.cursor;
      if (!page.has_more) return { data, cursor };
    }
  };
  const since = async () => (await follow(level, 100)).data;
  const brief = (changes: readonly Change[]) => changes.map(({ svc_id, change }) => [svc_id, change]);
  const revise = (svcId: string, name: string) => system.command(svcId, { kind: 'revise', change: { name } });

  beforeAll(async () => {
    system = await startSystem();
    await system.team('harbour');
    developer = await system.key();
    teamKey = await system.key({ kind: 'team', team: 'harbour', scopes: ['resources:read'] });
    await system.resources(20, { fields: () => ({ email: 'a@example.org' }) });
  });
  beforeEach(async () => {
    ({ cursor: level } = await follow('', 100));
  });
  afterAll(() => system.stop());

  const listed = async (key = developer) =>
    (await pagesOf(system.server, v1, { limit: '100' }, key.bearer)).flatMap(({ data }) => data);
  const upserted = (changes: readonly Change[]) =>
    changes
      .flatMap(({ record }) => (record ? [record] : []))
      .sort((one, other) => number(one['svc_id']) - number(other['svc_id']));
  const number = (svcId: unknown) => integerOfSvcId(String(svcId)) ?? Number.NaN;

  test('begins with every public record once, whatever the page size', async () => {
    for (const limit of [1, 7, 19, 20, 21, 100]) {
      expect(upserted((await follow('', limit)).data)).toEqual(await listed());
    }
  });

  test('shows each key the tier that the list shows it', async () => {
    expect(upserted((await follow('', 7, teamKey)).data)).toEqual(await listed(teamKey));
    expect((await listed(teamKey))[0]).toHaveProperty('email', 'a@example.org');
    expect((await listed())[0]).not.toHaveProperty('email');
  });

  test('tells what was added, changed and removed, in order, each resource at its last change', async () => {
    const [one = '', other = '', third = ''] = await system.resources(3);
    expect(new Set(brief(await since()).map(String))).toEqual(
      new Set([one, other, third].map((id) => `${id},upsert`)),
    );
    await revise(other, 'First');
    await system.command(third, { kind: 'deactivate' });
    await revise(one, 'Second');
    await revise(other, 'Third');
    const changes = await since();
    expect(brief(changes)).toEqual([
      [third, 'removed'],
      [one, 'upsert'],
      [other, 'upsert'],
    ]);
    expect(changes[2]?.record).toMatchObject({ name: 'Third', updated_at: changes[2]?.changed_at });
    expect(changes.map(({ changed_at }) => changed_at)).toEqual(
      changes.map(({ changed_at }) => changed_at).sort(),
    );
  });

  test('tells of a removal nothing but that and when', async () => {
    const [svcId = ''] = await system.resources(1);
    await system.command(svcId, { kind: 'deactivate', reason: 'Flooded.' });
    expect(await since()).toEqual([
      { svc_id: svcId, change: 'removed', changed_at: expect.any(String) as string },
    ]);
  });

  test('does not move a removal when its draft is changed, and shows it again when it is public again', async () => {
    const [svcId = ''] = await system.resources(1);
    await system.command(svcId, { kind: 'deactivate' });
    const removed = await follow(level, 100);
    await revise(svcId, 'Draft');
    expect((await follow(level, 100)).data).toEqual(removed.data);
    expect((await follow(removed.cursor, 100)).data).toEqual([]);
    await system.command(svcId, { kind: 'reactivate' });
    expect((await follow(removed.cursor, 100)).data).toMatchObject([
      { svc_id: svcId, change: 'upsert', record: { name: 'Draft' } },
    ]);
  });

  test('never shows a resource that was never public', async () => {
    const waiting = await system.submission('harbour');
    const refused = await system.submission('harbour');
    await system.command(refused, { kind: 'reject', reason: 'No.' });
    await revise(waiting, 'Draft');
    expect(await since()).toEqual([]);
    expect((await follow('', 100)).data.map(({ svc_id }) => svc_id)).not.toContain(waiting);
  });

  test('hides what is confidential as the list does', async () => {
    const locations = [{ street: '5 Secret Road', city: 'Miami', confidential: true as const }];
    await system.resources(1, { fields: () => ({ locations }) });
    const changes = JSON.stringify(await since());
    expect(changes).toContain('Miami');
    expect(changes).not.toContain('Secret');
  });

  test('gives the same cursor while nothing is new, and 304 to whoever has the answer', async () => {
    const quiet = await ask(`cursor=${level}`);
    expect(quiet.json()).toEqual({ data: [], has_more: false, cursor: level });
    expect(quiet.headers).toMatchObject({ 'cache-control': 'private, no-cache' });
    const etag = String(quiet.headers.etag);
    await system.submission('harbour');
    expect((await ask(`cursor=${level}`, developer, { 'if-none-match': etag })).statusCode).toBe(304);
    await system.resources(1);
    expect((await ask(`cursor=${level}`, developer, { 'if-none-match': etag })).statusCode).toBe(200);
  });

  test('names the next page in a Link header while there is one', async () => {
    const first = await ask('limit=5');
    const next = /^<([^>]+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? '';
    const second = (await get(system.server, next, developer.bearer)).json<Changes>();
    const repeated = new Set(brief(first.json<Changes>().data).map(String));
    expect(second.data).toHaveLength(5);
    expect(brief(second.data).some((entry) => repeated.has(String(entry)))).toBe(false);
    expect((await ask('limit=100')).headers.link).toBeUndefined();
  });

  test('goes on across a rebuild of the read model', async () => {
    const generation = async () =>
      (await system.system.documents.progress()).get(resources.collection.name)?.generation;
    const before = await generation();
    await appending(system.system.store, 'projection-resources', {
      type: 'RebuildStarted',
      data: { projection: 'resources' },
    });
    await until(async () => (await generation()) !== before);
    expect(await since()).toEqual([]);
    const [svcId = ''] = await system.resources(1);
    expect(brief(await since())).toEqual([[svcId, 'upsert']]);
  });

  test('refuses with 410 a cursor of another log, and says how to go on', async () => {
    const cursors = changesCursors(system.system.masterKey);
    const after = cursors.open(level)?.after;
    if (!after) throw new Error('A mirror that has read has a place.');
    for (const other of [
      { ...after, id: crypto.randomUUID() },
      { ...after, position: after.position + 1_000_000n },
    ]) {
      const answer = await ask(`cursor=${changesCursors(system.system.masterKey).seal({ after: other })}`);
      expect(answer.statusCode).toBe(410);
      expect(answer.json()).toMatchObject({
        error: 'cursor_expired',
        detail: expect.stringContaining('without a cursor') as string,
      });
    }
  });

  test('refuses what is no cursor of the feed, and parameters that it does not have', async () => {
    const page = (await get(system.server, `${v1}?limit=1`, developer.bearer)).json<{
      next_cursor: string;
    }>();
    const changed = `${level.slice(0, -1)}${level.endsWith('A') ? 'B' : 'A'}`;
    for (const [query, error] of [
      [`cursor=${page.next_cursor}`, 'invalid_cursor'],
      [`cursor=${changed}`, 'invalid_cursor'],
      ['cursor=', 'invalid_cursor'],
      ['limit=0', 'invalid_parameter'],
      ['limit=101', 'invalid_parameter'],
      ['limit=x', 'invalid_parameter'],
      ['category=food', 'invalid_parameter'],
      [`cursor=${level}&cursor=${level}`, 'invalid_parameter'],
    ] as const) {
      const answer = await ask(query);
      expect(answer.statusCode, query).toBe(400);
      expect(answer.json(), query).toMatchObject({ error });
    }
    const toTheList = await get(system.server, `${v1}?cursor=${level}`, developer.bearer);
    expect(toTheList.json()).toMatchObject({ error: 'invalid_cursor' });
  });

  test('needs resources:read', async () => {
    const writer = await system.key({ scopes: ['resources:submit'] });
    expect((await ask('', writer)).statusCode).toBe(403);
    expect((await get(system.server, changesPath)).statusCode).toBe(401);
  });
});

test('an empty feed gives a cursor with which a mirror can wait', async () => {
  const system = await startSystem();
  try {
    const { bearer } = await system.key();
    const empty = (await get(system.server, changesPath, bearer)).json<Changes>();
    expect(empty).toMatchObject({ data: [], has_more: false });
    const [svcId] = await system.resources(1);
    const next = await get(system.server, `${changesPath}?cursor=${empty.cursor}`, bearer);
    expect(next.json<Changes>().data).toMatchObject([{ svc_id: svcId, change: 'upsert' }]);
  } finally {
    await system.stop();
  }
});
