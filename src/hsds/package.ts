import { basename, resolve } from 'node:path';
import { Accounting, type SourceSummary } from './accounting.ts';
import { DatapackageError } from './errors.ts';
import type { PackageFiles } from './source/package-files.ts';
import type { HsdsItem } from './item.ts';
import { hsdsColumns } from './columns.ts';
import { hasTables, layouts, versionOf } from './source/layout.ts';
import { counted } from './source/counted-files.ts';
import { openFiles } from './source/open-files.ts';
import { namedServices, type NamedService } from './source/named-services.ts';
import { itemsOf } from './record.ts';
import { organizationItems } from './organization/organizations.ts';
import { jsonFilesOf, stageFiles } from './source/stage-files.ts';
import type { RelatedRows, Row } from './source/related-rows.ts';
import { RowDigests, type ReadBefore } from './row-digests.ts';
import { stageRows, type StagedRows } from './source/staged-rows.ts';
import type { Sheets } from './workbook/rows.ts';
import type { ZipLimits } from './source/zip.ts';
import { openSheets } from './workbook/open-sheets.ts';
import { ownCells } from './sheet/own-export.ts';
import { stageSheet, type SheetChoice, type SheetReading } from './sheet/stage-sheet.ts';

/** An open HSDS datapackage. */
export interface Datapackage {
  /** The HSDS version. HSDS 2 counts as 3. */
  readonly version: '1.1' | '3';
  /** A name for its source: the `name` or `id` in datapackage.json, else the name of the folder or zip file. */
  readonly name: string;
  /** How a spreadsheet was read. Absent of every other source. */
  readonly sheet?: SheetReading;
  /** Rows of services, for a progress bar. */
  readonly services: number;
  /**
   * Every organization, and then every service as a record, in the order of the files, with problems and warnings in
   * between. The problems of the other tables come first. Deterministic: the same files give the same items, and the order of rows in the
   * other tables changes no record. Throws `DatapackageError` when reading fails midway. `before`: what need not be made again.
   */
  records(before?: ReadBefore): AsyncGenerator<HsdsItem>;
  /** Its services by id and name: so many from all over the files, or all. Cheap, and made before any record. */
  names(most?: number): NamedService[];
  /** What of the source was not carried, and what was repaired, when all records of the last reading are made. */
  summary(): SourceSummary;
  close(): void;
}

/**
 * Opens a datapackage: a folder, a .zip file that holds one at any depth, a JSON file of HSDS 3, or a spreadsheet with any columns. Every table is read at once, into a
 * temporary database. Throws `DatapackageError` when there is no datapackage, when services.csv lacks a column, or when a
 * file is not UTF-8 or cannot be read.
 */
export async function openDatapackage(
  path: string,
  options: {
    readonly limits?: Partial<ZipLimits> | undefined;
    /** How people call the file, when it is stored under another name. With its ending. */
    readonly name?: string | undefined;
    /** How a spreadsheet is to be read. */
    readonly sheet?: SheetChoice | undefined;
    /** Called while the files are read, with the bytes that were read and those of all files. */
    readonly onRead?: (bytes: number, total: number) => void;
  } = {},
): Promise<Datapackage> {
  const shownName = options.name ?? basename(resolve(path));
  const files = counted(await openFiles(path, options.limits, options.name), options.onRead);
  try {
    const sheets = await openSheets(files, shownName);
    if (!sheets && !hasTables(files) && jsonFilesOf(files).length === 0)
      throw withoutServices(shownName, files);
    const name = await nameOf(shownName, files);
    const { staged, sheet } = sheets
      ? await stagedSheet(sheets, options.sheet)
      : { staged: await stageFiles(files), sheet: undefined };
    if (rowsIn(staged) === 0 && !hasTables(files) && !hasProblems(staged)) {
      staged.close();
      throw withoutServices(shownName, files);
    }
    let accounting = new Accounting();
    return {
      version: sheet ? '3' : versionOf(files),
      name,
      ...(sheet ? { sheet } : {}),
      services: rowsIn(staged),
      names: (most) => namedServices(staged, rowsIn(staged), most),
      records: (before) => recordsOf(staged, (accounting = new Accounting()), before),
      summary: () => withSheet(accounting.summary(staged), sheet),
      close: () => staged.close(),
    };
  } finally {
    files.close();
  }
}

async function stagedSheet(sheets: Sheets, choice: SheetChoice | undefined) {
  const staged = stageRows();
  try {
    return { staged, sheet: await stageSheet(staged, sheets, choice) };
  } catch (error) {
    staged.close();
    throw error;
  } finally {
    sheets.close();
  }
}

