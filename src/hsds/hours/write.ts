import type { OpeningHours } from '../../events/directory/opening-hours.ts';
import { isNight } from './clock.ts';
import { headingOf } from './heading.ts';
import { tokensOf } from './tokens.ts';
import { clockText, openingsOf, sectionsOf, wholeDay, type Opening, type Section } from './week.ts';

/** An opening on a day that the reader sees by its name: a weekday, or a day of the month. */
export interface Slot {
  readonly day: string;
  /** Weekdays from 0, Monday; days of the month come after them. */
  readonly order: number;
  readonly times: string;
  readonly section: Section;
}

export const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/**
 * Opening hours for people: `Mon–Fri 07:30–18:00; Sat 09:00–12:00`. What has a note, or dates, is a line of its own:
 * `Food pantry, 2026-06-01 to 2026-08-31: Tue 10:00–11:00`. `readHours` reads it.
 */
export const writeHours = (rows: readonly OpeningHours[]): string => writeOpenings(openingsOf(rows));

export const writeOpenings = (openings: readonly Opening[]): string => writeSlots(openings.map(slotOf));

export const slotOf = ({ day, opens, closes, section }: Opening): Slot => ({
  day: dayNames[day] ?? '',
  order: day,
  times: timesText(opens, closes),
  section,
});

/** `22:00–06:00`. That it ends on the next day is said where the times do not tell it. */
function timesText(opens: number, closes: number): string {
  return `${clockText(opens)}–${clockText(closes)}${closes <= wholeDay || isNight(opens, closes) ? '' : ' the next day'}`;
}

export function writeSlots(slots: readonly Slot[]): string {
  return sectionsOf(slots)
    .map(([section, those]) => {
      const heading = headingOf(section, (line) => tokensOf(line, line));
      return heading === '' ? condensed(those) : `${heading}: ${condensed(those)}`;
    })
    .join('\n');
}

function condensed(slots: readonly Slot[]): string {
  const days = new Map<number, { day: string; times: Set<string> }>();
  for (const { day, order, times } of slots) {
    const listed = days.get(order) ?? { day, times: new Set() };
    listed.times.add(times);
    days.set(order, listed);
  }
  const groups = new Map<string, number[]>();
  for (const order of [...days.keys()].sort((left, right) => left - right)) {
    const times = [...(days.get(order)?.times ?? [])].sort().join(', ');
    groups.set(times, [...(groups.get(times) ?? []), order]);
  }
  return [...groups]
    .map(([times, orders]) => `${dayRanges(orders, (order) => days.get(order)?.day ?? '')} ${times}`)
    .join('; ');
}

/** `Mon–Fri, Sun`: three or more consecutive days are a range. */
function dayRanges(orders: readonly number[], nameOf: (order: number) => string): string {
  const runs: number[][] = [];
  for (const order of orders) {
    const run = runs.at(-1);
    if (run && order < dayNames.length && run.at(-1) === order - 1) run.push(order);
    else runs.push([order]);
  }
  return runs
    .flatMap((run) =>
      run.length < 3 ? run.map(nameOf) : [`${nameOf(run[0] ?? 0)}–${nameOf(run.at(-1) ?? 0)}`],
    )
    .join(', ');
}
