import { day, instantOf, minute, offsetAt, weekdayOf } from './local-time.ts';
import type { Location } from './location.ts';
import type { OpeningHours } from './opening-hours.ts';
import type { UnsealedFields } from './resource-fields.ts';

/** Whether a place is open at an instant. */
export type OpeningStatus =
  /** `until`: when it closes. Absent when that is not within a week. */
  | { readonly state: 'open'; readonly until?: Date }
  /** `opens`: when it opens next. Absent when that is not within a week. */
  | { readonly state: 'closed'; readonly opens?: Date }
  /** Nothing is known of its hours, or of those of this week. */
  | { readonly state: 'unknown' };

/** What of a record decides whether it is open. The search keeps it as JSON. */
export type Week = Pick<UnsealedFields, 'time_zone' | 'availability' | 'opening_hours'> & {
  readonly locations?: readonly PlaceHours[] | undefined;
};

/** A location, which may have hours of its own. */
export type PlaceHours = Pick<Location, 'name' | 'street' | 'city' | 'opening_hours'> & {
  /** Where it is not that of the record. */
  readonly time_zone?: string | undefined;
};

/** Whether a record is open, and at which of its places, where it is not the record as a whole. */
export type OpeningSomewhere = OpeningStatus & { readonly at?: PlaceHours };

/**
 * Whether a record is open: by its own hours, else at one of its locations that has hours of its own. Where it is closed
 * everywhere, by what opens first.
 */
export const statusSomewhere = (week: Week, instant: Date): OpeningSomewhere =>
  (week.locations ?? []).reduce<OpeningSomewhere>(
    (first, at) => {
      // Without hours of its own, those of the record, which are no better.
      const there = statusAt({ ...week, ...at }, instant);
      return waitFor(there) < waitFor(first) ? { ...there, at } : first;
    },
    statusAt(week, instant),
  );

/** Until when one waits; longest where nothing is known. */
const waitFor = (status: OpeningStatus): number =>
  status.state === 'open' ? 0 : status.state === 'unknown' ? Infinity : Number(status.opens ?? 9e15);

/** How far ahead the next opening, and the end of an opening, is looked for. */
const ahead = 7 * day;
/**
 * Whether a place is open at an instant; the meaning of the rules is at `openingHours`. Takes 5 to 10 µs for a record
 * whose zone was asked for before.
 */
export function statusAt({ time_zone, availability, opening_hours }: Week, instant: Date): OpeningStatus {
  if (availability === 'temporarily_closed' || availability === 'defunct') return { state: 'closed' };
  if (time_zone === undefined || !opening_hours?.length) return { state: 'unknown' };
  const now = instant.getTime();
  const openings = openingsAround(opening_hours, time_zone, now);
  return openings === undefined ? { state: 'unknown' } : statusIn(openings, now);
}

/** From when to when, in milliseconds since 1970. */
type Opening = readonly [begins: number, ends: number];

function statusIn(openings: readonly Opening[], now: number): OpeningStatus {
  let until = now;
  let opens = Infinity;
  // Openings that overlap or touch are one.
  for (let grown = true; grown;) {
    grown = false;
    for (const [begins, ends] of openings) {
      if (begins > now) opens = Math.min(opens, begins);
      if (begins > until || ends <= until) continue;
      until = ends;
      grown = true;
    }
  }
  if (until > now) return until - now > ahead ? { state: 'open' } : { state: 'open', until: new Date(until) };
  return opens - now > ahead ? { state: 'closed' } : { state: 'closed', opens: new Date(opens) };
}

/** The openings of the days around an instant. Undefined when no rule says anything of them. */
function openingsAround(
  rules: readonly OpeningHours[],
  timeZone: string,
  now: number,
): Opening[] | undefined {
  const today = Math.floor((now + offsetAt(timeZone, now)) / day);
  // An opening ends a day after it began, and the clocks may have changed meanwhile.
  const [first, last] = [today - 2, today + ahead / day + 1];
  const toInstant = instantsBetween(timeZone, first * day, (last + 2) * day);
  const openings: Opening[] = [];
  let applies = false;
  for (const rule of rules) {
    const opens = minutesOf(rule.opens);
    const closing = minutesOf(rule.closes);
    const closes = closing <= opens ? closing + day / minute : closing;
    for (let each = first; each <= last; each++) {
      if (!isValid(rule, each)) continue;
      applies ||= each >= today;
      if (!rule.days.includes(weekdayOf(each))) continue;
      const begins = toInstant(each * day + opens * minute, 'first');
      const ends = toInstant(each * day + closes * minute, 'last');
      if (ends > begins) openings.push([begins, ends]);
    }
  }
  return applies || openings.some(([begins, ends]) => begins <= now && now < ends) ? openings : undefined;
}

/** `instantOf` between two times. Most of these days have one offset, and then it is a subtraction. */
function instantsBetween(
  timeZone: string,
  from: number,
  to: number,
): (shown: number, which: 'first' | 'last') => number {
  const offset = offsetAt(timeZone, from - day);
  const middle = offsetAt(timeZone, (from + to) / 2);
  return offset === middle && offset === offsetAt(timeZone, to + day)
    ? (shown) => shown - offset
    : (shown, which) => instantOf(timeZone, shown, which);
}

/** `HH:MM` as minutes after midnight. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Whether a rule applies to the openings that begin on a day. */
function isValid({ valid_from, valid_to }: OpeningHours, dayNumber: number): boolean {
  if (valid_from === undefined && valid_to === undefined) return true;
  const date = new Date(dayNumber * day).toISOString().slice(0, 10);
  return (valid_from === undefined || valid_from <= date) && (valid_to === undefined || date <= valid_to);
}
