import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import { changeProfile, registerPerson } from '../../../src/commands/accounts/person.ts';
import { registerClient } from '../../../src/commands/oauth/client.ts';
import { grantConsent, revokeConsent } from '../../../src/commands/oauth/consent.ts';
import { joinTeam, changeMemberRole } from '../../../src/commands/teams/member.ts';
import { createSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { context, startSystem, type RunningSystem, type TestKey } from '../harness.ts';
import { runCommandLine } from '../../support/command-line.ts';

let running: RunningSystem;
let auditor: TestKey;
let ofTeam: TestKey;
beforeAll(async () => {
  running = await startSystem();
  await running.team('harbour', ['audit:read', 'members:read']);
  await running.team('quay', ['audit:read']);
  auditor = await running.key({ kind: 'installation', scopes: ['audit:read'] });
  ofTeam = await running.key({ kind: 'team', team: 'harbour', scopes: ['audit:read'] });
});
afterAll(() => running.stop());

interface Answer {
  readonly as_of: { readonly position: string; readonly event: { readonly type: string } };
  readonly data: readonly Record<string, unknown>[];
  readonly total: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly detail: string;
  readonly documents: readonly { readonly document: object; readonly standing?: object }[];
}

async function ask(path: string, key = auditor): Promise<Answer & { readonly status: number }> {
  const answered = await running.server.inject({
    method: 'GET',
    url: `/audit/v1/as-of/${path}`,
    headers: key.bearer,
  });
  return { status: answered.statusCode, ...answered.json<Answer>() };
}
const here = async () => String(await running.system.store.head());

describe('as of a time', () => {
  test('a key is told as it was before and after it was revoked', async () => {
    const key = await running.key({ kind: 'team', team: 'harbour', scopes: ['members:read'] });
    const before = await here();
    await running.team('mill');
    await running.revoke(key.keyId);
    const after = await here();
    const keysAt = async (position: string) =>
      (await ask(`keys?team=harbour&position=${position}`)).data.map(({ key_id }) => key_id);
    expect(await keysAt(before)).toContain(key.keyId);
    expect(await keysAt(after)).not.toContain(key.keyId);
    const then = await ask(`streams/api-key-${key.keyId}?position=${before}`);
    expect(then).toMatchObject({ total: 1, documents: [{ standing: { valid: true } }] });
    expect(JSON.stringify(then.documents)).not.toContain('secret');
    const now = await ask(`streams/api-key-${key.keyId}?at=${new Date().toISOString()}`);
    expect(now).toMatchObject({
      total: 2,
      documents: [{ standing: { valid: false, because: 'revoked' } }],
    });
  });

  test('members have the roles and names of then; a name is for those who may see it, and an erased one for nobody', async () => {
    const { system } = running;
    const seeing = await running.key({
      kind: 'team',
      team: 'harbour',
      scopes: ['audit:read', 'members:read'],
    });
    const person = { email: 'ada@example.org', profile: { name: 'Ada' } };
    const { userId: user } = await registerPerson(system, person, context());
    await joinTeam(system, { team: 'harbour', user, role: 'member' }, context());
    const before = await here();
    await changeMemberRole(system, { team: 'harbour', user, role: 'admin' }, context());
    await changeProfile(system, user, { name: 'Ada Sample' }, context());
    const membersAt = async (position: string, key: TestKey) =>
      (await ask(`members?team=harbour&position=${position}`, key)).data;
    expect(await membersAt(before, seeing)).toMatchObject([
      { person: user, role: 'member', name: 'Ada', email: 'ada@example.org', personal_data: 'open' },
    ]);
    expect(await membersAt(await here(), seeing)).toMatchObject([{ role: 'admin', name: 'Ada Sample' }]);
    expect(await membersAt(before, ofTeam)).toMatchObject([{ name: null, personal_data: 'sealed' }]);
    await erasePerson(system, user, context());
    expect(await membersAt(before, seeing)).toMatchObject([
      { person: user, role: 'member', name: null, email: null, personal_data: 'erased' },
    ]);
  });

  test('consents in force, subscriptions and the directory are those of then', async () => {
    const { system } = running;
    const site = { team: 'harbour', name: 'News', redirectUris: ['https://site.example/callback'] };
    const { clientId: client } = await registerClient(system.store, site, context());
    const person = { email: 'ben@example.org', profile: { name: 'Ben' } };
    const { userId: user } = await registerPerson(system, person, context());
    await grantConsent(system.store, { user, client }, ['openid'], context());
    const wish = { team: 'harbour', url: 'https://example.org/', events: ['resource.approved'] } as const;
    await createSubscription(system, wish, 'whsec_x', context());
    await running.submission('harbour');
    const before = await here();
    await revokeConsent(system.store, { user, client }, context());
    const own = await ask(`consents?client=${client}&position=${before}`, ofTeam);
    expect(own.data).toMatchObject([{ person: user, scopes: ['openid'] }]);
    expect((await ask(`consents?person=${user}&position=${before}`)).total).toBe(1);
    expect((await ask(`consents?client=${client}&position=${await here()}`)).data).toEqual([]);
    expect((await ask(`tokens?person=${user}&position=${before}`)).data).toEqual([]);
    expect((await ask(`subscriptions?position=${before}`, ofTeam)).data).toMatchObject([
      { status: 'active', host: 'example.org' },
    ]);
    const directory = await ask(`directory?status=submitted&position=${before}`, ofTeam);
    expect(directory).toMatchObject({ total: 1, counts: { submitted: 1, approved: 0 } });
  });

  test('a list goes on at the same position, whatever has happened since', async () => {
    await running.team('pier', ['audit:read']);
    const keys = [];
    for (let n = 0; n < 5; n++)
      keys.push((await running.key({ kind: 'team', team: 'pier', scopes: ['resources:read'] })).keyId);
    const seen: unknown[] = [];
    let path = `keys?team=pier&limit=2&position=${await here()}`;
    for (;;) {
      const page = await ask(path);
      expect(page.total).toBe(5);
      seen.push(...page.data.map(({ key_id }) => key_id));
      if (page.next_cursor === null) break;
      await running.revoke(keys.pop() ?? '');
      path = `keys?team=pier&limit=2&cursor=${page.next_cursor}`;
    }
    expect(new Set(seen).size).toBe(5);
    const { next_cursor: cursor } = await ask(`keys?team=pier&limit=2&position=${await here()}`);
    expect(await ask(`keys?cursor=${cursor}`)).toMatchObject({ status: 400 });
    expect(await ask(`keys?team=pier&cursor=x`)).toMatchObject({ status: 400 });
  });

  test('each answer is recorded, with who asked what', async () => {
    const position = await here();
    await ask(`members?team=quay&position=${position}`);
    const day = new Date().toISOString().slice(0, 10);
    const [newest] = await running.system.store.readStream(`audit-access-${day}`, {
      direction: 'backwards',
      limit: 1,
    });
    expect(newest).toMatchObject({
      type: 'AuditQueried',
      data: { question: 'as-of', filter: { about: 'members', team: 'quay', position }, events: 0 },
      metadata: { actor: { kind: 'key', id: auditor.keyId } },
    });
  });

  test('what the key of a team asks about is in the audit log of the team', async () => {
    const key = await running.key({ kind: 'team', team: 'harbour', scopes: ['audit:read'] });
    const after = await running.system.store.head();
    await ask(`consents?client=site_00000000&position=${String(after)}`, key);
    await ask(`keys?position=${String(after)}`, key);
    const { events } = await running.system.store.readAll({
      after,
      filter: { types: ['AuditQueried'] },
      limit: 10,
    });
    expect(events.map(({ data }) => data)).toEqual([
      {
        question: 'as-of',
        filter: expect.objectContaining({ about: 'keys', team: 'harbour' }) as object,
        events: expect.any(Number) as number,
      },
    ]);
  });

  test('a reading that comes again with the same Idempotency-Key is recorded again', async () => {
    const ask = async () => {
      const headers = { ...auditor.bearer, 'idempotency-key': 'the-same-reading' };
      const url = `/audit/v1/as-of/members?team=quay&position=${await here()}`;
      return (await running.server.inject({ method: 'GET', url, headers })).statusCode;
    };
    const filter = { types: ['AuditQueried'] };
    const after = await running.system.store.head();
    expect([await ask(), await ask()]).toEqual([200, 200]);
    const { events } = await running.system.store.readAll({ after, filter, limit: 10 });
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  });

  test('the command line says the same', async () => {
    const position = await here();
    const line = ['audit', 'as-of', 'keys', '--team', 'harbour', '--position', position];
    const { code, stdout } = await runCommandLine([...line, '--json'], running.folder);
    expect(code).toBe(0);
    const said = JSON.parse(stdout) as Answer;
    const { as_of, data } = await ask(`keys?team=harbour&position=${position}`);
    expect(said).toMatchObject({ as_of, data: data as unknown[] });
    const { stdout: told } = await runCommandLine([...line, '--limit', '1'], running.folder);
    expect(told).toContain(`position ${position}, `);
    expect(told).toContain('The next ones: --after');
    const wrong = await runCommandLine(['audit', 'as-of', 'weather'], running.folder);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must be one of streams') as string,
    });
  });
});

