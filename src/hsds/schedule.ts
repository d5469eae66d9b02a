import { cleanLine, compareText } from './text.ts';

/** One row of `schedules` (3.x) or `regular_schedules` (1.1) as text. */
export interface ScheduleEntry {
  /** A weekday (1.1) or an RFC 5545 BYDAY list such as `MO,TU` or `1SA` (3.x). */
  readonly days: string;
  readonly frequency: string;
  readonly interval: string;
  readonly opens: string;
  readonly closes: string;
  /** The hours as the publisher wrote them. */
  readonly words: string;
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const ordinals: Readonly<Record<string, string>> = {
  '1': '1st',
  '2': '2nd',
  '3': '3rd',
  '4': '4th',
  '5': '5th',
  '-1': 'last',
};

/**
 * Opening hours as one line, such as `Mon–Fri 07:30–18:00; Sat 09:00–12:00`. The order of the entries does not
 * matter. When the times of an entry cannot be read, the publisher's own text is used instead. Without entries: ''.
 */
export function hoursText(entries: readonly ScheduleEntry[]): string {
  const slots = entries.map(slotsOf);
  const words = wordsOf(entries);
  const readable = slots.every((found) => found !== undefined) && slots.some((found) => found.length > 0);
  if (readable) return condense(slots.flat());
  if (words !== '') return words;
  return condense(slots.flatMap((found) => found ?? []));
}

/** One opening on one day. `order` sorts weekdays before days of the month. */
interface Slot {
  readonly day: string;
  readonly order: number;
  readonly times: string;
}

/** The slots of an entry. Empty when it has no times, undefined when they cannot be read. */
function slotsOf(entry: ScheduleEntry): Slot[] | undefined {
  if (entry.opens === '' && entry.closes === '') return [];
  const opens = timeOf(entry.opens);
  const closes = timeOf(entry.closes);
  const days = daysOf(entry);
  if (opens === undefined || closes === undefined || !days) return undefined;
  const times = `${opens}–${closes === '00:00' ? '24:00' : closes}`;
  return days.map(({ day, order }) => ({ day, order, times }));
}

function daysOf({ days, frequency, interval }: ScheduleEntry): Omit<Slot, 'times'>[] | undefined {
  const often = frequency.toUpperCase();
  if (!/^1?$/.test(interval) || !['', 'DAILY', 'WEEKLY', 'MONTHLY'].includes(often)) return undefined;
  if (days === '') return often === 'DAILY' ? dayNames.map((day, order) => ({ day, order })) : undefined;
  const found = days.split(/[\s,;/]+/).map((day) => dayOf(day, often));
  return found.every((day) => day !== undefined) ? found : undefined;
}

function dayOf(written: string, often: string): Omit<Slot, 'times'> | undefined {
  // HSDS 1.1 also numbers weekdays, from Monday = 1.
  if (/^[1-7]$/.test(written))
    return { day: dayNames[Number(written) - 1] ?? '', order: Number(written) - 1 };
  const [, nth = '', name = ''] = /^(-?\d)?([a-z]{2,9})\.?$/i.exec(written) ?? [];
  const weekday = dayNames.findIndex(
    (day) => name.length >= 2 && day.toLowerCase().startsWith(name.slice(0, 3).toLowerCase()),
  );
  const day = dayNames[weekday];
  if (day === undefined) return undefined;
  if (nth === '') return often === 'MONTHLY' ? undefined : { day, order: weekday };
  const ordinal = ordinals[nth];
  if (ordinal === undefined) return undefined;
  return { day: `${ordinal} ${day} of the month`, order: 10 * (nth === '-1' ? 6 : Number(nth)) + weekday };
}

/** `7:30am`, `07:30`, `07:30:00`, `07:30:00+02:00` or `730am` as `07:30`, in the time zone of the place. */
function timeOf(written: string): string | undefined {
  const match =
    /^(\d{1,2})(?::?(\d{2}))?(?::\d{2}(?:\.\d+)?)?\s*(?:([ap])\.?m\.?)?\s*(?:z|[+-]\d{2}:?\d{2})?$/i.exec(
      written,
    );
  if (!match) return undefined;
  const [, hours = '', minutes = '00', half = ''] = match;
  let hour = Number(hours);
  if (half !== '') {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  if (hour > 24 || Number(minutes) > 59 || (hour === 24 && minutes !== '00')) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

function condense(slots: readonly Slot[]): string {
  const days = new Map<number, { day: string; times: Set<string> }>();
  for (const { day, order, times } of slots) {
    const known = days.get(order) ?? { day, times: new Set() };
    known.times.add(times);
    days.set(order, known);
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

/** The publisher's own texts, each once, those of Monday first. */
function wordsOf(entries: readonly ScheduleEntry[]): string {
  const first = new Map<string, number>();
  for (const entry of entries) {
    const words = cleanLine(entry.words);
    const order = Math.min(...(daysOf({ ...entry, interval: '' }) ?? []).map((day) => day.order), 99);
    if (words !== '') first.set(words, Math.min(order, first.get(words) ?? 99));
  }
  return [...first]
    .sort(([left, leftOrder], [right, rightOrder]) => leftOrder - rightOrder || compareText(left, right))
    .map(([words]) => words)
    .join('; ');
}
