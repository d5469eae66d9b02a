import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import { beginClaim, commandClaim, loadClaim } from '../../../../src/commands/directory/upkeep/claim.ts';
import { context, startSystem, type RunningSystem, type TestKey } from '../../harness.ts';

const path = '/dash/api/v1/claims';

let system: RunningSystem;
let team: TestKey;
let other: TestKey;
let svcId = '';
beforeAll(async () => {
  system = await startSystem();
  await system.team('harbour', ['directory:manage']);
  await system.team('library', ['directory:manage']);
  const scopes = ['resources:read', 'directory:manage'] as const;
  team = await system.key({ kind: 'team', team: 'harbour', scopes });
  other = await system.key({ kind: 'team', team: 'library', scopes });
  [svcId = ''] = await system.resources(1, { team: 'harbour' });
});
afterAll(() => system.stop());

/** A claim that waits for the team. */
async function proven(who: string, of = svcId): Promise<string> {
  const claim = createHash('sha256').update(who).digest('hex');
  const about = { claim, team: 'harbour', subject: of, svc_id: of, host: 'pantry.example' };
  await beginClaim(system.system, { ...about, language: 'en', address: `${who}@pantry.example` }, context());
  const { link = '' } = (await loadClaim(system.system.store, claim)) ?? {};
  await commandClaim(system.system, claim, { kind: 'prove', link }, context());
  await system.caughtUp();
  return claim;
}

const at = (rest: string, key: TestKey, method: 'GET' | 'POST' = 'GET', payload?: object) =>
  system.server.inject({
    method,
    url: `${path}${rest}`,
    headers: { ...key.bearer, ...(payload ? { 'content-type': 'application/json' } : {}) },
    ...(payload ? { payload } : {}),
  });

test('claims for keys need directory:manage, show a team its own alone, and never an address', async () => {
  const id = await proven('ana');
  expect((await system.server.inject({ url: path })).statusCode).toBe(401);
  expect((await at('', await system.key())).statusCode).toBe(403);
  const shown = {
    id,
    svc_id: svcId,
    host: 'pantry.example',
    status: 'proven',
    reason: null,
    ended_by: null,
    begun_at: expect.any(String) as string,
    proven_at: expect.any(String) as string,
    settled_at: null,
  };
  expect((await at(`/${id}`, team)).json()).toEqual(shown);
  expect((await at('?status=proven', team)).json()).toEqual({
    data: [shown],
    has_more: false,
    next_cursor: null,
  });
  expect((await at('', other)).json()).toMatchObject({ data: [] });
  for (const rest of [`/${id}`, `/${'ab'.repeat(32)}`, '/nope']) {
    expect((await at(rest, other)).statusCode).toBe(404);
    expect((await at(`${rest}/approve`, other, 'POST')).statusCode).toBe(404);
  }
});

test('claims are approved, refused with words, and ended', async () => {
  const [id, second] = [await proven('bo'), await proven('eve')];
  expect((await at(`/${id}/approve`, team, 'POST')).json()).toMatchObject({ id, status: 'approved' });
  expect((await at(`/${id}/refuse`, team, 'POST', {})).statusCode).toBe(409);
  expect((await at(`/${second}/refuse`, team, 'POST', { reason: 'Call us' })).json()).toMatchObject({
    status: 'refused',
    reason: 'Call us',
  });
  expect((await at(`/${second}/approve`, team, 'POST')).statusCode).toBe(409);
  expect((await at(`/${second}/refuse`, team, 'POST', { why: 'x' })).statusCode).toBe(422);
  expect((await at(`/${id}/end`, team, 'POST')).json()).toMatchObject({ status: 'ended', ended_by: 'team' });
});

test('a record that its agency keeps says so where it is read by itself, until the claim is about it no more', async () => {
  const [kept = ''] = await system.resources(1, {
    team: 'harbour',
    fields: () => ({ name: 'Corner Pantry', url: 'https://pantry.example/corner' }),
  });
  const developer = await system.key();
  const read = async (key: TestKey) => {
    const answer = await system.server.inject({ url: `/dash/api/v1/resources/${kept}`, headers: key.bearer });
    expect(answer.statusCode).toBe(200);
    return { body: answer.json<Record<string, unknown>>(), etag: answer.headers.etag };
  };
  const before = await read(developer);
  expect(before.body).not.toHaveProperty('kept_by_agency');
  const id = await proven('cy', kept);
  expect((await read(developer)).etag).toBe(before.etag);
  await at(`/${id}/approve`, team, 'POST');
  await system.caughtUp();
  for (const key of [developer, team]) expect((await read(key)).body).toMatchObject({ kept_by_agency: true });
  expect((await read(developer)).etag).not.toBe(before.etag);
  expect((await read(developer)).body).toEqual({ ...before.body, kept_by_agency: true });

  await system.command(kept, { kind: 'revise', change: { url: 'https://elsewhere.example' } });
  await system.caughtUp();
  expect((await read(developer)).body).not.toHaveProperty('kept_by_agency');
  await system.command(kept, { kind: 'revise', change: { url: 'https://www.pantry.example' } });
  await system.caughtUp();
  expect((await read(developer)).body).toMatchObject({ kept_by_agency: true });
  await at(`/${id}/end`, team, 'POST');
  await system.caughtUp();
  for (const key of [developer, team]) expect((await read(key)).body).not.toHaveProperty('kept_by_agency');
});
