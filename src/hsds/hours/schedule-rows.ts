import { cleanLine } from '../text.ts';
import type { Row } from '../source/related-rows.ts';
import { clockOf, clockPattern, minutesOf, spanOf, type WrittenClock } from './clock.ts';
import { isDate } from './heading.ts';
import { statementOf } from './statement.ts';
import { tokensOf } from './tokens.ts';
import { clockText, type Opening, type Section } from './week.ts';
import { dayNames, slotOf, type Slot } from './write.ts';

/** One row of `schedules` (2.x, 3.x) or `regular_schedules` (1.1). */
export interface ScheduleRow {
  readonly line: number;
  /** Equal rows share them. */
  readonly cells: ScheduleCells;
}

export interface ScheduleCells {
  readonly file: string;
  /** A weekday (1.1), or an RFC 5545 BYDAY list such as `MO,TU` or `1SA` (3.x). */
  readonly days: string;
  readonly frequency: string;
  readonly interval: string;
  /** The filled columns that make less of it than a row of every week: `count`, `byweekno`. */
  readonly limits: string;
  readonly opens: string;
  readonly closes: string;
  readonly from: string;
  readonly to: string;
  /** The hours as the publisher wrote them. */
  readonly words: string;
  readonly note: string;
  readonly link: string;
}

const limitingColumns = ['count', 'byweekno', 'bymonthday', 'byyearday'];

/** The schedule rows of one service or location. */
export function scheduleRows(rows: readonly Pick<Row, 'file' | 'line' | 'cell'>[]): ScheduleRow[] {
  const different = new Map<string, ScheduleCells>();
  return rows.map((row) => {
    const cell = (name: string, instead = ''): string =>
      row.cell(name).trim() || (instead === '' ? '' : row.cell(instead).trim());
    const cells: ScheduleCells = {
      file: row.file,
      days: cell('byday', 'weekday'),
      frequency: cell('freq'),
      interval: cell('interval'),
      limits: limitingColumns.filter((name) => cell(name) !== '').join(', '),
      opens: cell('opens_at'),
      closes: cell('closes_at'),
      from: cell('valid_from', 'dtstart'),
      to: cell('valid_to', 'until'),
      words: cell('description', 'original_text'),
      note: [cell('attending_type'), cell('notes')].filter(Boolean).join('; '),
      link: cell('schedule_link'),
    };
    const key = Object.values(cells).join('\0');
    const same = different.get(key) ?? cells;
    different.set(key, same);
    return { line: row.line, cells: same };
  });
}

/** What a row says: openings of the regular week, what to show for it, and why it is no opening of the week. */
export interface RowReading {
  readonly openings: readonly Opening[];
  readonly slots: readonly Slot[];
  readonly problem?: string;
}

const nothing = { openings: [], slots: [] };

/**
 * Reads a row. A row without times says nothing. Times without am and pm are those of a 24-hour clock; see `spanOf` for
 * times past midnight. What is not an opening of every week, or cannot be sure, is a problem, not an opening. A day of
 * the month (`1SA`) is no opening of the week either, but it can be shown.
 */
export function readScheduleRow(row: ScheduleCells): RowReading {
  if (row.opens === '' && row.closes === '') {
    return row.words + row.note + row.link === ''
      ? { ...nothing, problem: 'it has neither times nor a text' }
      : nothing;
  }
  const problem = (why: string, slots: readonly Slot[] = []): RowReading => ({
    openings: [],
    slots,
    problem: why,
  });
  const rule = ruleProblem(row);
  if (rule !== undefined) return problem(rule);
  const days = daysOf(row);
  if (typeof days === 'string') return problem(days);

  const section = sectionOf(row);
  if (typeof section === 'string') return problem(section);

  const [opens, closes] = [clockIn(row.opens), clockIn(row.closes)];
  if (!opens || !closes) return problem(clockProblem(row, opens));
  const span = spanOf(opens, closes, { twentyFour: true, nextDay: false });
  if (!span) {
    const [from, to] = [minutesOf(opens), minutesOf(closes)];
    const times = from === undefined || to === undefined ? '' : `${clockText(from)}–${clockText(to)}`;
    return problem(
      from === to && from !== undefined
        ? 'it closes when it opens'
        : times === ''
          ? 'am or pm is missing'
          : 'it closes before it opens, and is no night',
      times === '' ? [] : days.map(({ day, order }) => ({ day, order, times, section })),
    );
  }
  const weekly = days.filter(({ order }) => order < dayNames.length);
  const openings = weekly.map(({ order }) => ({ ...span, day: order, section }));
  const monthly = days
    .filter(({ order }) => order >= dayNames.length)
    .map((day) => ({ ...slotOf({ ...span, day: 0, section }), ...day }));
  const slots = [...openings.map(slotOf), ...monthly];
  return { openings, slots, ...(monthly.length === 0 ? {} : { problem: ofMonth }) };
}

const ofMonth = 'days of the month are no rule of a week';

/** Why a row is not for every week. */
export function ruleProblem({ frequency, interval, limits }: ScheduleCells): string | undefined {
  if (!['', 'DAILY', 'WEEKLY', 'MONTHLY'].includes(frequency.toUpperCase())) {
    return `the frequency ${frequency} is not of a week`;
  }
  if (!/^1?$/.test(interval)) return `the interval ${interval} is not every week`;
  return limits === '' ? undefined : `it is not for every week (${limits})`;
}

