import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandPerson, registerPerson, requirePerson } from '../../../src/commands/accounts/person.ts';
import { joinTeam } from '../../../src/commands/teams/member.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { context } from '../../api/harness.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { dropDatabase, engineSettings } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const administrator = 'ada@example.org';
const member = 'ben@example.org';
const folder = temporaryFolder();
const data = join(folder.path, 'data');
let ada: string;
let ben: string;

const run = <Answer = Record<string, unknown>>(...words: readonly string[]) =>
  runCommand(data, ...words) as Promise<Answer>;

/** The newest event of a type, as it was recorded and as it is said. */
async function newest(type: string) {
  const { data: found } = await run<{
    data: { sentence: string; actor: object; data: Record<string, unknown> }[];
  }>('audit', 'events', '--type', type);
  return found[0];
}

beforeAll(async () => {
  await run('teams', 'create', 'harbour', '--name', 'Harbour Network');
  await run('administrators', 'add', '--email', administrator, '--name', 'Ada Lovelace');
  const system = await openSystem(readConfig({ DATA_DIR: data, ...engineSettings(data) }));
  const wish = { email: member, profile: { name: 'Ben Osei' } };
  ({ userId: ben } = await registerPerson(system, wish, context()));
  const { email } = await requirePerson(system, ben);
  await commandPerson(system, ben, { kind: 'verify-email', email }, context());
  await joinTeam(system, { team: 'harbour', user: ben, role: 'member' }, context());
  await system.close();
  const people = await run<{ user: string; email: string }[]>('administrators', 'list');
  ada = people.find(({ email: of }) => of === administrator)?.user ?? '';
}, 60_000);
afterAll(async () => {
  await dropDatabase(data);
  folder.remove();
});

describe('--as', () => {
  const claimed = () => ({ kind: 'system', id: 'cli', on_behalf_of: ada, claims_to_be: ada });

  it('is recorded as what an operator claims, and said so', async () => {
    await run('teams', 'create', 'bay', '--name', 'Bay', '--as', administrator);
    expect(await newest('TeamCreated')).toMatchObject({
      actor: claimed(),
      sentence: 'An operator, who claims to be Ada Lovelace, created the team Bay.',
    });
    // By id, and before the command.
    await run('--as', ada, 'teams', 'create', 'cove', '--name', 'Cove');
    expect((await newest('TeamCreated'))?.actor).toEqual(claimed());
    await run('teams', 'create', 'dune', '--name', 'Dune');
    expect((await newest('TeamCreated'))?.actor).toEqual({ kind: 'system', id: 'cli' });
    const asAda = await run<{ data: object[] }>('audit', 'events', '--actor', `user:${ada}`);
    expect(asAda.data).toHaveLength(2);
    const { data: teams } = await run<{ data: { id: string; sentence: string }[] }>(
      ...['audit', 'events', '--type', 'TeamCreated'],
    );
    const bay = teams.find(({ sentence }) => sentence.includes('Bay'))?.id ?? '';
    const walked = await runCommandLine(['audit', 'walk', bay], data);
    expect(walked.stdout).toContain('An operator, who claims to be Ada Lovelace, created the team Bay.');
  });

  it('stands in what a question of the audit log leaves', async () => {
    await run('audit', 'events', '--type', 'UserErased', '--as', administrator);
    expect((await newest('AuditQueried'))?.actor).toEqual(claimed());
    await run('audit', 'as-of', 'keys', '--team', 'bay', '--at', new Date().toISOString(), '--as', ada);
    expect((await newest('AuditQueried'))?.actor).toEqual(claimed());
  });

  it('does not make a claim the maker of a key; whom a key is made for stays so', async () => {
    const scopes = ['--team', 'harbour', '--scopes', 'resources:read'];
    const created = async (...words: readonly string[]) => {
      const { key_id: id } = await run<{ key_id: string }>('keys', 'create', '--kind', 'team', ...words);
      const keys = await run<{ key_id: string; created_by?: string }[]>('keys', 'list');
      return keys.find(({ key_id }) => key_id === id)?.created_by;
    };
    expect(await created(...scopes, '--as', administrator)).toBeUndefined();
    expect(await created(...scopes, '--for', member, '--as', administrator)).toBe(ben);
    expect((await newest('ApiKeyCreated'))?.actor).toEqual({ ...claimed(), on_behalf_of: ben });
  });

  it.each([
    ['of nobody', ['--as', 'nobody@example.org'], 1, 'there is no such account'],
    ['of an unknown id', ['--as', crypto.randomUUID()], 1, 'there is no such account'],
    ['that is no administrator', ['--as', member], 1, 'not one of an administrator'],
    ['that is neither an address nor an id', ['--as', 'ada'], 2, '--as: must be the email address or the id'],
  ] as const)('is refused for an account %s, and nothing is done', async (_what, as, code, why) => {
    const name = crypto.randomUUID().slice(0, 8);
    const ended = await runCommandLine(['teams', 'create', `t-${name}`, '--name', name, ...as], data);
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(why) as string });
    expect(ended.stderr).not.toMatch(/\n\s+at /);
    expect(JSON.stringify(await run('teams', 'list'))).not.toContain(name);
  });

  it('is refused where nothing is recorded', async () => {
    for (const command of ['status', 'verify', 'doctor'])
      expect(await runCommandLine([command, '--as', administrator], data)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${command} records nothing`) as string,
      });
  });

  it('is in one place: no command makes an actor of its own', () => {
    const root = fileURLToPath(new URL('../../../src/cli/', import.meta.url));
    const making = globSync('**/*.ts', { cwd: root }).filter((name) =>
      readFileSync(join(root, name), 'utf8').includes("kind: 'system'"),
    );
    expect(making).toEqual(['accounts/operator.ts']);
  });
});
