import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { csvLine, withoutFormula } from '../../../../ground/csv.ts';
import { zipStream } from '../../../../hsds/export/zip-folder.ts';
import type { ImportReport } from '../../../../imports/report.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import type { Page } from '../../../pages/page-context.ts';
import { importOf, noImport } from './addressed-import.ts';
import { exampleDirectoryPath, importReportPath } from './import-paths.ts';

/** The report of an import as a file. */
export function importReportPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'import records',
    path: importReportPath(':import'),
    async get(pageContext) {
      const state = await importOf(dependencies, pageContext);
      const report = state && (await dependencies.imports.report(state));
      if (!report) return noImport(pageContext);
      const csv = pageContext.query.get('format') === 'csv';
      return {
        download: Readable.from(csv ? csvOf(report) : [JSON.stringify(report, null, 2)]),
        filename: `${pageContext.team.team}-import.${csv ? 'csv' : 'json'}`,
        type: csv ? 'text/csv' : 'application/json',
      };
    },
  };
}

const example = fileURLToPath(new URL('../../../../../examples/directory', import.meta.url));

/** The example directory as a file, to try an import with. */
export const exampleDirectoryPage = (): Page => ({
  audience: 'team',
  right: 'import records',
  path: exampleDirectoryPath,
  get: async () => ({
    download: await zipStream(example),
    filename: 'example-directory.zip',
    type: 'application/zip',
  }),
});

/** A line for each record that would change, and for each place that was left out. */
function* csvOf({ changes = [], problems, warnings }: ImportReport): Generator<string> {
  yield csvLine(['what', 'file', 'line', 'svc_id', 'source_id', 'name', 'fields', 'reason']);
  for (const { file, line, svc_id, source_id, name, fields, events } of changes)
    yield safeLine([events.join(' '), file, line, svc_id, source_id, name, fields.join(' '), '']);
  for (const [what, list] of [
    ['left out', problems],
    ['left out in part', warnings],
  ] as const)
    for (const { file, line, reason } of list) yield safeLine([what, file, line, '', '', '', '', reason]);
}

const safeLine = (cells: readonly (string | number)[]): string => csvLine(cells.map(withoutFormula));