type NamedDay = Pick<Slot, 'day' | 'order'>;

const ordinals: Readonly<Record<string, string>> = {
  '1': '1st',
  '2': '2nd',
  '3': '3rd',
  '4': '4th',
  '5': '5th',
  '-1': 'last',
};

function daysOf({ days, frequency, from, to }: ScheduleCells): NamedDay[] | string {
  const often = frequency.toUpperCase();
  const weekday = (order: number): NamedDay => ({ day: dayNames[order] ?? '', order });
  const date = dateIn(from);
  // A single date is the rule of its weekday that applies on that day alone.
  if (days === '' && date && date === dateIn(to)) return [weekday((new Date(date).getUTCDay() + 6) % 7)];
  if (days === '') return often === 'DAILY' ? dayNames.map((_, order) => weekday(order)) : 'it names no day';
  const pieces = daysIn(days) ? [days] : days.split(/[\s,;/]+/).filter(Boolean);
  const found = pieces.flatMap((piece): (NamedDay | string)[] => {
    // HSDS 1.1 also numbers weekdays, from Monday = 1.
    if (/^[1-7]$/.test(piece)) return [weekday(Number(piece) - 1)];
    const [, nth = '', name = piece] = /^\+?(-?\d)(.+)$/.exec(piece) ?? [];
    const named = daysIn(name);
    if (!named) return [`${piece} is not a day`];
    if (nth === '') {
      return often === 'MONTHLY' ? [`${piece} of a month does not say which`] : [...named].map(weekday);
    }
    const ordinal = ordinals[nth];
    const at = 10 * (nth === '-1' ? 6 : Number(nth));
    if (ordinal === undefined) return [`${piece} is not a day of the month`];
    return [...named].map((day) => ({
      day: `${ordinal} ${dayNames[day] ?? ''} of the month`,
      order: at + day,
    }));
  });
  const wrong = found.find((day) => typeof day === 'string');
  return wrong ?? found.filter((day) => typeof day !== 'string');
}

/** The usual names of days. Looking them up is quicker than reading them. */
const usualDays = new Map(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].flatMap((name, day) =>
    [name, name.slice(0, 3), name.slice(0, 2)].map((written) => [written, new Set([day])] as const),
  ),
);

/** What other texts say. A directory writes a few over and over: `MO,TU,WE,TH,FR`. */
const readDays = new Map<string, ReadonlySet<number> | undefined>();
const mostRemembered = 1_000;

function daysIn(written: string): ReadonlySet<number> | undefined {
  const usual = usualDays.get(written.toLowerCase());
  if (usual) return usual;
  if (!readDays.has(written)) {
    if (readDays.size >= mostRemembered) readDays.clear();
    readDays.set(written, daysRead(written));
  }
  return readDays.get(written);
}

function daysRead(written: string): ReadonlySet<number> | undefined {
  const text = written.length === 2 ? written.toUpperCase() : written;
  // "lunes" tells that "mar" is Tuesday: the column has days alone.
  const statement = statementOf(tokensOf(text, 'lunes'), true);
  return statement.kind === 'days' ? statement.days.days : undefined;
}

function sectionOf({ from, to, note: written }: ScheduleCells): Section | string {
  const note = cleanLine(written);
  const [first, last] = [dateIn(from), dateIn(to)];
  if (first === undefined) return `${from} is not a date`;
  if (last === undefined) return `${to} is not a date`;
  if (first !== '' && last !== '' && first > last) return `it is valid from ${first}, but only to ${last}`;
  return {
    ...(note === '' || note.length > 300 ? {} : { note }),
    ...(first === '' ? {} : { valid_from: first }),
    ...(last === '' ? {} : { valid_to: last }),
  };
}

/** `2026-06-01`, also of a date with a time, and of `20260601T000000Z` (RFC 5545). */
function dateIn(written: string): string | undefined {
  const day = written
    .replace(/^(\d{4})(\d\d)(\d\d)(?=T|$)/, '$1-$2-$3')
    .replace(/^(\d{4}-\d\d-\d\d)[T ].*$/, '$1');
  return day === '' || isDate(day) ? day : undefined;
}

/** The local time: `07:30:00+02:00` is 07:30 at the place. */
function clockIn(written: string): WrittenClock | undefined {
  const text = written
    .replace(/(?<=:\d\d)(?:\.\d+)?\s*(?:z|[+-]\d\d:?\d\d)$/i, '')
    .replace(/\b([ap])\s?\.\s?m\b\.?/i, '$1m')
    .replace(/^(\d{1,2})(\d\d)$/, '$1:$2');
  clockPattern.lastIndex = 0;
  const match = clockPattern.exec(text);
  return match?.[0].length === text.length ? clockOf(match) : undefined;
}

function clockProblem({ opens, closes }: ScheduleCells, readable: WrittenClock | undefined): string {
  if (opens === '') return 'it does not say when it opens';
  if (closes === '') return 'it does not say when it closes';
  return `${readable ? closes : opens} is not a time`;
}
