import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import type { CsvError } from 'csv-parse';
import { DatapackageError } from '../errors.ts';
import type { PackageFiles } from '../source/package-files.ts';
import { comma, explain, lineBreaks, otherSeparators, parseRows, type Separator } from '../source/table.ts';
import { utf8Bytes } from '../source/utf8.ts';
import { isEmptyRow, sheetLimits, type SheetRow, type Sheets } from './rows.ts';

/** A CSV file as a workbook with one sheet. Throws `DatapackageError`. */
export async function openCsvSheet(files: PackageFiles, part: string, file: string): Promise<Sheets> {
  const oldEncoding = !(await isUnicode(files, part));
  const found: { readonly line: number; readonly reason: string }[] = [];
  return {
    kind: 'csv',
    file,
    sheets: [{ name: '', hidden: false }],
    notes: oldEncoding
      ? ['is not UTF-8; read as Windows-1252. Where letters look wrong, save it as "CSV UTF-8"']
      : [],
    async *rows() {
      found.length = 0;
      let separator = comma;
      const source = oldEncoding ? fromWindows(await files.open(part)) : await files.open(part);
      let error: CsvError | undefined;
      const onError = (met: CsvError): void => void (error ??= met);
      let miscounted = 0;
      let end = 0;
      let count = 0;
      for await (const parsed of parseRows(source, file, onError, (met) => (separator = met), separatorOf)) {
        const rows: SheetRow[] = [];
        for (const { record, lines } of parsed) {
          const breaks = lineBreaks(record);
          miscounted += breaks.doubles;
          end = lines - miscounted;
          const cells = record
            .slice(0, sheetLimits.columns)
            .map((cell) => cell.replaceAll('\0', '').trim().slice(0, sheetLimits.cell));
          if (isEmptyRow(cells)) continue;
          if (++count > sheetLimits.rows)
            throw new DatapackageError(
              'too_large',
              `${file} has more than ${sheetLimits.rows.toLocaleString('en')} rows; it is not read.`,
            );
          rows.push({ line: end - breaks.lines, cells });
        }
        yield rows;
      }
      if (error) found.push({ line: end + 1, reason: explain(error) });
      if (separator.sign !== ',')
        found.unshift({
          line: 1,
          reason: `is separated by ${separator.called}, not by commas; read as such`,
        });
    },
    notesOf: () => found,
    close: () => undefined,
  };
}

/** The sign that most of the first lines have: above the columns may stand a title. */
function separatorOf(text: string): Separator {
  const lines = text
    .slice(0, 100_000)
    .split(/\r\n|\r|\n/)
    .slice(0, 40);
  const [most = comma] = [comma, ...otherSeparators].sort(
    (one, other) => linesWith(other) - linesWith(one) || 0,
  );
  return most;

  function linesWith({ sign }: Separator): number {
    return lines.filter((line) => line.split(sign).length > 2).length;
  }
}

/** Whether a file is UTF-8, or says that it is UTF-16. */
async function isUnicode(files: PackageFiles, part: string): Promise<boolean> {
  const pieces = utf8Bytes(part, await files.open(part));
  try {
    while ((await pieces.next()).done !== true);
    return true;
  } catch (error) {
    if (error instanceof DatapackageError && error.code === 'invalid_encoding') return false;
    throw error;
  }
}

function fromWindows(source: Readable): Readable {
  const decoder = new TextDecoder('windows-1252');
  async function* decoded(): AsyncGenerator<Buffer> {
    for await (const chunk of source as AsyncIterable<Buffer>)
      yield Buffer.from(decoder.decode(chunk, { stream: true }));
  }
  return Readable.from(decoded(), { objectMode: false });
}