describe('what cannot be answered', () => {
  test.each([
    ['keys', 400, 'Say as of when: a time (at)'],
    ['keys?at=2999-01-01T00:00:00Z', 400, 'is in the future'],
    ['keys?at=1999-01-01T00:00:00Z', 400, 'is before the first event of the log'],
    ['keys?at=x', 400, 'at must be a time with its zone'],
    ['keys?position=999999999', 400, 'is beyond the end of the log'],
    ['keys?at=2026-01-01T00:00:00Z&position=1', 400, 'not both'],
    ['keys?weather=fine', 400, 'There is no parameter "weather"'],
    ['keys?limit=0&position=1', 400, 'limit must be at least 1'],
    ['members?position=3', 400, 'Say of which team'],
    ['members?team=nowhere&position=3', 404, 'There was no team nowhere then.'],
    ['consents?position=3', 400, 'Say whose consents'],
    ['consents?person=ada@example.org&position=3', 400, 'person must be the id of a person'],
    ['directory?team=commons&status=gone&position=3', 400, 'status must be submitted'],
    ['streams/nothing-1?position=3', 404, 'There is no stream nothing-1.'],
    ['streams/team-nowhere?position=3', 404, 'There is no stream team-nowhere.'],
    ['streams/team-quay?position=1', 404, 'The stream team-quay did not exist as of'],
    ['weather?position=3', 404, ''],
  ])('%s is %i', async (path, status, sentence) => {
    const answered = await ask(path);
    expect(answered).toMatchObject({ status, detail: expect.stringContaining(sentence) as string });
  });

  test('another team’s affairs are not there for a team’s key', async () => {
    const position = await here();
    for (const path of [
      `streams/team-quay?position=${position}`,
      `streams/installation-none?position=${position}`,
      `streams/api-key-${auditor.keyId}?position=${position}`,
      `members?team=quay&position=${position}`,
      `directory?team=quay&position=${position}`,
      `consents?client=site_0123456789&position=${position}`,
    ])
      expect(await ask(path, ofTeam), path).toMatchObject({ status: 404 });
    const byPerson = `consents?person=${crypto.randomUUID()}&position=${position}`;
    expect(await ask(byPerson, ofTeam)).toMatchObject({ status: 400 });
    const plain = await running.key();
    expect(await ask(`keys?position=${position}`, plain)).toMatchObject({ status: 403 });
  });
});
