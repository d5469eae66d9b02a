/** One row of a sheet, as its cells show it. */
export interface SheetRow {
  /** The number that a spreadsheet program shows beside it; of a CSV file, the line on which it begins. */
  readonly line: number;
  /** Trimmed texts. Cells behind the last one that says something may be absent. */
  readonly cells: readonly string[];
  /** Addresses to which cells lead, by the place of the cell. */
  readonly links?: ReadonlyMap<number, string>;
}

/** A sheet of a workbook; of a CSV file, the only one. */
export interface SheetName {
  readonly name: string;
  readonly hidden: boolean;
}

/** The sheets of a file. */
export interface Sheets {
  readonly kind: 'xlsx' | 'csv';
  /** How people call the file. */
  readonly file: string;
  readonly sheets: readonly SheetName[];
  /** What is said of the file as a whole, such as that its macros are not run. */
  readonly notes: readonly string[];
  /** The rows that say something, some at a time. May be called again. Throws `DatapackageError`. */
  rows(sheet: string): AsyncGenerator<readonly SheetRow[]>;
  /** What is to be said of a sheet once its rows are read. */
  notesOf(sheet: string): readonly { readonly line: number; readonly reason: string }[];
  close(): void;
}

/** What a sheet may have. Cells beyond the columns are left out; with more rows, the sheet is refused. */
export const sheetLimits = { columns: 1_000, rows: 500_000, cell: 100_000 } as const;

export const isEmptyRow = (cells: readonly string[]): boolean => cells.every((cell) => cell === '');
