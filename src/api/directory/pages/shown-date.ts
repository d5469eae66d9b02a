import type { Texts } from '../../pages/frame/texts.ts';

/** A day, or the day of an instant in UTC, as people write it in the language of the page. */
export function shownDate(date: string, { date: written, months }: Pick<Texts, 'date' | 'months'>): string {
  const at = new Date(date);
  const month = months[String(at.getUTCMonth() + 1) as keyof typeof months];
  return written({ day: at.getUTCDate(), month, year: at.getUTCFullYear() });
}

/** Beyond this many years the year alone matters. */
const monthsMatterFor = 3;

/** The month of a date, or its year where that is all that is known, or where it is long ago: "May 2026", "2018". */
export function shownPeriod(
  date: string,
  now: Date,
  { monthOfYear, months }: Pick<Texts, 'monthOfYear' | 'months'>,
): string {
  const at = new Date(date);
  const year = at.getUTCFullYear();
  if (date.length < 7 || now.getUTCFullYear() - year > monthsMatterFor) return String(year);
  return monthOfYear({ month: months[String(at.getUTCMonth() + 1) as keyof typeof months], year });
}
