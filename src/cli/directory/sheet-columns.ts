import type { Mapping } from '../../hsds/sheet/mapping.ts';
import type { SheetChoice, SheetReading } from '../../hsds/sheet/stage-sheet.ts';
import { sheetTargets, type SheetTarget } from '../../hsds/sheet/targets.ts';
import { UsageError } from '../options.ts';

interface SheetOptions {
  readonly sheet?: string;
  readonly columns?: string;
}

/** How a spreadsheet is to be read. @throws UsageError */
export const sheetChoice = ({ sheet, columns }: SheetOptions): SheetChoice => ({
  sheet,
  columns: columns === undefined ? undefined : columnsIn(columns),
});

/** @throws UsageError where the options are about columns or a sheet that the file does not have */
export function requireColumns(reading: SheetReading | undefined, options: SheetOptions): void {
  if (!reading) {
    if (options.sheet === undefined && options.columns === undefined) return;
    throw new UsageError('--sheet and --columns are for spreadsheets, and this is none.');
  }
  const missing = Object.keys(columnsIn(options.columns ?? '')).filter(
    (name) => !reading.header.includes(name),
  );
  if (missing.length > 0)
    throw new UsageError(
      `--columns: the sheet has no column ${missing.join(', ')}. It has: ${reading.header.join(', ')}.`,
    );
}

/** Reads `Remarks=how_to_apply,"Rating, if any=none"`: a comma may be part of a name. */
function columnsIn(text: string): Mapping['columns'] {
  const columns: Record<string, SheetTarget | null> = {};
  let name = '';
  for (const piece of text.split(',')) {
    name = name === '' ? piece : `${name},${piece}`;
    const at = name.lastIndexOf('=');
    if (at === -1) continue;
    columns[name.slice(0, at).trim()] = targetIn(name.slice(at + 1).trim());
    name = '';
  }
  if (name.trim() !== '')
    throw new UsageError(`--columns: ${name.trim()} does not say what the column is, as in "Remarks=notes"`);
  return columns;
}

function targetIn(text: string): SheetTarget | null {
  if (text === '' || text === 'none') return null;
  const target = sheetTargets.find((each) => each === text);
  if (target) return target;
  throw new UsageError(`--columns: ${text} is none of: ${sheetTargets.join(', ')}, none`);
}
