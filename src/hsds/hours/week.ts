import { weekdays } from '../../events/directory/local-time.ts';
import { type OpeningHours } from '../../events/directory/opening-hours.ts';
import { compareText } from '../text.ts';

/** What rows are about: the name of a section of a text, and the dates between which they apply. */
export interface Section {
  readonly note?: string | undefined;
  readonly valid_from?: string | undefined;
  readonly valid_to?: string | undefined;
}

/** One opening on one day of the week, Monday = 0, in minutes from the midnight at which that day begins. */
export interface Opening {
  readonly day: number;
  readonly opens: number;
  /** Up to 24 hours later than `opens`. */
  readonly closes: number;
  readonly section: Section;
}

export const wholeDay = 24 * 60;

/** `08:30`. The midnight at the end of the day is `24:00`. Minutes of the next day are its times. */
export function clockText(minutes: number): string {
  const ofDay = minutes > wholeDay ? minutes - wholeDay : minutes;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Equal for sections with the same name and dates. */
export const sectionKey = ({ note, valid_from, valid_to }: Section): string =>
  note === undefined && valid_from === undefined && valid_to === undefined
    ? ''
    : JSON.stringify([note, valid_from, valid_to]);

/** Equal for openings at the same hours of the same day, whatever they are for. */
export const openingKey = ({ day, opens, closes }: Opening): string => `${day} ${opens} ${closes}`;

export function openingsOf(rows: readonly OpeningHours[]): Opening[] {
  return rows.flatMap(({ days, opens, closes, ...about }) => {
    const [from, to] = [minutesOf(opens), minutesOf(closes)];
    const note = about.note?.replace(/\s+/g, ' ').trim();
    const section = note === undefined ? about : { ...about, note };
    return days.map((day) => ({
      day: weekdays.indexOf(day),
      opens: from,
      closes: to <= from ? to + wholeDay : to,
      section,
    }));
  });
}

/**
 * The rows that say this, in their normal form: each opening once, one row for the days with the same hours, by day and
 * time; first what has neither name nor dates, then the sections by their times and dates. The order of what is given
 * changes nothing, so that rows which are written and read again stay the same.
 */
export function rowsOf(openings: readonly Opening[]): OpeningHours[] {
  return sectionsOf(openings)
    .map(([section, those]) => ({ key: sectionKey(section), section, times: timesOf(those) }))
    .sort((left, right) => compareSections(left, right))
    .flatMap(({ section, times }) =>
      times.map(({ days, opens, closes }) => ({
        days: weekdays.filter((_, at) => days.includes(at)),
        opens: clockText(opens),
        closes: clockText(closes),
        ...section,
      })),
    );
}

/** Days, from Monday = 0, that are open at the same time. */
interface Times {
  readonly days: readonly number[];
  readonly opens: number;
  readonly closes: number;
}

function timesOf(openings: readonly Opening[]): Times[] {
  const byTimes = new Map<string, { opens: number; closes: number; days: Set<number> }>();
  for (const { day, opens, closes } of openings) {
    const key = `${opens} ${closes}`;
    const row = byTimes.get(key) ?? { opens, closes, days: new Set() };
    row.days.add(day);
    byTimes.set(key, row);
  }
  return [...byTimes.values()]
    .map(({ days, ...times }) => ({ ...times, days: [...days].sort((left, right) => left - right) }))
    .sort(compareTimes);
}

const compareTimes = (left: Times, right: Times): number =>
  (left.days[0] ?? 0) - (right.days[0] ?? 0) || left.opens - right.opens || left.closes - right.closes;

interface TimedSection {
  readonly key: string;
  readonly section: Section;
  readonly times: readonly Times[];
}

function compareSections(left: TimedSection, right: TimedSection): number {
  const [first, second] = [left.times[0], right.times[0]];
  return (
    Number(left.key !== '') - Number(right.key !== '') ||
    (first && second ? compareTimes(first, second) : 0) ||
    compareText(left.section.valid_from ?? '', right.section.valid_from ?? '') ||
    compareText(left.key, right.key)
  );
}

/** The same rows in their normal form; see `rowsOf`. */
export const normalised = (rows: readonly OpeningHours[]): OpeningHours[] => rowsOf(openingsOf(rows));

/** Openings by section. What has neither name nor dates comes first. */
export function sectionsOf<T extends { readonly section: Section }>(
  openings: readonly T[],
): (readonly [Section, readonly T[]])[] {
  const sections = Map.groupBy(openings, ({ section }) => sectionKey(section));
  return [...sections]
    .sort(([left], [right]) => Number(left !== '') - Number(right !== ''))
    .map(([, those]) => [those[0]?.section ?? {}, those] as const);
}
