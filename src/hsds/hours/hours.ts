import type { OpeningHours } from '../../events/directory/opening-hours.ts';
import type { HsdsWarning } from '../item.ts';
import { cleanLine, cleanText, compareText } from '../text.ts';
import { compared } from './compare.ts';
import { confirmation } from './confirmed.ts';
import type { Exceptions } from './exceptions.ts';
import { readHours, type Reading } from './read.ts';
import {
  readScheduleRow,
  ruleProblem,
  type RowReading,
  type ScheduleCells,
  type ScheduleRow,
} from './schedule-rows.ts';
import { openingKey, rowsOf, sectionKey, type Opening } from './week.ts';
import { dayNames, writeHours, writeSlots } from './write.ts';

/** The schema of the fields takes no more. */
const mostRows = 200;

/** The hours of one service, or of one location. */
export interface Hours {
  /** As people write them: the publisher's own words; without any, what the rows say. */
  readonly hours?: string;
  /** Only what is sure. */
  readonly opening_hours?: readonly OpeningHours[];
  readonly warnings: readonly HsdsWarning[];
}

/**
 * The hours that the schedule rows of one service or location say. `owner` names it in warnings: `service 144`.
 *
 * - The publisher's words, where there are any, are the text. Rows without words are shown as text.
 * - Rows that agree with the words, or have none beside them, are the structured hours.
 * - Rows that disagree with the words are left out, with a warning: one of the two is wrong, and the words are what a
 *   person can judge. Where the words are fully understood, they are the structured hours then.
 * - Words that are not fully understood: rows are kept only if the understood part says each of them, and the rest
 *   takes nothing back.
 * - Words beside rows that say nothing are the structured hours where they are fully understood.
 *
 * `confirmed`: the mark of an export of ours, if there is one. What it is of is taken as it is. `exceptions`: of single
 * days; they are added to the text, and are not compared with the rows.
 */
export function hoursOf(
  owner: string,
  rows: readonly ScheduleRow[],
  confirmed?: string,
  exceptions: Exceptions = noExceptions,
): Hours {
  const { hours, opening_hours, warnings } = weekOf(owner, rows, confirmed);
  const lines = [
    ...(hours === undefined ? [] : [hours]),
    ...exceptions.lines.filter((line) => !hours?.includes(line)),
  ];
  return {
    ...(lines.length === 0 ? {} : { hours: lines.join('\n') }),
    ...(opening_hours === undefined ? {} : { opening_hours }),
    warnings: [...warnings, ...exceptions.warnings],
  };
}

const noExceptions: Exceptions = { lines: [], warnings: [] };

function weekOf(owner: string, rows: readonly ScheduleRow[], confirmed: string | undefined): Hours {
  const [first] = rows;
  if (!first) return { warnings: [] };
  if (rows.length > fewRows) return hoursFrom(owner, first, rows, confirmed);
  const key = JSON.stringify([confirmed, ...rows.map(({ cells }): unknown[] => Object.values(cells))]);
  const cached = plain.get(key);
  if (cached) return cached;
  const hours = hoursFrom(owner, first, rows, confirmed);
  if (hours.warnings.length === 0 && key.length <= longestKey) remember(plain, key, hours);
  return hours;
}

/** Hours without warnings, by the cells of their rows. Many services of a directory have the same. */
const plain = new Map<string, Hours>();
const fewRows = 20;
const longestKey = 2_000;

function hoursFrom(
  owner: string,
  first: ScheduleRow,
  rows: readonly ScheduleRow[],
  confirmed: string | undefined,
): Hours {
  const readings = readingsOf(rows);
  const warnings = problemsIn(owner, readings);
  const warn = (reason: string): void => {
    warnings.push({
      kind: 'warning',
      file: first.cells.file,
      line: first.line,
      reason: `${owner}: ${reason}`,
    });
  };

  const openings = once(readings.flatMap(({ reading }) => reading.openings));
  const words = textsOf(readings, ({ words }) => cleanText(words));
  const notes = textsOf(readings, ({ note }) => cleanLine(note));
  const reading = readOnce(withoutNotes(words.join('\n\n'), notes));
  const slots = readings.flatMap(({ reading }) => reading.slots);
  const silent = slots.length === 0 && readings.every(({ reading }) => reading.problem === undefined);
  const links = textsOf(readings, ({ link }) => cleanText(link));
  const own = words.length > 0 ? words : slots.length > 0 ? [writeSlots(slots)] : [];
  const written = own.join('\n');
  const text = [written, ...notes.filter((note) => !saysNote(written, note)), ...links]
    .filter(Boolean)
    .join('\n');
  const isConfirmed =
    confirmed !== undefined && openings.length > 0 && confirmation(text, rowsOf(openings)) === confirmed;
  const structured = isConfirmed
    ? rowsOf(openings)
    : openings.length > 0
      ? structuredHours(openings, reading, warn)
      : wordsAlone(reading, silent, readings, warn);
  return {
    ...(text === '' ? {} : { hours: text }),
    ...(structured.length === 0 ? {} : { opening_hours: structured }),
    warnings,
  };
}

/** The cells of rows with what they say, the line of the first such row, and how many there are. */
interface ReadRow {
  readonly cells: ScheduleCells;
  readonly line: number;
  readonly reading: RowReading;
  count: number;
}

