import type { Readable } from 'node:stream';
import { parse, type CsvError } from 'csv-parse';
import { DatapackageError } from '../errors.ts';
import { defined } from '../../ground/defined.ts';
import type { PackageFiles } from './package-files.ts';
import type { HsdsProblem, HsdsWarning } from '../item.ts';
import { cleanLine } from '../text.ts';
import { utf8Bytes } from './utf8.ts';

/** The header of a CSV table: its columns in lower case, in their order. */
export interface TableHeader {
  readonly kind: 'header';
  readonly columns: readonly string[];
  /** Why the rows cannot be used: a column that they need is not there. */
  readonly lacks?: string;
}

/** One row of a CSV table, with the trimmed text of each column. */
export interface TableRow {
  readonly kind: 'row';
  /** The line on which the row begins; the header is line 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Each inner list names columns of which one is required. */
export type RequiredColumns = readonly (readonly string[])[];

/**
 * An unclosed quotation mark would put the rest of the file into one cell. A row longer than this, in bytes, is
 * refused. A long text is cut later.
 */
const longestRow = 16 * 1024 * 1024;

/**
 * The header of a CSV file, and its rows in order. A row that cannot be used becomes a problem, and the next ones follow. Throws
 * `DatapackageError` for a missing header, bytes that are not UTF-8, and when reading fails.
 */
export async function* readTable(
  files: PackageFiles,
  file: string,
  required: RequiredColumns,
  mayBeEmpty = false,
): AsyncGenerator<TableHeader | TableRow | HsdsProblem | HsdsWarning> {
  let header: Header | undefined;
  let error: CsvError | undefined;
  let end = 0;
  let miscounted = 0;

  let separator: Separator | undefined;
  const source = await files.open(file);
  const onError = (met: CsvError): void => void (error ??= met);
  for await (const rows of parseRows(source, file, onError, (found) => (separator = found))) {
    for (const { record, lines } of rows) {
      const breaks = lineBreaks(record);
      miscounted += breaks.doubles;
      end = lines - miscounted;
      const line = end - breaks.lines;
      if (header) {
        const item = rowOf(file, line, record, header);
        if (item) yield item;
        if (item?.kind === 'row' && record.some((cell) => cell.includes('\0')))
          yield { kind: 'warning', file, line, reason: 'holds NUL characters; they are left out' };
      } else {
        header = readHeader(record, required);
        yield { kind: 'header', columns: header.columns, ...defined({ lacks: header.lacks }) };
        if (separator && separator.sign !== ',')
          yield {
            kind: 'warning',
            file,
            line: 1,
            reason: `is separated by ${separator.called}, not by commas; read as such`,
          };
        for (const name of header.doubled) {
          yield {
            kind: 'warning',
            file,
            line: 1,
            reason: `has the column "${name}" more than once; the first one counts`,
          };
        }
      }
    }
  }

  if (!header && (error ?? !mayBeEmpty)) {
    throw new DatapackageError('invalid_header', `${file} has no header line that can be read.`);
  }
  if (error) yield { kind: 'problem', file, line: end + 1, reason: explain(error) };
}

interface Header {
  /** A name that is there already is empty: its first column counts. */
  readonly columns: readonly string[];
  /** Names that more than one column has. */
  readonly doubled: ReadonlySet<string>;
  readonly lacks: string | undefined;
}

function rowOf(
  file: string,
  line: number,
  record: readonly string[],
  { columns: { length: width } }: Header,
): TableRow | HsdsProblem | undefined {
  const cells = record.map((cell) => (cell.includes('\0') ? cell.replaceAll('\0', '') : cell).trim());
  if (cells.every((cell) => cell === '')) return undefined;
  const tooLong = cells.length > width && cells.slice(width).some((cell) => cell !== '');
  if (record.length < width || tooLong) {
    return {
      kind: 'problem',
      file,
      line,
      reason: `has ${count(record.length)} where the header has ${width}`,
    };
  }
  return { kind: 'row', line, cells };
}

/** What stands between the cells of a row. */
export interface Separator {
  readonly sign: string;
  readonly called: string;
}

export const comma: Separator = { sign: ',', called: 'commas' };
/** What spreadsheets write where the comma is the sign of decimals. */
export const otherSeparators: readonly Separator[] = [
  { sign: ';', called: 'semicolons' },
  { sign: '\t', called: 'tabs' },
  { sign: '|', called: 'vertical bars' },
];

/** Column names hold none of these signs, so a header line without a comma shows what the file uses instead. */
function separatorIn(text: string): Separator {
  const [header = ''] = text
    .slice(0, 100_000)
    .split(/[\r\n]/)
    .filter((line) => line.trim() !== '');
  return (
    (header.includes(',') ? undefined : otherSeparators.find(({ sign }) => header.includes(sign))) ?? comma
  );
}

export interface ParsedRow {
  readonly record: readonly string[];
  /** Lines up to the end of the row, as csv-parse counts them. */
  readonly lines: number;
}

/**
 * The rows of each chunk of the file. They are collected in `on_record`, because reading single rows from the
 * parser's stream takes longer than parsing them.
 */
export async function* parseRows(
  source: Readable,
  file: string,
  onError: (error: CsvError) => void,
  onSeparator: (separator: Separator) => void,
  separatorOf = separatorIn,
): AsyncGenerator<readonly ParsedRow[]> {
  let rows: ParsedRow[] = [];
  const bytesOf = utf8Bytes(file, source);
  const first = await bytesOf.next();
  const separator = separatorOf(first.done === true ? '' : first.value.toString('utf8'));
  onSeparator(separator);
  const parser = parse({
    delimiter: separator.sign,
    bom: true,
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: longestRow,
    // Without this option, the rows before an error would be lost with the stream.
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error) onError(error);
      return undefined;
    },
    on_record: (record: string[], { lines }) => {
      rows.push({ record, lines });
      return null;
    },
  });
  // The callback of the write that failed gets the error too.
  parser.on('error', () => undefined);
  parser.resume();
  for (let chunk = first; chunk.done !== true; chunk = await bytesOf.next()) {
    const bytes = chunk.value;
    await settled((done) => parser.write(bytes, done));
    yield rows;
    rows = [];
  }
  await settled((done) => parser.end(done));
  yield rows;
}

