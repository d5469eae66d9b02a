import { setTimeout as pause } from 'node:timers/promises';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commandTeam } from '../../../../src/commands/teams/team.ts';
import { BulkJobs } from '../../../../src/imports/bulk-jobs.ts';
import { untilShown } from '../../../../src/projections/until-shown.ts';
import { context, startSystem, type RunningSystem, type TestKey } from '../../harness.ts';
import { until } from '../../../support/until.ts';

const path = '/dash/api/v1/bulk-actions';

let running: RunningSystem;
let count = 0;
let team: string;
let key: TestKey;

beforeAll(async () => {
  running = await startSystem();
});
afterAll(() => running.stop());

beforeEach(async () => {
  team = `team-${++count}`;
  await running.team(team, ['directory:manage']);
  key = await keyOf(team);
});

const keyOf = (
  of: string,
  scopes: readonly ('resources:read' | 'directory:manage')[] = ['directory:manage'],
) => running.key({ kind: 'team', team: of, scopes: [...scopes] });

interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly status: string | number;
  readonly [member: string]: unknown;
}

async function send(
  method: 'GET' | 'POST',
  url: string,
  payload?: unknown,
  { by = key, once = '' } = {},
): Promise<Answer> {
  const answer = await running.server.inject({
    method,
    url,
    headers: { ...by.bearer, ...(once === '' ? {} : { 'idempotency-key': once }) },
    ...(payload === undefined ? {} : { payload: payload as NonNullable<InjectOptions['payload']> }),
  });
  return { ...answer.json<Answer>(), code: answer.statusCode, headers: answer.headers };
}

const submitted = async (number: number, of = team) => {
  const ids: string[] = [];
  for (let n = 0; n < number; n += 1) ids.push(await running.submission(of, { name: `Pantry ${n}` }));
  return ids;
};

const typesOf = async (id: string): Promise<string[]> =>
  (await running.system.store.readStream(`resource-${id}`)).map(({ type }) => type.replace('Resource', ''));

