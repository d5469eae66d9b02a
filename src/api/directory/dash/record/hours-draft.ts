import { weekdays, type Weekday } from '../../../../events/directory/local-time.ts';
import type { OpeningHours } from '../../../../events/directory/opening-hours.ts';
import { readHours } from '../../../../hsds/hours/read.ts';
import { openingsOf, rowsOf, sectionsOf, type Opening, type Section } from '../../../../hsds/hours/week.ts';
import { defined } from '../../../../ground/defined.ts';

/** Hours as they are typed: the regular week, and further weeks with a note or dates of their own. */
export type HoursDraft = readonly WeekDraft[];

export interface WeekDraft {
  readonly note: string;
  readonly valid_from: string;
  readonly valid_to: string;
  /** Of each day as many as it has entries. */
  readonly times: Readonly<Record<Weekday, readonly TimesDraft[]>>;
}

export interface TimesDraft {
  readonly opens: string;
  readonly closes: string;
}

/** Entries for times of a day, at least and at most. */
const [fewestTimes, mostTimes] = [2, 10];
const mostWeeks = 200;

export const ofWeek = ['note', 'valid_from', 'valid_to'] as const;
export const weekName = (week: number, what: (typeof ofWeek)[number] | Weekday | 'times'): string =>
  `h${week}-${what}`;
export const timesName = (week: number, day: Weekday, nth: number, what: keyof TimesDraft): string =>
  `h${week}-${day}-${nth}-${what}`;

const noTimes: TimesDraft = { opens: '', closes: '' };

const eachDay = (timesOf: (day: Weekday) => readonly TimesDraft[]): WeekDraft['times'] =>
  Object.fromEntries(weekdays.map((day) => [day, timesOf(day)])) as Record<Weekday, readonly TimesDraft[]>;

export const emptyWeek: WeekDraft = { note: '', valid_from: '', valid_to: '', times: eachDay(() => []) };

/** The table that shows rules. */
export function draftOfHours(rules: readonly OpeningHours[] = []): HoursDraft {
  return sectionsOf(openingsOf(rules)).map(([{ note = '', valid_from = '', valid_to = '' }, openings]) => ({
    note: note.trim(),
    valid_from,
    valid_to,
    times: eachDay((day) =>
      rowsOf(openings.filter(({ day: of }) => weekdays[of] === day)).map(({ opens, closes }) => ({
        opens,
        closes,
      })),
    ),
  }));
}

/** What was typed into the table. */
export function hoursDraftIn(form: URLSearchParams): HoursDraft {
  // A form has thousands of fields, of which `get` looks at each.
  const entries = new Map(form);
  const text = (name: string): string => (entries.get(name) ?? '').trim();
  const weeks: WeekDraft[] = [];
  for (let week = 0; week < mostWeeks && entries.has(weekName(week, 'times')); week++) {
    const count = Math.min(mostTimes * 10, Number(text(weekName(week, 'times'))) || 0);
    weeks.push({
      note: text(weekName(week, 'note')),
      valid_from: text(weekName(week, 'valid_from')),
      valid_to: text(weekName(week, 'valid_to')),
      times: eachDay((day) =>
        Array.from({ length: count }, (_, nth) => ({
          opens: text(timesName(week, day, nth, 'opens')),
          closes: text(timesName(week, day, nth, 'closes')),
        })),
      ),
    });
  }
  return weeks;
}

/** The fields that the table sends when nobody changes it. */
export const hoursEntries = (draft: HoursDraft): [name: string, value: string][] =>
  draft.flatMap((week, n): [string, string][] => [
    ...ofWeek.map((what): [string, string] => [weekName(n, what), week[what]]),
    [weekName(n, 'times'), String(timesShown(week))],
    ...weekdays.flatMap((day) =>
      week.times[day].flatMap(({ opens, closes }, nth): [string, string][] => [
        [timesName(n, day, nth, 'opens'), opens],
        [timesName(n, day, nth, 'closes'), closes],
      ]),
    ),
  ]);

/** How many times of a day a week has room for. */
export const timesShown = ({ times }: WeekDraft): number =>
  Math.max(fewestTimes, ...weekdays.map((day) => times[day].length));

