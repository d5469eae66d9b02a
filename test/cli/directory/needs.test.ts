import { afterAll, beforeAll, expect, test } from 'vitest';
import { EmbeddedSideStore } from '../../../src/stores/side/embedded.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';
import { firstWeek } from '../../needs/processes.ts';

const folder = temporaryFolder();
beforeAll(() => runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House'));
afterAll(() => folder.remove());

const needs = async (...words: readonly string[]) =>
  (await runCommand(folder.path, 'needs', 'list', ...words)) as { data: unknown[]; from: string | null };

test('needs list says what people looked for in vain, or that no week is over yet', async () => {
  expect(await needs()).toEqual({ from: null, until: null, left_out: 0, data: [] });
  const side = new EmbeddedSideStore(folder.path);
  const table = side.table<readonly number[]>('needs');
  await table.put(`week/${firstWeek}/dentist+free-clinic|health|Homestead`, [210, 210, 0]);
  await table.put(`week/${firstWeek}/|food|331`, [40, 0, 30]);
  await table.put(`closed/week/${firstWeek}`, [0, 0, 0]);
  await side.close();
  expect((await needs()).data).toEqual([
    {
      words: ['dentist', 'free-clinic'],
      what: 'Dentist and free clinic',
      kind: 'health',
      place: 'Homestead',
      searches: 210,
      found_nothing: 210,
      opened_nothing: 0,
    },
    expect.objectContaining({ what: '', kind: 'food', place: 'Postal code 331…', opened_nothing: 30 }),
  ]);
  expect((await needs('--kind', 'food', '--weeks', '4')).data).toHaveLength(1);
  expect((await needs('--place', 'homestead')).data).toHaveLength(1);
  expect(await runCommand(folder.path, 'needs', 'show', firstWeek)).toMatchObject({
    ...{ lines: 2, searches: 250, found_nothing: 210, opened_nothing: 30, left_out: 0 },
  });
  const { code, stderr } = await runCommandLine(['needs', 'show', '2020-W01'], folder.path);
  expect([code, stderr]).toEqual([1, expect.stringContaining('2020-W01')]);
});

test('needs list refuses what cannot be meant', async () => {
  for (const [option, value] of [
    ['--weeks', '105'],
    ['--weeks', '0'],
    ['--week', '2026-W60'],
    ['--kind', 'fun'],
  ] as const) {
    const { code, stderr } = await runCommandLine(['needs', 'list', option, value], folder.path);
    expect([code, stderr]).toEqual([2, expect.stringContaining(option)]);
  }
});
