import type { HsdsWarning } from '../item.ts';
import type { Row } from '../source/related-rows.ts';
import { compareText } from '../text.ts';
import { readScheduleRow, type ScheduleCells } from './schedule-rows.ts';
import { isDate } from './heading.ts';
import { dayNames, writeSlots } from './write.ts';

/** What rows of `holiday_schedules` say, in words: a rule of the week cannot say that a place is closed on one day. */
export interface Exceptions {
  /** `Closed, 2026-12-25`, `2026-12-24 to 2026-12-24: Thu 09:00–12:00`, in the order of the dates. */
  readonly lines: readonly string[];
  readonly warnings: readonly HsdsWarning[];
}

const dayMs = 86_400_000;

export function exceptionsIn(
  owner: string,
  rows: readonly Pick<Row, 'file' | 'line' | 'cell'>[],
): Exceptions {
  const lines = new Map<string, string>();
  const warnings: HsdsWarning[] = [];
  for (const row of rows) {
    const read = exceptionIn(row);
    if ('problem' in read) {
      const reason = `${owner}: the hours of single days are not carried: ${read.problem}`;
      warnings.push({ kind: 'warning', file: row.file, line: row.line, reason });
    } else lines.set(read.line, `${read.from} ${read.line}`);
  }
  const inOrder = [...lines].sort(([, one], [, other]) => compareText(one, other));
  return { lines: inOrder.map(([line]) => line), warnings };
}

type Read = { readonly line: string; readonly from: string } | { readonly problem: string };

function exceptionIn(row: Pick<Row, 'file' | 'cell'>): Read {
  const [begins, ends] = [row.cell('start_date').trim(), row.cell('end_date').trim()];
  const from = begins || ends;
  const to = ends || begins;
  if (from === '') return { problem: 'it has no date' };
  const wrong = [from, to].find((date) => !isDate(date));
  if (wrong !== undefined) return { problem: `${wrong} is not a date` };
  if (from > to) return { problem: `it begins on ${from}, but ends on ${to}` };
  const [opens, closes] = [row.cell('opens_at').trim(), row.cell('closes_at').trim()];
  const isClosed = /^(1|true|t|yes|y|closed)$/i.test(row.cell('closed').trim());
  if (isClosed) return { from, line: `Closed, ${from === to ? from : `${from} to ${to}`}` };
  if (opens === '' && closes === '')
    return { problem: 'it neither says that it is closed, nor when it is open' };
  const { slots, problem } = readScheduleRow({
    ...noCells,
    days: daysFrom(from, to),
    opens,
    closes,
    from,
    to,
  });
  return problem === undefined ? { from, line: writeSlots(slots) } : { problem };
}

const noCells: ScheduleCells = {
  file: '',
  days: '',
  frequency: '',
  interval: '',
  limits: '',
  opens: '',
  closes: '',
  from: '',
  to: '',
  words: '',
  note: '',
  link: '',
};

/** The weekdays between two dates. */
function daysFrom(from: string, to: string): string {
  const [first, last] = [Date.parse(from), Date.parse(to)].map((time) => Math.floor(time / dayMs));
  if (first === undefined || last === undefined) return '';
  const length = Math.min(last - first + 1, dayNames.length);
  // The first of January 1970 was a Thursday.
  return Array.from({ length }, (_, at) => dayNames[(first + at + 3) % 7]).join(',');
}
