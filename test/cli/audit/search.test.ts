import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { appendImport } from '../../support/append-import.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const folder = temporaryFolder();
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
});
afterAll(() => folder.remove());

interface Found {
  readonly data: readonly { readonly id: string; readonly type: string; readonly correlation_id: string }[];
}

const told = (...words: readonly string[]) => runCommandLine(['audit', ...words], folder.path);
const found = (...words: readonly string[]) =>
  runCommand(folder.path, 'audit', 'events', ...words) as Promise<Found>;

test('the audit log is searched in sentences, and the search is in it', async () => {
  const { stdout, code } = await told('events', '--subject', 'team:harbour');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ +\d+ {2}\S+Z {2}An operator created the team Harbour House\.\n$/);
  expect((await found('--type', 'AuditQueried')).data).toHaveLength(1);
  expect((await found('--limit', '1', '--oldest-first')).data[0]?.type).toBe('InstallationNamed');
});

test('an import is one line without its parts, and each of its events is one otherwise', async () => {
  const system = await openSystem(readConfig({ DATA_DIR: folder.path }));
  const correlation = await appendImport(system.store, { team: 'harbour', records: 3 });
  await system.close();
  const line =
    /^ +\d+ {2}\S+Z {2}An operator imported from county into the directory of Harbour House: 3 new\.\n$/;
  expect((await told('events', '--correlation', correlation, '--no-parts')).stdout).toMatch(line);
  expect((await told('events', '--correlation', correlation)).stdout.trim().split('\n')).toHaveLength(8);
});

test('a question that makes no sense is refused in words', async () => {
  for (const [words, why] of [
    [['--type', 'TeamCreate'], 'did you mean TeamCreated'],
    [['--from', '2999-01-01T00:00:00Z'], 'is in the future'],
    [['--subject', 'team:Not A Team'], 'names no team'],
    [['--limit', 'many'], 'must be a whole number'],
  ] as const) {
    const { code, stderr } = await told('events', ...words);
    expect(code, why).toBe(2);
    expect(stderr).toContain(why);
  }
});

test('a request is drawn as a tree', async () => {
  const [created] = (await found('--subject', 'team:harbour', '--type', 'TeamCreated')).data;
  const drawn = await told('walk', created?.id ?? '');
  expect(drawn.stdout.split('\n')[0]).toBe(`Request ${created?.correlation_id ?? ''}`);
  expect(drawn.stdout).toMatch(/[├└]─ An operator created the team Harbour House\./);
  const byRequest = await told('walk', created?.correlation_id ?? '');
  expect(byRequest.stdout).toBe(drawn.stdout);
  expect((await told('walk', '33333333-0000-4000-8000-000000000001')).stderr).toContain('There is no event');
  expect((await told('walk', 'x')).code).toBe(2);
});
