import { interruptionsWithoutPlace } from '../commands/webhooks/delivery.ts';
import { jitter, ownFaultRetry, retryAfterStretch } from './delivery-policy.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * When a delivery is attempted: the delay in milliseconds before each attempt, counted from the end of the
 * previous one. Twelve attempts over a little more than two days: the first three ride out a restart of the
 * receiver, the middle ones a deployment that went wrong, the last ones a weekend.
 */
export const schedule: readonly number[] = [
  0,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
  24 * hour,
];

export interface FailedAttempt {
  /** 1 for the first attempt of the chain. */
  readonly failedAttempt: number;
  /** When it failed. */
  readonly at: Date;
  /** From 0 up to, not including, 1. */
  readonly random: number;
  /** The receiver's Retry-After, if any (see `parseRetryAfter`). */
  readonly retryAfterSeconds?: number | undefined;
  /** Replaces the standard schedule, in tests and by the setting. */
  readonly delays?: readonly number[];
}

/**
 * When to try again, or null when that was the last attempt.
 *
 * Without a Retry-After: the delay of the table ± 20 %. With one: what was asked for, but no sooner than the
 * delay of the table and no later than twice that, plus up to 20 % within this bound. A receiver that asks for
 * time is never called early by jitter.
 */
export function nextAttempt({
  failedAttempt,
  at,
  random,
  retryAfterSeconds,
  delays = schedule,
}: FailedAttempt): Date | null {
  const delay = delays[failedAttempt];
  if (delay === undefined) return null;
  const wait =
    retryAfterSeconds === undefined
      ? delay * (1 - jitter + 2 * jitter * random)
      : Math.min(
          delay * retryAfterStretch,
          Math.max(delay, retryAfterSeconds * second) + delay * jitter * random,
        );
  return new Date(at.getTime() + Math.round(wait));
}

/**
 * When to try again after an interrupted attempt. It took no place in the schedule, so it is repeated after the delay of a
 * first retry. From the fourth in a row each takes a place. The last place is repeated, because a delivery does not fail
 * by an interruption.
 */
export function nextAfterInterruption({
  place,
  inRow,
  at,
  random,
  delays = schedule,
}: Pick<FailedAttempt, 'at' | 'random' | 'delays'> & {
  /** The attempts of the chain that took a place, without this one. */
  readonly place: number;
  /** The interrupted attempts in a row, with this one. */
  readonly inRow: number;
}): Date {
  const first = delays[1] ?? ownFaultRetry.firstMs;
  const delay = inRow <= interruptionsWithoutPlace ? first : (delays[place + 1] ?? delays.at(-1) ?? first);
  return new Date(at.getTime() + Math.round(delay * (1 - jitter + 2 * jitter * random)));
}

/**
 * The Retry-After field as seconds from `at` (RFC 9110, section 10.2.3): a number of seconds or an HTTP-date,
 * a date gone by being 0. Anything else is undefined, as if the field were not there.
 */
export function parseRetryAfter(value: string | undefined, at: Date): number | undefined {
  const field = value?.trim();
  if (field === undefined) return undefined;
  if (/^\d{1,9}$/.test(field)) return Number(field);
  const date = parseHttpDate(field, at);
  return date === undefined ? undefined : Math.max(0, (date - at.getTime()) / second);
}

/** The three forms a recipient must accept (RFC 9110, section 5.6.7): IMF-fixdate, RFC 850, asctime. */
const httpDates = [
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

function parseHttpDate(field: string, at: Date): number | undefined {
  for (const form of httpDates) {
    const { day, month, year, time } = form.exec(field)?.groups ?? {};
    if (!day || !month || !year || !time) continue;
    const fullYear = year.length === 2 ? centuryOf(Number(year), at) : year;
    const written = `${day.replace(' ', '0')} ${month} ${fullYear} ${time} GMT`;
    const parsed = new Date(written);
    // The parser turns 31 Feb into a day in March. So a date must be formatted the same way again.
    return Number.isNaN(parsed.getTime()) || parsed.toUTCString().slice(5) !== written
      ? undefined
      : parsed.getTime();
  }
  return undefined;
}

/** Two digits mean the year in this century, unless that is more than 50 years ahead (RFC 9110, section 5.6.7). */
function centuryOf(twoDigits: number, at: Date): number {
  const thisYear = at.getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
