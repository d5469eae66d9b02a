import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import { instantOf, offsetAt } from '../../events/directory/local-time.ts';
import { anyRegion, regions, type Clock } from '../../tables/shown-time.ts';
import { isTimeZone } from '../../tables/time-zone.ts';

/** Set by the script of the dashboard, which asks the browser. It is read as what anybody may have written. */
export const zoneCookie = 'commonweal-zone';

/**
 * How the reader of a page reads times: in the zone that the browser has named, else in one that the text names.
 * `otherwise`: the zone of the team or of the installation.
 */
export function readerClockOf(
  { cookies, headers }: Pick<FastifyRequest, 'cookies' | 'headers'>,
  otherwise: string | undefined,
): Clock {
  const named = zoneIn(cookies[zoneCookie]);
  return {
    locale: regionIn(headers['accept-language']),
    zone: named ?? otherwise ?? 'UTC',
    namesZone: named === undefined,
  };
}

/** The zone that the browser has named. */
export const zoneIn = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= 60 && isTimeZone(text) ? text : undefined;

/** The region of the first English that the browser asks for: pages are in English, dates in the form of a region. */
function regionIn(accepted = ''): string {
  const requested = /(?:^|,)\s*(en-[A-Z]{2})\b/i.exec(accepted)?.[1]?.toLowerCase();
  return regions.find((each) => each.toLowerCase() === requested) ?? anyRegion;
}

const current = new AsyncLocalStorage<Clock>();

/**
 * Every time on a page is written for one reader, whom each part of a page would otherwise have to pass on to each of its
 * parts only for that.
 */
export const withClock = <Result>(clock: Clock, work: () => Result): Result => current.run(clock, work);

/** Of the reader of the page that is being made. */
export const readerClock = (): Clock =>
  current.getStore() ?? { locale: anyRegion, zone: 'UTC', namesZone: true };

/** Says in which zone times are typed, to a reader whose browser has not named its own. */
export function zoneHint(): string | undefined {
  const { zone, namesZone } = readerClock();
  return namesZone ? `In the time zone ${zone}.` : undefined;
}

/** The first instant of a day of the reader, YYYY-MM-DD. A day that a month does not have: undefined. */
export function dayBegins(day: string): Date | undefined {
  const shown = shownAs(`${day}T00:00`);
  return shown === undefined ? undefined : new Date(instantOf(readerClock().zone, shown, 'first'));
}

/** The last millisecond of a day of the reader. */
export function dayEnds(day: string): Date | undefined {
  const shown = shownAs(`${day}T00:00`);
  const next = shown === undefined ? undefined : instantOf(readerClock().zone, shown + dayMs, 'first');
  return next === undefined ? undefined : new Date(next - 1);
}

const dayMs = 86_400_000;

const typedForm = /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)\s*(Z|UTC)?)?$/;

/**
 * The instant of what a reader has typed: a day, or a day and a time of day, as a field for both sends it. With `Z` or
 * `UTC` behind it, it is in UTC.
 */
export function instantTyped(text: string): Date | undefined {
  const [, day, clock = '00:00', utc] = typedForm.exec(text) ?? [];
  const shown = day === undefined ? undefined : shownAs(`${day}T${clock}`);
  if (shown === undefined) return undefined;
  return new Date(utc === undefined ? instantOf(readerClock().zone, shown, 'first') : shown);
}

/** The day that the reader has at an instant, YYYY-MM-DD. */
export const readerDay = (at: Date): string => localTime(at).slice(0, 10);

/** What the reader's clock shows at an instant, as a field for a date and a time takes it: 2026-01-31T17:00. */
export const localTime = (at: Date): string =>
  new Date(at.getTime() + offsetAt(readerClock().zone, at.getTime())).toISOString().slice(0, 16);

/** What a clock shows, as if it were in UTC. Undefined for a day or a time that there is not. */
function shownAs(text: string): number | undefined {
  const at = new Date(`${text}Z`);
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(text.slice(0, 10))
    ? undefined
    : at.getTime();
}