export const hasRoom = (week: WeekDraft): boolean => timesShown(week) < mostTimes;

export const withMoreTimes = (week: WeekDraft): WeekDraft => ({
  ...week,
  times: eachDay((day) =>
    Array.from({ length: timesShown(week) + 1 }, (_, nth) => week.times[day][nth] ?? noTimes),
  ),
});

/** Without entries that say nothing. */
export const filledHours = (draft: HoursDraft): HoursDraft =>
  draft
    .map((week) => ({
      ...week,
      times: eachDay((day) => week.times[day].filter(({ opens, closes }) => opens + closes !== '')),
    }))
    .filter((week) => ofWeek.some((what) => week[what] !== '') || isTimed(week));

const isTimed = ({ times }: WeekDraft): boolean => weekdays.some((day) => times[day].length > 0);

/** What can be wrong about hours. Each is a sentence of the form. */
export type HoursProblem = 'time' | 'half' | 'overlap' | 'noTimes' | 'date' | 'dates';

export interface ReadHours {
  readonly rules: readonly OpeningHours[];
  /** By the names of `weekName`. */
  readonly problems: Readonly<Record<string, HoursProblem>>;
}

/**
 * The rules that a table says. Times are read as the import reads them: 9, 9 am, 17:00, noon; 9 and 5 are 09:00 and 17:00.
 * `before`: what the record has. Its own times stay as they are, also those that would be a slip if somebody typed them.
 */
export function rulesOf(draft: HoursDraft, before: readonly OpeningHours[] = []): ReadHours {
  const own = new Map(openingsOf(before).map((each) => [textsOf(each), each]));
  const problems: Record<string, HoursProblem> = {};
  const openings = draft.flatMap((typed, at) => {
    const [week] = filledHours([typed]);
    if (!week) return [];
    const section = sectionOf(week, at, problems);
    return weekdays.flatMap((day, number) => {
      const found: Opening[] = [];
      for (const times of week.times[day]) {
        const read = own.get(`${times.opens} ${times.closes}`) ?? openingIn(times);
        if (typeof read === 'string') problems[weekName(at, day)] ??= read;
        else found.push({ day: number, opens: read.opens, closes: read.closes, section });
      }
      if (overlap(found)) problems[weekName(at, day)] ??= 'overlap';
      return found;
    });
  });
  return { rules: rowsOf(openings), problems };
}

const textsOf = (opening: Opening): string => {
  const [row] = rowsOf([opening]);
  return `${row?.opens ?? ''} ${row?.closes ?? ''}`;
};

function sectionOf(week: WeekDraft, at: number, problems: Record<string, HoursProblem>): Section {
  const { note, valid_from, valid_to } = week;
  if (!isTimed(week)) problems[weekName(at, 'note')] = 'noTimes';
  for (const what of ['valid_from', 'valid_to'] as const)
    if (week[what] !== '' && !isDate(week[what])) problems[weekName(at, what)] = 'date';
  if (valid_from !== '' && valid_to !== '' && valid_to < valid_from)
    problems[weekName(at, 'valid_to')] ??= 'dates';
  const filled = (text: string): string | undefined => (text === '' ? undefined : text);
  return defined({ note: filled(note), valid_from: filled(valid_from), valid_to: filled(valid_to) });
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON().startsWith(text);

function openingIn({ opens, closes }: TimesDraft): Pick<Opening, 'opens' | 'closes'> | HoursProblem {
  if (opens === '' || closes === '') return 'half';
  // Nothing but a time: what else the reader of the words knows does not belong here.
  if (![opens, closes].every((text) => /^[\w\s:.]{1,12}$/.test(text))) return 'time';
  const { understood, openings } = readHours(`Mon ${opens} - ${closes}`);
  const [only, ...more] = openings;
  return understood === 'fully' && only && more.length === 0 ? only : 'time';
}

function overlap(openings: readonly Opening[]): boolean {
  const inOrder = openings.toSorted((left, right) => left.opens - right.opens);
  return inOrder.some(({ opens }, at) => opens < (inOrder[at - 1]?.closes ?? 0));
}