describe('a bulk action of a key', () => {
  test('is begun with ids, names what was skipped with its cause, is listed, read and undone', async () => {
    const ids = await submitted(3);
    const [foreign = ''] = await submitted(1, 'commons');
    await running.command(ids[2] ?? '', { kind: 'approve' });
    const begun = await send('POST', path, { decision: 'reject', reason: 'Doubles', ids: [...ids, foreign] });
    expect(begun).toMatchObject({
      code: 201,
      status: 'ended',
      decision: 'reject',
      reason: 'Doubles',
      records: 4,
      progress: null,
      result: { done: 2, unchanged: 0, skipped: { state: 1, missing: 1 } },
    });
    expect(begun['skipped']).toEqual([
      {
        svc_id: ids[2],
        name: 'Pantry 2',
        why: 'state',
        cause: expect.stringContaining('was approved before') as string,
      },
      // What others call their records is not shown.
      {
        svc_id: foreign,
        name: foreign,
        why: 'missing',
        cause: expect.stringContaining('no such record') as string,
      },
    ]);
    expect(begun.headers.location).toBe(`${path}/${begun.id}`);
    expect(await send('GET', `${path}/${begun.id}`)).toMatchObject({ code: 200, status: 'ended' });
    expect((await send('GET', path))['data']).toMatchObject([{ id: begun.id, result: { done: 2 } }]);
    const undone = await send('POST', `${path}/${begun.id}/undo`);
    expect(undone).toMatchObject({ code: 200, status: 'undone', undo: { left: 0 } });
    expect(await typesOf(ids[0] ?? '')).toEqual(['Submitted', 'Rejected', 'Resubmitted']);
    expect(await typesOf(foreign)).toEqual(['Submitted']);
  });

  test('about a filter says how many it expects, and does nothing when more fit by now', async () => {
    const ids = await submitted(2);
    const approve = { decision: 'approve', filter: 'status=submitted' };
    expect(await send('POST', path, { ...approve, total: 1 })).toMatchObject({
      code: 409,
      detail: expect.stringContaining('Meanwhile 2 records fit') as string,
    });
    expect(await typesOf(ids[0] ?? '')).toEqual(['Submitted']);
    expect(await send('POST', path, approve)).toMatchObject({
      code: 422,
      detail: expect.stringMatching(/total/) as string,
    });
    expect(await send('POST', path, { ...approve, total: 5 })).toMatchObject({ code: 201, records: 2 });
  });

  test('that is sent twice, one after the other or at once, is one; with another body it is refused', async () => {
    await submitted(3);
    const approve = { decision: 'approve', filter: 'status=submitted', total: 3 };
    const [one, other] = await Promise.all([1, 2].map(() => send('POST', path, approve, { once: 'a' })));
    const first = one?.code === 201 ? one : other;
    expect([one?.code, other?.code].every((code) => code === 201 || code === 409)).toBe(true);
    expect(first).toMatchObject({ code: 201, result: { done: 3 } });
    expect(await send('POST', path, approve, { once: 'a' })).toMatchObject({ code: 201, id: first?.id });
    expect((await send('GET', path))['data']).toHaveLength(1);
    expect(await send('POST', path, { ...approve, total: 4 }, { once: 'a' })).toMatchObject({
      code: 422,
      title: 'This Idempotency-Key was used for another request',
    });
    const undo = `${path}/${first?.id ?? ''}/undo`;
    expect(await send('POST', undo, undefined, { once: 'b' })).toMatchObject({ status: 'undone' });
    expect(await send('POST', undo, undefined, { once: 'b' })).toMatchObject({ code: 200, status: 'undone' });
  });

  test('needs directory:manage, and does not exist for other teams', async () => {
    const [id = ''] = await submitted(1);
    const reader = await keyOf(team, ['resources:read']);
    const approve = { decision: 'approve', ids: [id] };
    for (const url of [path, `${path}/${crypto.randomUUID()}/undo`, `${path}/${crypto.randomUUID()}/stop`])
      expect(await send('POST', url, approve, { by: reader })).toMatchObject({
        code: 403,
        scope: 'directory:manage',
      });
    const begun = await send('POST', path, approve);
    await running.team(`other-${team}`, ['directory:manage']);
    const stranger = await keyOf(`other-${team}`);
    for (const [method, url] of [
      ['GET', `${path}/${begun.id}`],
      ['POST', `${path}/${begun.id}/undo`],
      ['POST', `${path}/${begun.id}/stop`],
    ] as const)
      expect(await send(method, url, undefined, { by: stranger })).toMatchObject({ code: 404 });
    expect((await send('GET', path, undefined, { by: stranger }))['data']).toEqual([]);
    expect(await send('POST', path, approve, { by: stranger })).toMatchObject({
      result: { done: 0, skipped: { missing: 1 } },
    });
    await running.revoke(key.keyId);
    expect(await send('POST', path, approve)).toMatchObject({ code: 401 });
  });

  test('takes 10,000 ids, and refuses more and rubbish with a sentence', async () => {
    const none = Array.from({ length: 10_001 }, (_, n) => `r_${String(n).padStart(16, '0')}`);
    const approve = (also: object) => send('POST', path, { decision: 'approve', ...also });
    for (const [body, code, detail] of [
      [{ ids: none }, 422, /^ids: names too many records: at most 10,000; use a filter for more/],
      [{ ids: [] }, 422, /^ids: name at least one record/],
      [{ ids: ['<script>'] }, 422, /must be r_ and 16 hex digits/],
      [{ ids: 'r_0000000000000000' }, 422, /^ids/],
      [{}, 422, /Name the records, or a filter/],
      [{ ids: none.slice(0, 1), filter: '', total: 1 }, 422, /one of the two/],
      [{ filter: 'status=nonsense', total: 1 }, 422, /means nothing/],
      [{ filter: 'town=Miami&%00', total: 1 }, 422, /means nothing/],
      [{ filter: 'status=submitted', total: -1 }, 422, /^total/],
      [{ ids: none.slice(0, 1), decision: 'owner' }, 422, /^decision/],
      [{ ids: none.slice(0, 1), decision: 'reject' }, 422, /Say why/],
      [{ ids: none.slice(0, 1), decision: 'kind' }, 422, /Choose the new category/],
      [{ ids: none.slice(0, 1), decision: 'verified', day: '2999-01-01' }, 422, /has not come yet/],
      [{ ids: none.slice(0, 1), nonsense: 1 }, 422, /There is no field/],
    ] as const) {
      const answer = await approve(body);
      expect([answer.code, answer['detail']], JSON.stringify(body).slice(0, 80)).toEqual([
        code,
        expect.stringMatching(detail),
      ]);
    }
    const begun = await approve({ ids: none.slice(0, 10_000) });
    expect(begun).toMatchObject({ code: 201, records: 10_000 });
    // Where it takes longer than a request waits, the answer says how far it is.
    if (begun.status === 'begun') expect(begun['progress']).toMatchObject({ total: 10_000 });
    const ended = await until(async () => {
      const now = await send('GET', `${path}/${begun.id}`);
      return now.status === 'ended' && now;
    });
    expect(ended).toMatchObject({ result: { skipped: { missing: 10_000 } } });
    expect(ended['skipped']).toHaveLength(10_000);
  });

  test('goes on after its process was stopped, and stops when its key or the scope of its team is taken away', async () => {
    const { store, documents, side, leases, personal } = running.system;
    const jobs = (rest: () => Promise<void> | undefined) =>
      new BulkJobs({ store, documents, side, leases, personal, rest, onFault: console.error });
    const begin = async (by: BulkJobs, ids: readonly string[]) => {
      const of = { team, id: crypto.randomUUID() };
      await by.records.putIds(of, ids);
      // As of a request with an Idempotency-Key.
      const hashed = () => ({ ...context(), requestHash: 'h1' });
      const actor = { kind: 'key', id: key.keyId } as const;
      const options = {
        actor,
        change: { decision: 'approve' } as const,
        number: ids.length,
        context: hashed,
      };
      return { of, ended: by.run({ ...of, ...options }) };
    };
    let taken = 0;
    const first = jobs(() => (++taken > 5 ? pause(200) : undefined));
    const ids = await submitted(90);
    const { of, ended } = await begin(first, ids);
    await until(async () => (await typesOf(ids[0] ?? '')).length > 1);
    await first.stop();
    await expect(ended).rejects.toThrow('The server stops.');
    const second = jobs(() => undefined);
    await second.tend();
    await until(async () => !(await second.underWay(of)));
    expect(await second.report(of)).toMatchObject({ done: 90, unchanged: 0, skipped: {} });

    let looked = 0;
    const third = jobs(async () => {
      if (++looked === 1)
        await untilShown(
          documents,
          await commandTeam(store, { kind: 'enable-scopes', team, scopes: [] }, context()),
        );
      await pause(150);
    });
    const lost = await begin(third, await submitted(3));
    expect(await lost.ended).toMatchObject({ stopped: 'right' });
    await Promise.all([second.stop(), third.stop()]);
  });
});
