const dayMs = 86_400_000;

/** Days and weeks are those of UTC, on every machine. `2026-11-29` */
export const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

/** When a day is over. */
export const endOfDay = (date: string): Date => new Date(Date.parse(`${date}T00:00:00Z`) + dayMs);

/** The week of a day (ISO 8601: from Monday to Sunday, of the year of its Thursday). `2026-W48` */
export function weekOf(date: string): string {
  const day = Date.parse(`${date}T00:00:00Z`);
  const thursday = new Date(day + (3 - ((new Date(day).getUTCDay() + 6) % 7)) * dayMs);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = 1 + Math.floor((thursday.getTime() - first) / (7 * dayMs));
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

/** Whether a text names a week that there is. */
export const isWeek = (text: string): boolean =>
  /^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/.test(text) && weekOf(mondayOf(text)) === text;

/** The Monday of a week, as a date. */
export function mondayOf(week: string): string {
  const [year = '', number = ''] = week.split('-W');
  // The fourth of January is always in the first week.
  const fourth = Date.UTC(Number(year), 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
  return dateOf(new Date(monday + (Number(number) - 1) * 7 * dayMs));
}

/** The week that is so many weeks before another one. */
export const weeksBefore = (week: string, count: number): string =>
  weekOf(dateOf(new Date(Date.parse(mondayOf(week)) - count * 7 * dayMs)));

/** The Sunday of a week, as a date. */
export const sundayOf = (week: string): string => dateOf(new Date(Date.parse(mondayOf(week)) + 6 * dayMs));

/** A day that is so many days after another one. */
export const daysAfter = (date: string, count: number): Date => new Date(Date.parse(date) + count * dayMs);
