import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands, programOf } from '../../src/cli/program.ts';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
const run = (...words: readonly string[]) => runCommandLine(words, folder.path);

beforeAll(async () => {
  const form = { title: 'A', fields: [{ key: 'a', kind: 'text', label: 'A' }] };
  writeFileSync(join(folder.path, 'form.json'), JSON.stringify(form));
  writeFileSync(join(folder.path, 'members.csv'), 'name,email\nAda,ada@example.org\n');
  await run('teams', 'create', 'harbour', '--name', 'Harbour House');
});
afterAll(() => folder.remove());

interface Row {
  readonly words: readonly string[];
  readonly command: Command;
}

const tree = await programOf({ environment: {}, exitCode: 0 }, Object.values(commands));
const rowsIn = (command: Command, words: readonly string[]): Row[] =>
  command.commands.flatMap((each) => {
    const row = { words: [...words, each.name()], command: each };
    return [row, ...rowsIn(each, row.words)];
  });
const all = rowsIn(tree, []);
/** `backup` takes one, and has a command of its own beside. */
const doesSomething = ({ commands: own, registeredArguments }: Command) =>
  own.length === 0 || registeredArguments.length > 0;
const leaves = all.filter(({ command }) => doesSomething(command));
const groups = all.filter(({ command }) => !doesSomething(command));
const named = (rows: readonly Row[]) => rows.map((row) => [row.words.join(' '), row] as const);

/** One line that is no stack. */
const oneLine: unknown = expect.stringMatching(/^(?!\s*at |error:)[^\n]{8,}\n$/);
const usage = { code: 2, stdout: '', stderr: oneLine };
const failed = { code: 1, stdout: '', stderr: oneLine };

const takes = (command: Command, flag: string) => command.options.find(({ long }) => long === flag);

/** What an option or an argument takes, where anything else would be refused before the team is looked up. */
const values: Readonly<Record<string, string>> = {
  id: '00000000-0000-4000-8000-000000000000',
  '--subscription': '00000000-0000-4000-8000-000000000000',
  question: 'members',
  path: 'test/fixtures',
  svc_id: 'r_0123456789abcdef',
  org_id: 'o_0123456789abcdef',
  bulk: '00000000-0000-4000-8000-000000000000',
  import: '00000000-0000-4000-8000-000000000000',
  '--amount-minor': '100',
  '--currency': 'USD',
  '--email': 'ada@example.org',
  '--role': 'member',
  '--slug': 'intake',
  '--events': 'resource.approved',
  '--url': 'https://example.org/hook',
  '--redirect-uri': 'https://example.org/back',
  '--required': 'yes',
  '--kind': 'team',
  '--filter': 'status=submitted',
  '--category': 'food',
  '--day': '2026-11-27',
  '--days': '30',
  '--at': '2026-01-01T00:00:00Z',
  '--format': 'csv',
  '--members': 'ada@example.org',
  '--scopes': 'resources:read',
  '--first': 'hours,phones',
  '--vkey': `directory.example.org/audit/log+1b2c3d4e+${'A'.repeat(44)}`,
};

/** One of two options must be there, which Commander does not know. */
const oneOfTwo: Readonly<Record<string, readonly string[]>> = {
  'members remove': ['--email', 'ada@example.org'],
  'subscriptions create': ['--url', 'https://example.org/hook'],
  'subscriptions replay': ['--after', '-1'],
  ...Object.fromEntries(
    ['approve', 'reject', 'take-out', 'kind', 'verified'].map((name) => [
      `resources bulk ${name}`,
      ['--filter', 'status=submitted'],
    ]),
  ),
  'forms publish': ['--file', join(folder.path, 'form.json')],
  'forms revise': ['--file', join(folder.path, 'form.json')],
  'payments members import': ['--file', join(folder.path, 'members.csv')],
};

/** Everything that a command must be told, beside what `also` says. */
const required = ({ words, command }: Row): string[] => [
  ...words,
  ...command.registeredArguments
    .filter((argument) => argument.required)
    .map((argument) => values[argument.name()] ?? 'something'),
  ...(oneOfTwo[words.join(' ')] ?? []),
  ...command.options
    .filter(({ mandatory, long }) => mandatory && long !== '--team' && long !== '--file')
    .flatMap(({ long = '', required: takesValue }) =>
      takesValue ? [long, values[long] ?? 'something'] : [long],
    ),
];