function readingsOf(rows: readonly ScheduleRow[]): ReadRow[] {
  const different = new Map<ScheduleCells, ReadRow>();
  for (const { line, cells } of rows) {
    const same = different.get(cells);
    if (same) same.count += 1;
    else different.set(cells, { cells, line, reading: readScheduleRow(cells), count: 1 });
  }
  // The order of the rows in the file changes nothing.
  const inOrder = [...different.values()].map((read) => ({
    read,
    key: Object.values(read.cells).join('\0'),
  }));
  return inOrder.sort((left, right) => compareText(left.key, right.key)).map(({ read }) => read);
}

/** What was read of texts. Many services of a directory have the same, such as "9-5, Mon-Fri". */
const read = new Map<string, Reading>();
const mostRemembered = 1_000;

function readOnce(text: string): Reading {
  const cached = read.get(text);
  if (cached) return cached;
  const reading = readHours(text);
  remember(read, text, reading);
  return reading;
}

function remember<Value>(cached: Map<string, Value>, key: string, value: Value): void {
  if (cached.size >= mostRemembered) cached.clear();
  cached.set(key, value);
}

/**
 * The words without lines that are a note of a row: what a row says of itself does not make it doubtful. Notes are added
 * to the text, so what is exported and read again holds them twice.
 */
const withoutNotes = (words: string, notes: readonly string[]): string =>
  notes.length === 0
    ? words
    : words
        .split('\n')
        .filter((line) => !notes.includes(cleanLine(line)))
        .join('\n');

const saysNote = (text: string, note: string): boolean => cleanLine(text).includes(cleanLine(note));

/** `silent`: no row says anything; else the rows say something of days of the month, or what is doubtful. */
function wordsAlone(
  reading: Reading,
  silent: boolean,
  readings: readonly ReadRow[],
  warn: (reason: string) => void,
): readonly OpeningHours[] {
  if (reading.understood !== 'fully' || reading.rows.length === 0) return [];
  if (silent) return reading.rows;
  const slots = readings.flatMap(({ reading }) => reading.slots);
  // "Saturdays" beside a row of the first Saturday may be short for it.
  const isLimited =
    slots.some(({ order }) => order >= dayNames.length) ||
    readings.some(({ cells }) => ruleProblem(cells) !== undefined);
  const rows = `the rows (${shortened(writeSlots(slots))})`;
  if (slots.length > 0) warn(disagreement(writeHours(reading.rows), rows, !isLimited));
  return isLimited ? [] : reading.rows;
}

const disagreement = (words: string, rows: string, isRead: boolean): string =>
  `the text ${shortened(words)} and ${rows} disagree; the text is ${isRead ? 'read' : 'shown'}, the rows are left out`;

function structuredHours(
  openings: readonly Opening[],
  reading: Reading,
  warn: (reason: string) => void,
): readonly OpeningHours[] {
  const verdict = compared(openings, reading);
  const rows = rowsOf(verdict.kind === 'agree' ? verdict.openings : openings);
  const rowsText = `the rows (${shortened(writeHours(rows))})`;
  if (verdict.kind === 'disagree') {
    const isRead = reading.understood === 'fully' && reading.rows.length <= mostRows;
    warn(disagreement(verdict.words, rowsText, isRead));
    return isRead ? reading.rows : [];
  }
  if (verdict.kind === 'unconfirmed') {
    warn(
      `${rowsText} are left out: the text does not confirm them; it is not understood at ${shortened(reading.unread.join(' | '))}`,
    );
    return [];
  }
  if (rows.length <= mostRows) return rows;
  warn(`${rowsText} are left out: a record holds ${mostRows} of them`);
  return [];
}

/** One warning for the rows that have the same problem. */
function problemsIn(owner: string, readings: readonly ReadRow[]): HsdsWarning[] {
  const alike = new Map<string, { readonly file: string; readonly line: number; readonly count: number }>();
  for (const { cells, line, reading, count } of readings) {
    if (reading.problem === undefined) continue;
    const written = cleanLine(`${cells.days} ${cells.opens}–${cells.closes}`);
    const problem = `the hours ${shortened(written)} are not structured: ${reading.problem}`;
    const same = alike.get(problem);
    alike.set(problem, {
      file: cells.file,
      line: Math.min(line, same?.line ?? line),
      count: count + (same?.count ?? 0),
    });
  }
  return [...alike]
    .sort(([, left], [, right]) => left.line - right.line)
    .map(([problem, { file, line, count }]) => ({
      kind: 'warning',
      file,
      line,
      reason: `${owner}: ${problem}${count === 1 ? '' : ` (${count} rows)`}`,
    }));
}

const once = (openings: readonly Opening[]): Opening[] => [
  ...new Map(openings.map((one) => [openingKey(one) + sectionKey(one.section), one])).values(),
];

/** Texts of the rows, each once; those of the first days of the week first. */
function textsOf(readings: readonly ReadRow[], textOf: (cells: ScheduleCells) => string): string[] {
  const first = new Map<string, number>();
  for (const { cells, reading } of readings) {
    const text = textOf(cells);
    const order = reading.slots.reduce((least, slot) => Math.min(least, slot.order), 99);
    if (text !== '') first.set(text, Math.min(order, first.get(text) ?? 99));
  }
  return [...first]
    .sort(([left, leftOrder], [right, rightOrder]) => leftOrder - rightOrder || compareText(left, right))
    .map(([text]) => text);
}

function shortened(text: string): string {
  const line = text.replace(/\s*\n\s*/g, ' ⏎ ');
  return `"${line.length > 300 ? `${line.slice(0, 300)}…` : line}"`;
}
