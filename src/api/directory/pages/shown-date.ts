import type { Texts } from '../../pages/frame/texts.ts';

/** A day, or the day of an instant in UTC, as people write it in the language of the page. */
export function shownDate(date: string, { date: written, months }: Pick<Texts, 'date' | 'months'>): string {
  const at = new Date(date);
  const month = months[String(at.getUTCMonth() + 1) as keyof typeof months];
  return written({ day: at.getUTCDate(), month, year: at.getUTCFullYear() });
}
