import { z } from 'zod';
import { isTimeZone, timeZoneMessage } from '../../tables/time-zone.ts';
import { line } from '../define.ts';
import { weekdays } from './local-time.ts';

const days = z
  .array(z.enum(weekdays, { message: `must be one of ${weekdays.join(', ')}` }))
  .min(1)
  .max(weekdays.length)
  .describe('from Monday to Sunday, each once')
  .transform((chosen) => weekdays.filter((day) => chosen.includes(day)));

const time = (pattern: RegExp, message: string) =>
  z.string().regex(pattern, { message }).meta({ title: '`HH:MM`' });

export const isoDate = z.iso
  .date({ message: 'must be a date such as 2026-03-31' })
  .meta({ title: 'date, ISO 8601' });

/**
 * One rule of the regular week: open on these days from `opens` to `closes`.
 *
 * Times are what the clock on the wall shows at the place; `time_zone` of the resource names the zone. They are the same
 * in summer and in winter. Of a time that daylight saving skips, the moment of the change is meant; of a time that comes
 * twice, the first for `opens` and the second for `closes`.
 *
 * When `closes` is at or before `opens`, it is a time of the next day: 22:00 to 06:00 ends on the next morning, 09:00 to
 * 09:00 after 24 hours. Such an opening belongs to the day on which it begins, also for `valid_from` and `valid_to`. The
 * midnight that ends a day is 24:00; 00:00 as `closes` means the same.
 *
 * The rules tell openings that are sure. There may be others, and there are exceptions: those of public holidays, and of
 * days of the month, are in the text of `hours` alone.
 */
export const openingHours = z
  .strictObject({
    days,
    opens: time(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59'),
    /** At or before `opens`: on the next day. */
    closes: time(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:00 to 24:00'),
    note: line(300).optional(),
    /** The first day on which the rule applies. */
    valid_from: isoDate.optional(),
    /** The last day on which the rule applies. */
    valid_to: isoDate.optional(),
  })
  .refine(
    ({ valid_from, valid_to }) =>
      valid_from === undefined || valid_to === undefined || valid_from <= valid_to,
    { message: 'ends before it begins: valid_to is before valid_from' },
  );
export type OpeningHours = z.output<typeof openingHours>;

export const timeZone = z.string().max(60).refine(isTimeZone, { message: timeZoneMessage });

/** A distance from UTC. */
export const utcOffset = z
  .string()
  .regex(/^[+-](0\d|1[0-4]):[0-5]\d$/, { message: 'must be a distance from UTC such as -05:00' })
  .meta({ title: '`±HH:MM`' });
