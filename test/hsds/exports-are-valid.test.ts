import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/serving.ts';
import { packageProblems, tablesIn } from './package-problems.ts';
import { problemsBy } from './published-schemas.ts';

/** Directories beside that of the examples, such as a real one: paths, separated by colons. */
const further = (process.env['EXPORT_DATA'] ?? '').split(':').filter((path) => path !== '');
const example = new URL('../../examples/directory', import.meta.url).pathname;

const folder = temporaryFolder();
afterAll(() => folder.remove());

interface Counts {
  readonly new: number;
  readonly services: number;
  readonly organizations: { readonly new: number };
}

describe.each([example, ...further])('the directory %s', (path) => {
  const name = basename(path);
  const at = (file: string): string => join(folder.path, name, file);
  const exported = async (data: string, out: string) => {
    await runCommand(at(data), 'export', '--format', 'hsds-csv', '--out', at(`${out}-csv`));
    await runCommand(at(data), 'export', '--format', 'hsds-json', '--out', at(`${out}.json`));
    return readFile(at(`${out}.json`), 'utf8');
  };

  test('is exported as tables and as JSON of which no row is invalid by the published schemas', async () => {
    const counts = (await runCommand(at('data'), 'import', path, '--source', name, '--approve')) as Counts;
    expect(counts.new).toBe(counts.services);
    const services = JSON.parse(await exported('data', 'first')) as unknown[];
    expect(services).toHaveLength(counts.new);
    const problemsOf = problemsBy('service.json');
    expect(services.flatMap(problemsOf)).toEqual([]);
    const tables = await tablesIn(at('first-csv'));
    expect(tables.get('services.csv')).toHaveLength(counts.new);
    expect(packageProblems(tables)).toEqual([]);
    await runCommand(at('data'), 'export', '--format', 'hsds-csv', '--public', '--out', at('public-csv'));
    expect(packageProblems(await tablesIn(at('public-csv')))).toEqual([]);
  }, 600_000);

  test.each(['first-csv', 'first.json'])(
    'says the same in another installation that imports %s, the second time too',
    async (file) => {
      const elsewhere = `${file}-data`;
      const words = ['import', at(file), '--source', name, '--approve'] as const;
      const first = (await runCommand(at(elsewhere), ...words)) as Counts;
      expect(first.new).toBe(first.services);
      expect(await runCommand(at(elsewhere), ...words)).toMatchObject({
        new: 0,
        revised: 0,
        unchanged: first.services,
        organizations: { new: 0, revised: 0, unchanged: first.organizations.new },
      });
      const again = await exported(elsewhere, `${file}-again`);
      expect(JSON.parse(again)).toEqual(JSON.parse(await readFile(at('first.json'), 'utf8')));
      for (const [table, rows] of await tablesIn(at('first-csv')))
        expect([table, (await tablesIn(at(`${file}-again-csv`))).get(table)]).toEqual([table, rows]);
    },
    600_000,
  );
});