const settled = (start: (done: (error?: Error | null) => void) => unknown): Promise<void> =>
  new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });

function readHeader(names: readonly string[], required: RequiredColumns): Header {
  const columns: string[] = [];
  const before = new Set<string>();
  const doubled = new Set<string>();
  for (const written of names) {
    const name = written.trim().toLowerCase();
    const isRepeated = name !== '' && before.has(name);
    before.add(name);
    if (isRepeated) doubled.add(name);
    columns.push(isRepeated ? '' : name);
  }
  const missing = required.find((alternatives) => !alternatives.some((name) => before.has(name)));
  const wanted = missing?.map((name) => `"${name}"`).join(' or ');
  const lacks = wanted && `has no column ${wanted}; its header is: ${shorten(cleanLine(names.join(', ')))}`;
  return { columns, doubled, lacks };
}

/** Line breaks within cells. csv-parse counts a line break of two characters (`doubles`) as two. */
export function lineBreaks(record: readonly string[]): { readonly lines: number; readonly doubles: number } {
  let lines = 0;
  let doubles = 0;
  for (const cell of record) {
    if (!cell.includes('\n') && !cell.includes('\r')) continue;
    const breaks = cell.match(/\r\n|\r|\n/g) ?? [];
    lines += breaks.length;
    doubles += breaks.filter((found) => found.length === 2).length;
  }
  return { lines, doubles };
}

export function explain(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return 'opens a quotation mark that is never closed; the rest of the file is left out';
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return `is longer than ${longestRow.toLocaleString('en')} bytes, perhaps by an unclosed quotation mark; the rest of the file is left out`;
  }
  return `is not CSV: ${error.message}`;
}

const count = (columns: number): string => (columns === 1 ? '1 column' : `${columns} columns`);

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
