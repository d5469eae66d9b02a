import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Checkout } from './checkouts.ts';
import type { Row } from './measure.ts';

/** A value and its baseline, as an older checkout's own run of its bench has printed them. */
export type Printed = Readonly<Record<string, Pick<Row, 'before' | 'beforeBaseline'>>>;

/**
 * Rows that measure within the bench's own process are measured for an older checkout by its own bench, right before
 * ours. Rows are matched by their names; answers none where the older bench does not have the suite.
 */
export async function ownRun({ root }: Checkout, suite: string): Promise<Printed> {
  const run = await promisify(execFile)(process.execPath, ['bench/run.ts', '--only', suite], {
    cwd: root,
    maxBuffer: 10_000_000,
  });
  const [header = [], , ...rows] = run.stdout
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const place = (name: string) => header.indexOf(name);
  const numberIn = (cell = '') => (cell === '' ? undefined : Number(cell.replaceAll(',', '')));
  return Object.fromEntries(
    rows.map((cells) => [
      cells[0] ?? '',
      { before: numberIn(cells[place('ours')]), beforeBaseline: numberIn(cells[place('baseline')]) },
    ]),
  );
}

/** Rows of ours with what an older checkout has printed under the same names. */
export const withPrinted = (rows: readonly Row[], printed: Printed): Row[] =>
  rows.map((row) => ({ ...row, ...printed[row.what] }));
