import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/serving.ts';

const folder = temporaryFolder();
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
});
afterAll(() => folder.remove());

interface Made {
  readonly key_id: string;
  readonly key: string;
  readonly domains: readonly string[];
  readonly until?: string;
}

const json = <Answer>(...words: readonly string[]) =>
  runCommand(folder.path, 'keys', ...words) as Promise<Answer>;
const told = (...words: readonly string[]) => runCommandLine(['keys', ...words], folder.path);
const yearFromNow = `${new Date().getUTCFullYear() + 1}-06-30`;

const create = (...more: readonly string[]) => [
  ...['create', '--kind', 'team', '--team', 'harbour', '--scopes', 'resources:read', ...more],
];

test('a key has an end, and a pasted address is its host', async () => {
  const made = await json<Made>(
    ...create('--label', 'Widget', '--expires', yearFromNow, '--domains', 'https://Example.org/page?a=b'),
  );
  expect(made.domains).toEqual(['example.org']);
  expect(await json('list')).toContainEqual(
    expect.objectContaining({ key_id: made.key_id, expires_at: `${yearFromNow}T23:59:59.999Z` }),
  );
  expect((await told('list')).stdout).toContain('EXPIRES');
});

test.each([
  ['2020-01-01', 1, 'A key expires later than now, and within 10 years.'],
  ['3026-01-01', 1, 'A key expires later than now, and within 10 years.'],
  ['2027-02-30', undefined, '--expires: must be a day such as 2027-01-31'],
  ['soon', undefined, '--expires: must be a day such as 2027-01-31'],
])('a key does not end %s', async (day, code, sentence) => {
  const { stderr, ...answer } = await told(...create('--expires', day));
  expect(stderr).toContain(sentence);
  if (code !== undefined) expect(answer.code).toBe(code);
  else expect(answer.code).not.toBe(0);
});

test.each(['developer', 'team', 'installation'])('a key of the kind %s is rolled once', async (kind) => {
  const scopes = kind === 'installation' ? 'audit:read' : 'resources:read';
  const of = kind === 'team' ? ['--team', 'harbour'] : [];
  const old = await json<Made>('create', '--kind', kind, ...of, '--scopes', scopes, '--label', 'Desk');
  const next = await json<Made>('roll', old.key_id, '--old-until', yearFromNow);
  expect(next.key).not.toBe(old.key);
  expect(next.key.slice(0, 7)).toBe(old.key.slice(0, 7));
  expect(next).toMatchObject({ replaces: old.key_id, label: 'Desk', until: `${yearFromNow}T23:59:59.999Z` });
  expect(await json('list')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ key_id: old.key_id, status: 'active', replaced_by: next.key_id }),
      expect.objectContaining({ key_id: next.key_id, status: 'active', replaces: old.key_id }),
    ]),
  );
  const again = await told('roll', old.key_id);
  expect([again.code, again.stderr.trim()]).toEqual([
    1,
    `This key was rolled before: ${next.key_id} has its place.`,
  ]);
});

test('a key that does not exist is not rolled', async () => {
  expect((await told('roll', 'AAAAAAAAAAAA')).stderr.trim()).toBe('There is no such key.');
});
