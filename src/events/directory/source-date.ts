import { z } from 'zod';

/**
 * A date as precisely as a source knows it: a year, a month, a day, or an instant in UTC. ISO 8601, so that texts of the same
 * precision are in the order of time.
 */
export const sourceDate = z
  .string()
  .regex(/^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?)?)?$/, {
    message:
      'must be a year, a month, a day or a time in UTC, such as 2018, 2018-05, 2018-05-14 or 2018-05-14T09:30:00Z',
  })
  .refine((date) => isOnCalendar(date), { message: 'is no day of the calendar' })
  .meta({ title: 'year, month, day or time in UTC, ISO 8601' });

/** Whether the parts of a date are there on the calendar and on the clock. */
export function isOnCalendar(date: string): boolean {
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return false;
  const day = date.slice(0, 10);
  return at.toISOString().startsWith(day);
}
