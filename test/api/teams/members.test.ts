import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import { changeProfile, registerPerson } from '../../../src/commands/accounts/person.ts';
import { changeMemberRole, endMembership, joinTeam } from '../../../src/commands/teams/member.ts';
import { untilShown } from '../../../src/projections/until-shown.ts';
import { context, startSystem, type RunningSystem, type TestKey } from '../harness.ts';

const path = '/dash/api/v1/members';

let running: RunningSystem;
let key: TestKey;
beforeAll(async () => {
  running = await startSystem();
  for (const team of ['harbour', 'uphill', 'quay']) await running.team(team, ['members:read', 'forms:read']);
  key = await keyOf('harbour');
});
afterAll(() => running.stop());

const keyOf = (team: string) => running.key({ kind: 'team', team, scopes: ['members:read'] });
async function member(team: string, name: string, role: 'admin' | 'member' = 'member'): Promise<string> {
  const { system } = running;
  const person = { email: `${name.toLowerCase()}@example.org`, profile: { name } };
  const { userId, outcome } = await registerPerson(system, person, context());
  const joined = await joinTeam(system, { team, user: userId, role }, context());
  await untilShown(system.documents, [outcome, joined]);
  return userId;
}
const get = (query = '', as: TestKey = key) =>
  running.server.inject({ method: 'GET', url: path + query, headers: as.bearer });

interface Page {
  readonly data: readonly { readonly id: string; readonly name: string | null; readonly role: string }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

describe('the members of a team', () => {
  test('are told to its keys, with their current names, addresses and roles', async () => {
    const { system } = running;
    const user = await member('harbour', 'Ada', 'admin');
    const told = await get();
    expect(told.statusCode).toBe(200);
    expect(told.headers['cache-control']).toBe('no-store');
    expect(told.json()).toEqual({
      data: [
        {
          id: user,
          name: 'Ada',
          email: 'ada@example.org',
          role: 'admin',
          since: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
          erased: false,
        },
      ],
      has_more: false,
      next_cursor: null,
    });
    const grace = await member('harbour', 'Grace', 'admin');
    await untilShown(system.documents, [
      await changeProfile(system, user, { name: 'Ada Sample' }, context()),
      await changeMemberRole(system, { team: 'harbour', user, role: 'member' }, context()),
    ]);
    const [first] = (await get()).json<Page>().data;
    expect(first).toMatchObject({ name: 'Ada Sample', role: 'member' });
    await untilShown(system.documents, await endMembership(system, { team: 'harbour', user }, context()));
    expect((await get()).json<Page>().data.map(({ id }) => id)).toEqual([grace]);
  });

  test('who were erased are said to be', async () => {
    const { system } = running;
    const user = await member('quay', 'Joan');
    await member('quay', 'Edith');
    await untilShown(system.documents, await erasePerson(system, user, context()));
    const { data } = (await get('', await keyOf('quay'))).json<Page>();
    expect(data).toMatchObject([
      { id: user, name: null, email: null, role: 'member', erased: true },
      { name: 'Edith', email: 'edith@example.org', erased: false },
    ]);
  });

  test('come in pages, each once, by a cursor that is good for this list of this team alone', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await member('uphill', `Person${n}`));
    const uphill = await keyOf('uphill');
    const seen: string[] = [];
    let query = '?limit=2';
    for (let page = 0; page < 3; page++) {
      const { data, has_more, next_cursor } = (await get(query, uphill)).json<Page>();
      seen.push(...data.map(({ id }) => id));
      expect(has_more).toBe(page < 2);
      query = `?limit=2&cursor=${next_cursor ?? ''}`;
      if (page === 0) {
        for (const cursor of [`${next_cursor ?? ''}x`, 'rubbish', '']) {
          const refused = await get(`?cursor=${cursor}`, uphill);
          expect(refused.statusCode, cursor).toBe(400);
        }
        expect((await get(query)).json()).toMatchObject({ error: 'invalid_cursor' });
      }
    }
    expect(seen).toEqual(ids);
  });

  test.each(['?limit=0', '?limit=101', '?limit=x', '?limit=1&limit=2', '?team=harbour', '?%ff=1'])(
    'are not told for %s',
    async (query) => {
      expect((await get(query)).statusCode).toBe(400);
    },
  );

  test('are told to nobody without the scope: no developer, no other scope, no scope that the team has taken back', async () => {
    const others = [
      await running.key(),
      await running.key({ kind: 'team', team: 'harbour', scopes: ['forms:read'] }),
    ];
    for (const other of others) {
      const refused = await get('', other);
      expect(refused.statusCode).toBe(403);
      expect(refused.json()).toMatchObject({ error: 'insufficient_scope', scope: 'members:read' });
    }
    expect((await running.server.inject({ url: path })).statusCode).toBe(401);
    const post = await running.server.inject({ method: 'POST', url: path, headers: key.bearer });
    expect(post.statusCode).toBe(405);
  });

  test('are in the reference', async () => {
    const { paths } = (await running.server.inject({ url: '/openapi.json' })).json<{
      paths: Record<string, { get?: { summary: string } }>;
    }>();
    expect(paths[path]?.get?.summary).toBe('List members');
  });
});
