import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportMistake } from '../../../src/commands/directory/upkeep/mistake.ts';
import { submitResource } from '../../../src/commands/directory/resource.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem, type System } from '../../../src/container.ts';
import { context } from '../../api/harness.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const folder = temporaryFolder();
let beside: System;
let svcId: string;
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
  beside = await openSystem(readConfig({ DATA_DIR: folder.path }));
  const { state } = await submitResource(
    beside,
    { team: 'harbour', fields: { name: 'Corner Pantry', category: 'food' } },
    context(),
  );
  svcId = state?.svc_id ?? '';
});
afterAll(async () => {
  await beside.close();
  folder.remove();
});

interface Report {
  readonly report: string;
  readonly status: string;
  readonly text?: string;
  readonly contact?: string;
}

const reports = async (...words: readonly string[]) =>
  (await runCommand(folder.path, 'reports', ...words)) as Report[];
const report = async (text: string) =>
  (
    await reportMistake(
      beside,
      { svc_id: svcId, team: 'harbour', kind: 'phone', said: { text, contact: 'ana@example.org' } },
      context(),
    )
  ).state?.report ?? '';

test('reports are listed, shown, resolved and erased by an operator', async () => {
  const [first, second] = [await report('The first'), await report('The second')];
  expect(await reports('list', '--status', 'open')).toMatchObject([
    {
      report: first,
      svc_id: svcId,
      team: 'harbour',
      kind: 'phone',
      text: 'The first',
      contact: 'ana@example.org',
    },
    { report: second, text: 'The second' },
  ]);
  await reports('resolve', first, '--outcome', 'fixed');
  expect((await reports('list', '--team', 'harbour')).map((each) => [each.report, each.status])).toEqual([
    [second, 'open'],
    [first, 'fixed'],
  ]);
  await reports('erase', first);
  const shown = (await runCommand(folder.path, 'reports', 'show', first)) as Report;
  expect(shown).toMatchObject({ report: first, status: 'fixed', erased: true });
  expect(shown).not.toHaveProperty('text');
  expect(shown).not.toHaveProperty('contact');
  const missing = await runCommandLine(
    ['reports', 'show', '00000000-0000-4000-8000-000000000000'],
    folder.path,
  );
  expect([missing.code, missing.stderr.trim()]).toEqual([1, 'There is no such report.']);
  expect((await runCommandLine(['reports', 'resolve', second, '--outcome', 'burnt'], folder.path)).code).toBe(
    2,
  );
});
