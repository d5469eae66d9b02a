import type { Row } from '../source/related-rows.ts';
import { cleanLine, compareIds } from '../text.ts';
import { once } from './without-blank.ts';

/** A row of `service_capacity` (HSDS 3.1), and the unit that it counts. */
export interface CapacityRow {
  readonly row: Row;
  readonly unit: Row | undefined;
}

/** How much there is, and how long people wait: `12 of 40 beds available (2026-01-31)`. */
export function capacityOf(service: Row, rows: readonly CapacityRow[]): string {
  const sorted = [...rows].sort((one, other) => compareIds(one.row.cell('id'), other.row.cell('id')));
  const waiting = cleanLine(service.cell('wait_time'));
  return once([
    ...sorted.map(amountText),
    /^(none|n\/a)?\.?$/i.test(waiting) ? '' : /wait/i.test(waiting) ? waiting : `Waiting time: ${waiting}`,
  ]).join('; ');
}

function amountText({ row, unit }: CapacityRow): string {
  const [available, maximum] = [row.cell('available'), row.cell('maximum')];
  const counted = cleanLine(unit?.cell('name') ?? '');
  const numbers = [
    available === '' ? '' : maximum === '' ? available : `${available} of ${maximum}`,
    available === '' && maximum !== '' ? `at most ${maximum}` : '',
  ].filter(Boolean);
  const amount =
    numbers.length === 0
      ? ''
      : [...numbers, counted, available === '' ? '' : 'available', dated(row)].filter(Boolean).join(' ');
  return [amount, cleanLine(row.cell('description'))].filter(Boolean).join('; ');
}

const dated = (row: Row): string => {
  const [day = ''] = row.cell('updated').split(/[T ]/);
  return day === '' ? '' : `(${day})`;
};
