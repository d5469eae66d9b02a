import type { Row } from '../source/related-rows.ts';
import { cleanText, compareIds, compareText, webAddress } from '../text.ts';
import { once } from './known.ts';

/** What a location offers to people with a disability, a line for each row. HSDS 1.1 has the column `accessibility`. */
export function accessibilityOf(rows: readonly Row[]): string {
  const sorted = [...rows].sort((one, other) => compareIds(one.cell('id'), other.cell('id')));
  const lines = sorted.map((row) =>
    once([
      cleanText(row.cell('description')),
      cleanText(row.cell('accessibility')),
      cleanText(row.cell('details')),
      webAddress(row.cell('url')) ?? '',
    ]).join(' – '),
  );
  const ids = new Set(sorted.map((row) => row.cell('id')));
  return once(ids.size < sorted.length ? lines.sort(compareText) : lines).join('\n');
}
