import { isOnCalendar } from '../../events/directory/source.ts';

/**
 * A date as its source writes it, as precisely as it is sure: a year, a month, a day, or an instant in UTC. Undefined when
 * it is no date.
 *
 * - A time without an offset is taken as UTC; midnight is a day without a time.
 * - Of `5/6/2018` only the year is sure: it is May 6 in one country and June 5 in another.
 */
export function sourceDateOf(written: string): string | undefined {
  const text = written.trim();
  const date = isoDateOf(text) ?? slashedDateOf(text) ?? wordedDateOf(text);
  return date !== undefined && isOnCalendar(date) ? date : undefined;
}

function isoDateOf(text: string): string | undefined {
  if (/^\d{4}(-\d{2})?$/.test(text)) return text;
  const found =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9}))? ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i.exec(
      text,
    );
  const [, day = '', minutes, seconds = ':00', fraction = '', offset = 'Z'] = found ?? [];
  if (!found) return undefined;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  if (minutes === undefined || (minutes + seconds === '00:00:00' && milliseconds === '000')) return day;
  const at = new Date(`${day}T${minutes}${seconds}.${milliseconds}${offsetOf(offset)}`);
  if (Number.isNaN(at.getTime()) || !isOnCalendar(day)) return undefined;
  return at.toISOString().replace('.000Z', 'Z');
}

/** `+02`, `+0200` and `UTC` as ISO 8601 writes them. */
function offsetOf(written: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(written) ?? [];
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}

function slashedDateOf(text: string): string | undefined {
  const [, first = '', second = '', year = ''] =
    /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:,? \d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?)?$/i.exec(text) ?? [];
  if (year === '') return undefined;
  const [one, other] = [Number(first), Number(second)];
  if (one > 12) return dayOf(year, other, one);
  if (other > 12 || one === other) return dayOf(year, one, other);
  return one >= 1 && other >= 1 ? year : undefined;
}

/** `May 14, 2018`, `14 May 2018`, `May 2018`. */
function wordedDateOf(text: string): string | undefined {
  const [, word = '', day, year = ''] =
    /^([a-z]{3,9})\.?(?: (\d{1,2})(?:st|nd|rd|th)?)?,? (\d{4})$/i.exec(
      text.replace(/^(\d{1,2})(?:st|nd|rd|th)? ([a-z]+)/i, '$2 $1'),
    ) ?? [];
  const month = months.findIndex((name) => word.length >= 3 && name.startsWith(word.toLowerCase())) + 1;
  if (month === 0) return undefined;
  return day === undefined ? `${year}-${twoDigits(month)}` : dayOf(year, month, Number(day));
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const dayOf = (year: string, month: number, day: number): string =>
  `${year}-${twoDigits(month)}-${twoDigits(day)}`;
const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** The date as HSDS writes one: an instant. What is not known of it is the beginning. */
export const instantOf = (date: string): string =>
  date.length > 10 ? date : `${date}${'-01-01'.slice(date.length - 4)}T00:00:00Z`;