/** With the columns of the sheet that are not read. The cells of an export are no column of it. */
const withSheet = (summary: SourceSummary, sheet: SheetReading | undefined): SourceSummary =>
  sheet
    ? {
        ...summary,
        not_carried: [
          ...sheet.notCarried,
          ...summary.not_carried.filter(({ column }) => column !== ownCells),
        ],
      }
    : summary;

const hasProblems = (staged: StagedRows): boolean =>
  staged.problems()[Symbol.iterator]().next().done !== true;

const rowsIn = (staged: StagedRows): number =>
  staged.files.reduce((sum, { table, rows }) => sum + (table === 'services' ? rows : 0), 0);

async function* recordsOf(
  staged: StagedRows,
  accounting: Accounting,
  before: ReadBefore | undefined,
): AsyncGenerator<HsdsItem> {
  const digests = before && new RowDigests(staged, accounting, before);
  const sources = staged.files.filter(({ table }) => table === 'services').map(({ name }) => name);
  for (const item of staged.problems()) if (!sources.includes(item.file)) yield item;
  yield* organizationItems(staged, accounting, digests);
  yield* repeatedIds(staged);

  const waiting = staged.problems()[Symbol.iterator]();
  let next = waiting.next();
  /** What was reported of the services up to a place, so that the report follows the file. */
  function* upTo(file: number, line: number): Generator<HsdsItem> {
    for (; !next.done; next = waiting.next()) {
      const at = sources.indexOf(next.value.file);
      if (at > file || (at === file && next.value.line > line)) return;
      if (at !== -1) yield next.value;
    }
  }
  for (const row of staged.each('services')) {
    yield* upTo(sources.indexOf(row.file), row.line);
    yield* serviceItems(row, staged, accounting, digests);
    yield* staged.warnings();
    for (const passed of staged.passedOver()) accounting.passOver(passed);
  }
  yield* upTo(sources.length, 0);
}

/** A warning for each row of a table with an id that an earlier row has, and that says something else. */
function* repeatedIds(related: RelatedRows): Generator<HsdsItem> {
  for (const table of ['locations', 'programs'] as const) {
    if (!related.hasRepeatedIds(table)) continue;
    const contentOf = (row: Row): string => JSON.stringify(Object.keys(hsdsColumns[table]).map(row.cell));
    for (const row of related.each(table)) {
      const { file, line } = row;
      const first = related.rowOf(table, row.cell('id'));
      if (!first || first.number === row.number || contentOf(first) === contentOf(row)) continue;
      const [what] = layouts[table].names;
      const reason = `${what.replace(/s$/, '')} ${row.cell('id')} is there already, on line ${first.line} of ${first.file}; this row is left out`;
      yield { kind: 'warning', file, line, reason };
    }
  }
}

function serviceItems(
  row: Row,
  related: RelatedRows,
  accounting: Accounting,
  digests: RowDigests | undefined,
): readonly HsdsItem[] {
  const { file, line } = row;
  const id = row.cell('id');
  const first = related.hasRepeatedIds('services') ? related.rowOf('services', id) : undefined;
  if (!first || (first.file === file && first.line === line)) {
    return digests
      ? digests.itemsOf('service', row, (rows) => itemsOf(row, rows, accounting))
      : itemsOf(row, related, accounting);
  }
  const place = first.file === file ? `on line ${first.line}` : `in ${first.file}, line ${first.line}`;
  return [{ kind: 'problem', file, line, reason: `service ${id} is already ${place}` }];
}

function withoutServices(name: string, files: PackageFiles): DatapackageError {
  const tables = files.names.some((file) =>
    /^(organizations?|locations?|phones?|datapackage)\.(csv|json)$/i.test(file),
  );
  if (tables) return new DatapackageError('no_services', `${name} has no services.csv.`);
  return jsonFilesOf(files).length > 0
    ? new DatapackageError('no_services', `${name} holds no services.`)
    : new DatapackageError(
        'not_a_datapackage',
        `${name} is not an HSDS datapackage: it has no services.csv and no JSON file, and is no spreadsheet.`,
      );
}

/** datapackage.json is optional, and that of some publishers is a broken link, so nothing in it is an error. */
async function nameOf(shownName: string, files: PackageFiles): Promise<string> {
  const file = files.names.find((name) => name.toLowerCase() === 'datapackage.json');
  const described = file === undefined ? {} : await describedIn(files, file);
  const title = [described['name'], described['id']].find(
    (name) => typeof name === 'string' && name.trim() !== '',
  );
  return (typeof title === 'string' ? title : shownName.replace(/\.(zip|jsonl?|xls[xm]|csv|tsv)$/i, ''))
    .trim()
    .slice(0, 200);
}

async function describedIn(files: PackageFiles, file: string): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of await files.open(file)) {
      size += parts.push(part as Buffer) && (part as Buffer).length;
      if (size > 1024 * 1024) return {};
    }
    const parsed: unknown = JSON.parse(
      Buffer.concat(parts)
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    );
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
