import { layouts, tableNames, tableOf, filesOf } from './layout.ts';
import type { PackageFiles } from './package-files.ts';
import { stageRows, type OpenFile, type StagedRows } from './staged-rows.ts';
import { readTable } from './table.ts';

/** Files that describe a datapackage and hold none of its rows. */
const descriptions = /^(\.|datapackage\.json$)/i;

/** Reads every table of a datapackage. Throws `DatapackageError` as `readTable` does. */
export async function stageFiles(files: PackageFiles): Promise<StagedRows> {
  const staged = stageRows();
  try {
    for (const table of tableNames) {
      for (const file of filesOf(files, table)) {
        let open: OpenFile | undefined;
        for await (const item of readTable(files, file, layouts[table].required, table !== 'services')) {
          if (item.kind === 'header') open = staged.open(table, file, item.columns);
          else if (item.kind === 'row') open?.add(item.line, item.cells);
          else staged.addProblem(item);
        }
      }
    }
    for (const file of files.names) {
      if (tableOf(file, files) === undefined && !descriptions.test(file)) staged.addUnknown(file);
    }
    return staged;
  } catch (error) {
    staged.close();
    throw error;
  }
}
