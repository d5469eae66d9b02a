import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, expect, test } from 'vitest';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const here = join(folder.path, 'here');
const elsewhere = join(folder.path, 'elsewhere');

interface Listed {
  readonly svc_id: string;
  readonly name: string;
  readonly confirmed?: object;
}
const listed = async (data: string): Promise<ReadonlyMap<string, Listed>> =>
  new Map(((await runCommand(data, 'resources', 'list')) as Listed[]).map((each) => [each.name, each]));

test('an export says when people confirmed a record, a re-import of it changes nothing, and another directory keeps the day', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const submit = async (name: string, category: string) =>
    ((await runCommand(here, 'resources', 'submit', '--name', name, '--category', category)) as Listed)
      .svc_id;
  const ids = [await submit('Pantry', 'food'), await submit('Clinic', 'health')];
  await runCommand(here, 'resources', 'approve', ...ids);
  expect((await listed(here)).get('Pantry')?.confirmed).toEqual({ on: today, by: 'team' });

  const [packaged, sheet] = [join(folder.path, 'hsds'), join(folder.path, 'directory.csv')];
  await runCommand(here, 'export', '--format', 'hsds-csv', '--out', packaged);
  await runCommand(here, 'export', '--format', 'csv', '--out', sheet);
  const rows = (file: string) => parse<Record<string, string>>(readFileSync(file), { columns: true });
  expect(rows(join(packaged, 'services.csv')).map((row) => row['assured_date'])).toEqual([today, today]);
  expect(rows(sheet).map((row) => row['last_verified'])).toEqual([today, today]);

  for (const path of [packaged, sheet]) {
    const report = await runCommand(here, 'import', path);
    expect(report, path).toMatchObject({ new: 0, revised: 0, conflicts: 0, unchanged: 2 });
  }
  expect((await listed(here)).get('Pantry')?.confirmed).toEqual({ on: today, by: 'team' });

  // Somebody else has checked one of them in the file.
  const later = readFileSync(join(packaged, 'services.csv'), 'utf8').replace(today, '2099-01-02');
  writeFileSync(join(packaged, 'services.csv'), later);
  expect(await runCommand(here, 'import', packaged)).toMatchObject({ new: 0, revised: 1, unchanged: 1 });

  const { code, stderr } = await runCommandLine(['import', packaged, '--approve'], elsewhere);
  expect([code, stderr]).toEqual([0, '']);
  const days = [...(await listed(elsewhere)).values()].map(({ confirmed }) => confirmed);
  expect(days).toEqual(
    expect.arrayContaining([
      { on: today, by: 'source' },
      { on: '2099-01-02', by: 'source' },
    ]),
  );
});
