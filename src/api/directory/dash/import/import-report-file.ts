import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { csvLine, withoutFormula } from '../../../../ground/csv.ts';
import { zipStream } from '../../../../hsds/export/zip-folder.ts';
import type { ImportReport, RecordConflict } from '../../../../imports/report.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import type { Page } from '../../../pages/page-context.ts';
import { importOf, noImport } from './addressed-import.ts';
import { valueInWords } from './import-conflicts-page.ts';
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
        download: Readable.from((csv ? csvOf : jsonOf)(report, dependencies.imports.conflicts.all(state))),
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

type Conflicts = AsyncIterable<RecordConflict>;

async function* jsonOf(report: ImportReport, conflicts: Conflicts): AsyncGenerator<string> {
  const conflict_records: RecordConflict[] = [];
  for await (const record of conflicts) conflict_records.push(record);
  yield JSON.stringify({ ...report, conflict_records }, null, 2);
}

/** A line for each record that would change, each field in a conflict, each record that is gone, and what was left out. */
async function* csvOf(
  { changes = [], missing_records, problems, warnings }: ImportReport,
  conflicts: Conflicts,
): AsyncGenerator<string> {
  const [places, more] = [
    ['what', 'file', 'line', 'svc_id', 'source_id', 'name'],
    ['fields', 'reason', 'before', 'theirs', 'mine'],
  ];
  yield csvLine([...places, ...more]);
  for (const { file, line, svc_id, source_id, name, fields, events } of changes)
    yield safeLine([events.join(' '), file, line, svc_id, source_id, name, fields.join(' '), '', '', '', '']);
  for await (const { file, line, svc_id, source_id, name, fields } of conflicts)
    for (const { field, before, theirs, mine, resolved } of fields)
      yield safeLine([
        ...[`conflict, ${resolved}`, file, line, svc_id, source_id, name, field, ''],
        ...[before, theirs, mine].map((value) => valueInWords(field, value)),
      ]);
  for (const { svc_id, source_id, name } of missing_records)
    yield safeLine(['not in the file', '', '', svc_id, source_id, name, '', '', '', '', '']);
  for (const [what, list] of [
    ['left out', problems],
    ['left out in part', warnings],
  ] as const)
    for (const { file, line, reason } of list)
      yield safeLine([what, file, line, '', '', '', '', reason, '', '', '']);
}

const safeLine = (cells: readonly (string | number)[]): string => csvLine(cells.map(withoutFormula));
