import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  eraseSettledSuggestions,
  settledKeptDays,
} from '../../../../src/actions/directory/upkeep/settled-suggestions.ts';
import { suggestChange, type NewSuggestion } from '../../../../src/commands/directory/upkeep/suggestion.ts';
import { context, startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';

const path = '/dash/api/v1/suggestions';

let system: RunningSystem;
let team: TestKey;
let other: TestKey;
let svcId: string;
beforeAll(async () => {
  system = await startSystem();
  await system.team('harbour', ['directory:manage']);
  await system.team('library', ['directory:manage']);
  const scopes = ['resources:read', 'directory:manage'] as const;
  team = await system.key({ kind: 'team', team: 'harbour', scopes });
  other = await system.key({ kind: 'team', team: 'library', scopes });
});
afterAll(() => system.stop());
beforeEach(async () => {
  [svcId = ''] = await system.resources(1, {
    team: 'harbour',
    fields: () => ({ name: 'Corner Pantry', description: 'Food.', phones: [{ number: '305-555-0100' }] }),
  });
});

async function suggest(of: Partial<NewSuggestion> = {}): Promise<string> {
  const about = { svc_id: svcId, team: 'harbour', by: 'visitor', kind: 'change' } as const;
  const suggested = {
    fields: { description: 'Bread.', url: 'https://pantry.example' },
    note: 'Seen it',
    contact: 'eva@example.org',
  };
  const { state } = await suggestChange(system.system, { ...about, suggested, ...of }, context());
  await system.caughtUp();
  return state?.suggestion ?? '';
}

const at = (rest: string, key: TestKey, method: 'GET' | 'POST' | 'DELETE' = 'GET', payload?: object) =>
  system.server.inject({
    method,
    url: `${path}${rest}`,
    headers: { ...key.bearer, ...(payload ? { 'content-type': 'application/json' } : {}) },
    ...(payload ? { payload } : {}),
  });
const record = async () =>
  (await system.server.inject({ url: `${v1}/${svcId}`, headers: team.bearer })).json<
    Record<string, unknown>
  >();

describe('suggestions for keys', () => {
  test('need directory:manage, and show a team its own alone', async () => {
    const id = await suggest();
    const developer = await system.key();
    expect((await system.server.inject({ url: path })).statusCode).toBe(401);
    expect((await at('', developer)).statusCode).toBe(403);
    expect((await at(`/${id}`, team)).json()).toEqual({
      id,
      svc_id: svcId,
      by: 'visitor',
      what: 'change',
      status: 'open',
      changes: [
        { field: 'description', before: 'Food.', suggested: 'Bread.' },
        { field: 'url', before: null, suggested: 'https://pantry.example' },
      ],
      note: 'Seen it',
      contact: 'eva@example.org',
      erased: false,
      suggested_at: expect.any(String) as string,
      settled_at: null,
      taken: null,
    });
    for (const [rest, method, payload] of [
      [`/${id}`, 'GET', undefined],
      [`/${id}/accept`, 'POST', {}],
      [`/${id}/dismiss`, 'POST', undefined],
      [`/${id}/suggested`, 'DELETE', undefined],
    ] as const)
      expect((await at(rest, other, method, payload)).statusCode, rest).toBe(404);
    for (const unknown of ['x', '00000000-0000-4000-8000-000000000000'])
      expect((await at(`/${unknown}`, team)).statusCode).toBe(404);
    expect((await at('', other)).json()).toMatchObject({ data: [] });
    expect((await at('?status=burnt', team)).statusCode).toBe(400);
  });

  test('are taken over, in part where fields are named, once', async () => {
    const id = await suggest();
    const accepted = await at(`/${id}/accept`, team, 'POST', { fields: ['url'] });
    expect(accepted.json()).toMatchObject({ status: 'accepted', taken: ['url'] });
    expect(await record()).toMatchObject({ description: 'Food.', url: 'https://pantry.example' });
    expect((await at(`/${id}/accept`, team, 'POST', {})).statusCode).toBe(200);
    expect((await at(`/${id}/dismiss`, team, 'POST')).statusCode).toBe(409);
    expect((await at('?status=accepted&limit=100', team)).json()).toMatchObject({ data: [{ id }] });
  });

  test('are refused where the record was changed meanwhile, unless it is to be overwritten', async () => {
    const id = await suggest();
    await system.command(svcId, { kind: 'revise', change: { description: 'Clothes.' } });
    expect((await at(`/${id}/accept`, team, 'POST', {})).json()).toMatchObject({ error: 'conflict' });
    expect(await record()).toMatchObject({ description: 'Clothes.' });
    expect((await at(`/${id}/accept`, team, 'POST', { overwrite: true })).statusCode).toBe(200);
    expect(await record()).toMatchObject({ description: 'Bread.' });
    for (const wrong of [{ fields: [] }, { fields: ['contacts'] }, { overwrite: 'yes' }, { colour: 1 }])
      expect(
        (await at(`/${await suggest({ suggested: { note: 'x' } })}/accept`, team, 'POST', wrong)).statusCode,
      ).toBe(422);
  });

  test('are erased at once, or some time after they were settled, in the log too', async () => {
    const [one, open, settled] = [await suggest(), await suggest(), await suggest()];
    expect((await at(`/${one}/suggested`, team, 'DELETE')).json()).toMatchObject({
      erased: true,
      changes: [],
      note: null,
      contact: null,
    });
    await at(`/${settled}/dismiss`, team, 'POST');
    const days = (many: number) => new Date(Date.now() + many * 86_400_000);
    expect(await eraseSettledSuggestions(system.system, days(settledKeptDays - 1))).toBe(0);
    // Those of the tests before, too.
    expect(await eraseSettledSuggestions(system.system, days(settledKeptDays + 1))).toBeGreaterThan(0);
    await system.caughtUp();
    expect((await at(`/${settled}`, team)).json()).toMatchObject({ erased: true, status: 'dismissed' });
    expect((await at(`/${open}`, team)).json()).toMatchObject({ erased: false, note: 'Seen it' });
    expect(await system.system.vault.get(`suggestion/${settled}`)).toBeUndefined();
    expect(await eraseSettledSuggestions(system.system, days(settledKeptDays + 1))).toBe(0);
  });
});
