import type { Weekday } from '../../events/directory/local-time.ts';
import type { OpeningHours } from '../../events/directory/opening-hours.ts';
import { confirmation } from '../hours/confirmed.ts';
import { inWordsAlone } from './attributes.ts';
import { entityId } from './ids.ts';
import { withoutEmpty } from './without-empty.ts';

const byday: Readonly<Record<Weekday, string>> = {
  mon: 'MO',
  tue: 'TU',
  wed: 'WE',
  thu: 'TH',
  fri: 'FR',
  sat: 'SA',
  sun: 'SU',
};

/** Whose schedule it is: the member of the schedule that names it. */
export type Scheduled = Readonly<
  { service_id: string } | { service_at_location_id: string } | { location_id: string }
>;

/**
 * The hours as schedules: a row for each rule of the week, and a row with the words that people read. Times are those of
 * the place, without an offset: the offset of summer is not that of winter.
 *
 * `place`: 0 for the service, else the number of the location.
 */
export function schedulesOf(
  svcId: string,
  owner: Scheduled,
  place: number,
  hours: string | undefined,
  openings: readonly OpeningHours[] = [],
) {
  const rules = openings.map(({ days, opens, closes, note, valid_from, valid_to }) => ({
    freq: 'WEEKLY',
    byday: days.map((day) => byday[day]).join(','),
    opens_at: opens,
    closes_at: closes,
    valid_from,
    valid_to,
    notes: note,
  }));
  const words = hours === undefined ? [] : [{ description: hours }];
  return [...rules, ...words].map((row, index) =>
    withoutEmpty({ id: entityId(svcId, 'schedule', place, index), ...owner, ...row }),
  );
}

/** Whether rows may be taken from the words, and whether the two were compared: the attribute `opening_hours`. */
export function hoursMark(of: {
  readonly hours?: string | undefined;
  readonly opening_hours?: readonly OpeningHours[] | undefined;
}): string | undefined {
  const { hours, opening_hours = [] } = of;
  if (hours === undefined) return undefined;
  return opening_hours.length === 0 ? inWordsAlone : confirmation(hours, opening_hours);
}
