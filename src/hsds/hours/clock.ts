import { wholeDay } from './week.ts';

/** A time as somebody wrote it. */
export interface WrittenClock {
  readonly hour: number;
  readonly minute: number;
  /** `lost`: an m without its letter, as in `8:00m`. */
  readonly half?: 'am' | 'pm' | 'lost';
  /** Written as only a 24-hour clock is: `09:00`, `14:00`, `9h`. */
  readonly twentyFour: boolean;
}

export interface Span {
  readonly opens: number;
  /** Later than `opens`, by at most a day. */
  readonly closes: number;
}

const noon = 12 * 60;

/** `9`, `9am`, `9a`, `9:00 AM`, `9.30pm`, `830am`, `9h30`, `17:00 hrs`. Also two slips of real data: `9:0am`, `8:00m`. */
export const clockPattern =
  /(?<!\d[:.]?)(?:(?<short>\d{1,2})(?:(?<mark>[:.h])(?<minute>[0-5]\d|0)(?!\d)(?::[0-5]\d(?!\d))?)?(?<hours>\s?(?:hrs?|h|horas)(?![a-z]))?|(?<long>\d{3,4})(?=\s?[ap]))(?:(?<half>\s?[ap]m|[apm])(?![a-z]))?(?![a-z\d])/iy;

export function clockOf(match: RegExpExecArray | null): WrittenClock | undefined {
  const { short, mark, minute, hours, long, half } = match?.groups ?? {};
  const written = long === undefined ? short : long.slice(0, -2);
  if (written === undefined) return undefined;
  const clock = {
    hour: Number(written),
    minute: Number(long === undefined ? (minute ?? 0) : long.slice(-2)),
    twentyFour:
      /^0/.test(written) ||
      (Number(written) > 12 && minute !== undefined) ||
      hours !== undefined ||
      /h/i.test(mark ?? ''),
  };
  if (clock.minute > 59 || clock.hour > 24 || (clock.hour === 24 && clock.minute > 0)) return undefined;
  if (half === undefined) return clock;
  if (clock.hour < 1 || clock.hour > 12) return undefined;
  return { ...clock, half: /^m$/i.test(half) ? 'lost' : /a/i.test(half) ? 'am' : 'pm' };
}

export const noonClock: WrittenClock = { hour: 12, minute: 0, half: 'pm', twentyFour: false };
export const midnightClock: WrittenClock = { hour: 12, minute: 0, half: 'am', twentyFour: false };

/** How the times of a text are to be read. */
export interface Manner {
  /** Times without am and pm are those of a 24-hour clock. */
  readonly twentyFour: boolean;
  /** It says that the end is on the next day. */
  readonly nextDay: boolean;
}

/**
 * The opening between two written times. Undefined where it would have to be guessed.
 *
 * - Both with am or pm, or both of a 24-hour clock: as written.
 * - am or pm after the second alone counts for both, if that is in order: `1-5pm`, `9-11pm`; else the first is in the
 *   other half of the day: `9-5pm`, `11-2am`. Before midnight (`8-12am`) both are possible: undefined.
 * - am or pm after the first alone: the second is the next such time: `9am-5`, `8pm-2`.
 * - Neither: only what the day tells: from 7 to 11 past noon (`9-5`, `8:30-12`), from 10 to noon (`10-11:30`), from noon
 *   (`12-4`), from 1 to 4 in the afternoon (`1-5`). `8-10` and `6-8` may be in the morning or in the evening: undefined.
 * - A letter lost before the m: only if one of the two readings ends later than it begins.
 *
 * Past midnight is a night: it begins at noon or later, ends by the next noon, and lasts at most 16 hours. Everything
 * else that ends before it begins (`10:00pm-6:00pm`, `9:00am-5:00am`) is more likely a slip, unless it says that it
 * ends on the next day. Equal times are a whole day from midnight to midnight alone.
 */
