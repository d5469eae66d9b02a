import { openInThread, type ThreadedDatapackage } from '../hsds/source/open-in-thread.ts';
import type { HsdsItem, HsdsProblem, HsdsRecord, HsdsWarning } from '../hsds/item.ts';
import { changed, type Mapping } from '../hsds/sheet/mapping.ts';
import type { SheetChoice } from '../hsds/sheet/stage-sheet.ts';
import { DatapackageError } from '../hsds/errors.ts';
import type { SideStore, SideTable } from '../stores/side/port.ts';

export { mapping } from '../hsds/sheet/mapping.ts';
export { sheetTargets, type SheetTarget } from '../hsds/sheet/targets.ts';

/** What the columns of a spreadsheet say, as it is asked of a person. It holds names of columns, and no cell. */
export interface SheetColumns {
  /** The sheet that is read. Empty: a CSV file. */
  readonly sheet: string;
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean }[];
  /** The names of the columns. Empty before the sheet was looked into. */
  readonly header: readonly string[];
  readonly columns: Mapping['columns'];
  /** The columns are as they were chosen for this source the last time. */
  readonly remembered?: true;
  /** A person has chosen them. */
  readonly chosen?: true;
  /** Under which name they are remembered. */
  readonly source: string;
}

/** How the file is to be read. */
export const choiceOf = (choice: SheetColumns | undefined): SheetChoice | undefined =>
  choice && {
    sheet: choice.sheet,
    ...(choice.header.length > 0 ? { columns: choice.columns } : {}),
  };

/** What somebody has to say of a sheet. Undefined where nothing has to be said: it is none, or an export of ours. */
export async function requiredColumns(
  { sheet, name }: Pick<ThreadedDatapackage, 'sheet' | 'name'>,
  { team, source = name, sheet: before }: { team: string; source?: string; sheet?: SheetColumns },
  remembered: RememberedColumns,
): Promise<SheetColumns | undefined> {
  if (!sheet || sheet.own || before?.chosen) return undefined;
  const previous = await remembered.get(team, source);
  const { header, mapping } = sheet;
  return {
    sheet: sheet.sheet,
    sheets: sheet.sheets,
    header,
    columns: previous ? changed(mapping, header, previous).columns : mapping.columns,
    ...(previous ? { remembered: true } : {}),
    source,
  };
}

/** A source is imported every month, some once a year. */
const keptMs = 400 * 24 * 60 * 60_000;

/** The columns of the sheets of each source, as they were chosen the last time. */
export class RememberedColumns {
  readonly #columns: SideTable<Mapping['columns']>;
  readonly #now: () => Date;

  constructor(side: SideStore, now: () => Date) {
    this.#columns = side.table('directory-import-columns');
    this.#now = now;
  }

  get(team: string, source: string): Promise<Mapping['columns'] | undefined> {
    return this.#columns.get(keyOf(team, source));
  }

  put(team: string, source: string, columns: Mapping['columns']): Promise<void> {
    return this.#columns.put(keyOf(team, source), columns, new Date(this.#now().getTime() + keptMs));
  }
}

const keyOf = (team: string, source: string): string => `${team}/${source.toLowerCase()}`;

/** So many services are shown before anything is compared. */
const shown = 5;

/** The first services of a sheet as they will be, or why it cannot be read. */
export interface SheetSample {
  /** What each column holds, for example. */
  readonly examples: readonly (readonly string[])[];
  readonly records: readonly HsdsRecord[];
  readonly complaints: readonly (HsdsProblem | HsdsWarning)[];
  readonly problem?: string;
}

/** Reads the first rows of a file with the columns that are chosen now. */
export async function sampleOf(
  path: string,
  name: string,
  choice: SheetColumns,
  limits: { readonly entries: number; readonly bytes: number },
): Promise<SheetSample> {
  try {
    const datapackage = await openInThread(path, {
      name,
      limits,
      sheet: { ...choiceOf(choice), most: shown },
    });
    try {
      const items: HsdsItem[] = [];
      for await (const item of datapackage.records()) items.push(item);
      return {
        examples: datapackage.sheet?.examples ?? [],
        records: items.filter((item) => item.kind === 'record'),
        complaints: items.filter((item) => item.kind === 'problem' || item.kind === 'warning'),
      };
    } finally {
      await datapackage.close();
    }
  } catch (error) {
    if (!(error instanceof DatapackageError)) throw error;
    return { examples: [], records: [], complaints: [], problem: error.message };
  }
}