describe('every command', () => {
  test.each(named(all))(
    '%s has a description and ends with 0 when it shows its help',
    async (_, { words }) => {
      const { code, stdout, stderr } = await run(...words, '--help');
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: commonweal /);
    },
  );

  test.each(named(leaves))('%s does not take an option that it does not have', async (_, row) => {
    expect(await run(...required(row), '--no-such-option')).toMatchObject(usage);
  });

  test.each(named(groups))(
    '%s names its commands when none of them is chosen',
    async (_, { words, command }) => {
      const ended = await run(...words);
      expect(ended).toMatchObject(usage);
      for (const each of command.commands) expect(ended.stderr).toContain(each.name());
    },
  );

  test.each(named(groups))('%s does not take a command that it does not have', async (_, { words }) => {
    expect(await run(...words, 'no-such-command')).toMatchObject(usage);
  });

  const demanding = leaves.filter((row) => required(row).length > row.words.length);
  test.each(named(demanding))('%s says what is missing', async (_, { words }) => {
    expect(await run(...words)).toMatchObject(usage);
  });

  const ofTeam = leaves.filter(({ command }) => takes(command, '--team'));
  test.each(named(ofTeam))('%s says that there is no such team', async (_, row) => {
    const ended = await run(...required(row), '--team', 'nobodys');
    expect(ended).toMatchObject(failed);
    expect(ended.stderr).toContain('There is no team nobodys.');
  });

  test.each(named(ofTeam))('%s says what the slug of a team looks like', async (_, row) => {
    const ended = await run(...required(row), '--team', 'Not A Slug');
    expect(ended).toMatchObject(usage);
    expect(ended.stderr).toMatch(/^--team: /);
  });

  const chosen = [
    '--limit',
    '--status',
    '--state',
    '--since',
    '--until',
    '--days',
    '--role',
    '--outcome',
    '--kind',
  ];
  const choices = leaves.flatMap((row) =>
    chosen
      .filter((flag) => takes(row.command, flag))
      .map((flag) => [row.words.join(' '), flag, row] as const),
  );
  test.each(choices)('%s says what %s takes', async (_, flag, row) => {
    const team = takes(row.command, '--team') ? ['--team', 'harbour'] : [];
    const ended = await run(...required(row), ...team, flag, 'no such value');
    expect(ended).toMatchObject(usage);
    expect(ended.stderr).toContain(flag);
  });

  const lists = all.filter(({ command }) => command.commands.some((each) => each.name() === 'list'));
  test.each(named(lists))('%s shows each of what it lists', async (_, { words, command }) => {
    const show = command.commands.find((each) => each.name() === 'show');
    if (!show) throw new Error(`${words.join(' ')} has a list and no show`);
    expect(takes(show, '--json')).toBeDefined();
    const row = { words: [...words, 'show'], command: show };
    const team = takes(row.command, '--team') ? ['--team', 'harbour'] : [];
    const ended = await run(...required(row), ...team, '--json');
    expect(ended).toMatchObject({ stdout: '', stderr: oneLine });
    expect(ended.code).toBeGreaterThan(0);
  });
});

test('a team, its key and its record are shown, as text and as JSON', async () => {
  const json = async (...words: readonly string[]) =>
    JSON.parse((await run(...words, '--json')).stdout) as Record<string, string>;
  const key = await json('keys', 'create', '--kind', 'developer', '--scopes', 'resources:read');
  const shown = await json('keys', 'show', key['key_id'] ?? '');
  expect(shown).toMatchObject({
    key_id: key['key_id'],
    kind: 'developer',
    status: 'active',
    last_used: null,
  });
  expect(JSON.stringify(shown)).not.toMatch(/sha256|sealed/);
  expect(await json('teams', 'show', 'harbour')).toMatchObject({ team: 'harbour', name: 'Harbour House' });
  const asText = await run('teams', 'show', 'harbour');
  expect([asText.code, asText.stdout]).toEqual([0, expect.stringContaining('name: Harbour House\n')]);
  expect(await run('keys', 'show', 'nobodys')).toMatchObject(failed);
});

test('a scope that the team has not enabled says how it is enabled', async () => {
  const make = ['keys', 'create', '--kind', 'team', '--team', 'harbour', '--scopes', 'directory:manage'];
  const ended = await run(...make);
  expect(ended).toMatchObject(failed);
  const [, ...words] = /"(commonweal teams scopes [^"]+)"/.exec(ended.stderr)?.[1]?.split(' ') ?? [];
  expect((await run(...words)).code).toBe(0);
  expect((await run(...make)).code).toBe(0);
});