export function spanOf(from: WrittenClock, to: WrittenClock, manner: Manner): Span | undefined {
  const found = timesOf(from, to, manner);
  if (found === undefined || found.opens >= wholeDay) return undefined;
  const { opens } = found;
  const closes = found.closes <= opens ? found.closes + wholeDay : found.closes;
  if (closes <= wholeDay) return manner.nextDay && closes < wholeDay ? undefined : { opens, closes };
  return manner.nextDay || isNight(opens, closes) ? { opens, closes } : undefined;
}

/** Past midnight, and yet no slip; see `spanOf`. */
export const isNight = (opens: number, closes: number): boolean =>
  opens >= noon && closes <= wholeDay + noon && closes - opens <= 16 * 60;

function timesOf(from: WrittenClock, to: WrittenClock, manner: Manner): Span | undefined {
  if (from.half === 'lost' || to.half === 'lost') return withLostLetter(from, to);
  if (from.half !== undefined && to.half !== undefined) return { opens: inHalf(from), closes: inHalf(to) };
  if (to.half !== undefined) return firstWithoutHalf(from, to);
  if (from.half !== undefined) {
    const opens = inHalf(from);
    if (to.hour > 12 || to.hour === 0) return { opens, closes: asWritten(to) };
    const closes = (to.hour % 12) * 60 + to.minute;
    return { opens, closes: [closes, closes + noon, closes + wholeDay].find((time) => time > opens) ?? 0 };
  }
  const written = { opens: asWritten(from), closes: asWritten(to) };
  if (manner.twentyFour || isBeyondTwelve(from) || isBeyondTwelve(to)) return written;
  if (manner.nextDay) return from.hour >= 10 && to.hour >= 10 ? written : undefined;
  return withoutHalves(written);
}

/** Its minutes since midnight. Undefined for a clock whose am or pm is lost. */
export const minutesOf = (clock: WrittenClock): number | undefined =>
  clock.half === 'lost' ? undefined : clock.half === undefined ? asWritten(clock) : inHalf(clock);

const asWritten = ({ hour, minute }: WrittenClock): number => hour * 60 + minute;
const isBeyondTwelve = ({ hour }: WrittenClock): boolean => hour > 12 || hour === 0;

function inHalf({ hour, minute, half }: WrittenClock): number {
  return (hour % 12) * 60 + minute + (half === 'pm' ? noon : 0);
}

function firstWithoutHalf(from: WrittenClock, to: WrittenClock): Span | undefined {
  const closes = inHalf(to);
  if (isBeyondTwelve(from)) return { opens: asWritten(from), closes };
  if (closes === 0) return undefined;
  const [same, other] = to.half === 'am' ? (['am', 'pm'] as const) : (['pm', 'am'] as const);
  const opens = inHalf({ ...from, half: same });
  return { opens: opens < closes ? opens : inHalf({ ...from, half: other }), closes };
}

function withLostLetter(from: WrittenClock, to: WrittenClock): Span | undefined {
  const readings = (clock: WrittenClock): number[] =>
    clock.half === 'lost'
      ? [inHalf({ ...clock, half: 'am' }), inHalf({ ...clock, half: 'pm' })]
      : clock.half === undefined
        ? []
        : [inHalf(clock)];
  if (from.half === to.half) return undefined;
  const orderly = readings(from).flatMap((opens) =>
    readings(to).flatMap((closes) => (opens < closes ? [{ opens, closes }] : [])),
  );
  return orderly.length === 1 ? orderly[0] : undefined;
}

function withoutHalves({ opens, closes }: Span): Span | undefined {
  const afternoon = (time: number): number => (time < noon ? time + noon : time);
  if (opens >= 7 * 60 && opens < noon) {
    if (closes <= opens || closes >= noon) return { opens, closes: afternoon(closes) };
    return opens >= 10 * 60 ? { opens, closes } : undefined;
  }
  const early = opens < 5 * 60;
  if (!early && opens < noon) return undefined;
  const span = { opens: afternoon(opens), closes: afternoon(closes) };
  return span.opens < span.closes && (opens >= noon || closes < noon) ? span : undefined;
}
