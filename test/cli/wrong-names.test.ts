import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/serving.ts';

const folder = temporaryFolder();
const run = (...words: readonly string[]) => runCommandLine(words, folder.path);
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
});
afterAll(() => folder.remove());

test.each([
  'keys list',
  'clients list',
  'forms list',
  'payments list',
  'members list',
  'members invitations',
  'resources list',
  'organizations list',
  'reports list',
  'suggestions list',
  'claims list',
  'subscriptions list',
  'deliveries list',
  'audit as-of members --at 2026-01-01T00:00:00Z',
])('%s tells that a team is unknown, and is no empty list', async (words) => {
  const { code, stdout, stderr } = await run(...words.split(' '), '--team', 'nope');
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('There is no team nope.')]);
});

test.each(['projections show', 'projections retry', 'rebuild'])(
  '%s tells that there is no such read model, and which is called like it',
  async (words) => {
    const { code, stdout, stderr } = await run(...words.split(' '), 'team');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('There is no read model team. Did you mean teams');
  },
);

test('keys list has the keys of a team that is there', async () => {
  const { code, stdout } = await run('keys', 'list', '--team', 'harbour', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([0, []]);
});

test.each([
  ['payments reverse pay_nope', 'payment'],
  ['forms erase nope', 'submission'],
  ['reports show nope', 'report'],
  ['suggestions show nope', 'suggestion'],
])('%s tells what an id looks like', async (words, what) => {
  const { code, stderr } = await run(...words.split(' '));
  expect(code).toBe(2);
  expect(stderr).toContain(`${what}: must be an id such as 0b3d7c1e-5a55-4a0e-9f51-2f6a1d0c9e77`);
});

test('what is wrong in a list is told as it was written', async () => {
  const { code, stderr } = await run('keys', 'domains', 'k', '--set', 'example.org,not a host');
  expect(code).toBe(2);
  expect(stderr).toContain('--set "not a host": must be a host name such as example.org or *.example.org');
});

test('a form with a field that lacks its label is refused in words', async () => {
  const file = join(folder.path, 'form.json');
  writeFileSync(file, JSON.stringify({ title: 'A', fields: [{ key: 'a', kind: 'text' }] }));
  const { code, stderr } = await run(...'forms publish --team harbour --slug a --file'.split(' '), file);
  expect([code, stderr]).toEqual([1, expect.stringContaining('fields.0.label: is missing.')]);
});
