import { posix } from 'node:path';
import { DatapackageError } from '../errors.ts';
import { tableOf } from '../source/layout.ts';
import type { PackageFiles } from '../source/package-files.ts';
import { openCsvSheet } from './csv-sheet.ts';
import type { Sheets } from './rows.ts';
import { isWorkbook, openWorkbook } from './workbook.ts';

/** The sheets of the files, where these are a workbook or one CSV file. Throws `DatapackageError`. */
export async function openSheets(files: PackageFiles, file: string): Promise<Sheets | undefined> {
  if (isWorkbook(files)) return openWorkbook(files, file);
  const [first, another] = files.names;
  if (first === undefined) return undefined;
  // A zip file may hold one file that is no table of HSDS.
  const isAlone =
    files.alone === true || (another === undefined && tableOf(posix.basename(first), files) === undefined);
  if (isAlone && another === undefined && /\.(csv|tsv)$/i.test(first))
    return openCsvSheet(files, first, file);
  if (files.names.includes('mimetype') && files.names.includes('content.xml'))
    throw otherKind(file, 'an OpenDocument spreadsheet (.ods)');
  if (files.names.some((name) => /\.iwa$/.test(name))) throw otherKind(file, 'a Numbers spreadsheet');
  return undefined;
}

const otherKind = (file: string, what: string): DatapackageError =>
  new DatapackageError('not_a_datapackage', `${file} is ${what}. Save it as .xlsx or .csv and try again.`);
