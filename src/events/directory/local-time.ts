/** The days of the week, as they are stored. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

export const minute = 60_000;
export const day = 86_400_000;
/** Daylight saving begins and ends at whole quarters of an hour. */
const quarter = 15 * minute;
/** The most offsets that are kept for a zone: about three weeks of quarters, or years of the days around them. */
const kept = 2_000;

interface Zone {
  readonly clock: Intl.DateTimeFormat;
  /** Offsets in milliseconds by quarter of an hour since 1970. */
  readonly offsets: Map<number, number>;
}

/** By name. There are about 600 zones. Making a formatter takes 50 µs, and asking it 1 µs. */
const zones = new Map<string, Zone>();

/**
 * How far the clock at a place is ahead of UTC, in milliseconds.
 * @throws RangeError when there is no such zone
 */
export function offsetAt(timeZone: string, instant: number): number {
  const zone = zones.get(timeZone) ?? opened(timeZone);
  const place = Math.floor(instant / quarter);
  const cached = zone.offsets.get(place);
  if (cached !== undefined) return cached;
  if (zone.offsets.size >= kept) zone.offsets.clear();
  const offset = shownAt(zone.clock, place * quarter) - place * quarter;
  zone.offsets.set(place, offset);
  return offset;
}

function opened(timeZone: string): Zone {
  // Not by `timeZoneName: 'longOffset'`, which browsers before 2022 do not know: the widget runs this code too.
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const zone = { clock, offsets: new Map<number, number>() };
  zones.set(timeZone, zone);
  return zone;
}

/** What a clock shows, `11/22/2026, 19:00:00`, as if it were in UTC. */
function shownAt(clock: Intl.DateTimeFormat, instant: number): number {
  const [month = 1, date = 1, year = 1970, hours = 0, minutes = 0, seconds = 0] = (
    clock.format(instant).match(/\d+/g) ?? []
  ).map(Number);
  return Date.UTC(year, month - 1, date, hours % 24, minutes, seconds);
}

/**
 * The instant at which the clock at a place shows a time. `shown`: that time, as if it were in UTC. Of a time that
 * comes twice, the `first` or the `last`; of one that is skipped, the moment of the change.
 */
export function instantOf(timeZone: string, shown: number, which: 'first' | 'last'): number {
  // No zone is a day ahead of UTC or behind it, so the change, if there is one, is between these two.
  const before = offsetAt(timeZone, shown - day);
  const after = offsetAt(timeZone, shown + day);
  if (before === after) return shown - before;
  const [early, late] = [shown - before, shown - after];
  const isEarly = offsetAt(timeZone, early) === before;
  const isLate = offsetAt(timeZone, late) === after;
  if (isEarly && isLate) return which === 'first' ? Math.min(early, late) : Math.max(early, late);
  if (isEarly) return early;
  if (isLate) return late;
  return changeBetween(timeZone, Math.min(early, late), Math.max(early, late));
}

/** The moment after `from` at which the offset changes. */
function changeBetween(timeZone: string, from: number, to: number): number {
  const old = offsetAt(timeZone, from);
  let [low, high] = [Math.floor(from / quarter), Math.ceil(to / quarter)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(timeZone, middle * quarter) === old) low = middle;
    else high = middle;
  }
  return high * quarter;
}

/** 1970-01-01 was a Thursday. */
const firstWeekday = weekdays.indexOf('thu');

/** The day of the week of a day, counted from 1970-01-01. */
export const weekdayOf = (dayNumber: number): Weekday =>
  weekdays[(((dayNumber + firstWeekday) % 7) + 7) % 7] as Weekday;

/** The day, counted from 1970-01-01, and the minute that the clock at a place shows at an instant. */
export function clockAt(
  timeZone: string,
  instant: Date,
): { readonly day: number; readonly weekday: Weekday; readonly minutes: number } {
  const shown = instant.getTime() + offsetAt(timeZone, instant.getTime());
  const dayNumber = Math.floor(shown / day);
  return {
    day: dayNumber,
    weekday: weekdayOf(dayNumber),
    minutes: Math.floor((shown - dayNumber * day) / minute),
  };
}
