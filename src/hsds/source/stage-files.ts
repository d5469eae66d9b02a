import { basename } from 'node:path';
import { DatapackageError } from '../errors.ts';
import { filesOf, hasTables, layouts, tableNames, tableOf, type TableName } from './layout.ts';
import type { PackageFiles } from './package-files.ts';
import { stageJson } from './stage-json.ts';
import { stageRows, type OpenFile, type StagedRows } from './staged-rows.ts';
import { readTable } from './table.ts';

/**
 * Reads every table of a datapackage: its CSV files, or its JSON files when it has no CSV file of services. Throws
 * `DatapackageError` as `readTable` does.
 */
export async function stageFiles(files: PackageFiles): Promise<StagedRows> {
  const staged = stageRows();
  try {
    if (hasTables(files)) await stageTables(staged, files);
    else for (const file of jsonFilesOf(files)) await stageJson(staged, files, file);
    const read = new Set(staged.files.map(({ name }) => name));
    for (const file of files.names) {
      if (!read.has(file) && tableOf(file, files) === undefined && !isDescription(file)) {
        staged.addUnknown(file);
      }
    }
    return staged;
  } catch (error) {
    staged.close();
    throw error;
  }
}

/** The JSON files that may hold rows. */
export const jsonFilesOf = (files: PackageFiles): string[] =>
  files.names.filter((file) => /\.jsonl?$/i.test(file) && !isDescription(file)).sort();

/** Describes a datapackage and holds none of its rows, or is a hidden file. */
const isDescription = (file: string): boolean => /^(\.|datapackage\.json$)/i.test(basename(file));

async function stageTables(staged: StagedRows, files: PackageFiles): Promise<void> {
  for (const table of tableNames) {
    for (const file of filesOf(files, table)) {
      await stageTable(staged, files, table, file);
    }
  }
}

/** Without a column that its rows need, a table costs these rows alone; without one of services nothing is left to read. */
async function stageTable(
  staged: StagedRows,
  files: PackageFiles,
  table: TableName,
  file: string,
): Promise<void> {
  const isServices = table === 'services';
  let open: OpenFile | undefined;
  let lacks: string | undefined;
  let leftOut = 0;
  for await (const item of readTable(files, file, layouts[table].required, !isServices)) {
    if (item.kind === 'header') {
      ({ lacks } = item);
      if (lacks === undefined) open = staged.open(table, file, item.columns);
      else if (isServices) throw new DatapackageError('invalid_header', `${file} ${lacks}.`);
    } else if (item.kind !== 'row') staged.addProblem(item);
    else if (open) open.add(item.line, item.cells);
    else leftOut += 1;
  }
  if (lacks === undefined) return;
  const rows = leftOut === 1 ? 'its only row is' : `its ${leftOut.toLocaleString('en')} rows are`;
  staged.addProblem({ kind: 'problem', file, line: 1, reason: `${lacks}; ${rows} left out` });
  staged.addUnusable({ file, table, rows: leftOut, lacks });
}
