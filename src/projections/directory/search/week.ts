import type { ImpersonalFields } from '../../../events/directory/resource-fields.ts';

/** What tells whether a resource is open, without the rest of its record. */
export type SearchWeek = Pick<ImpersonalFields, 'opening_hours' | 'time_zone' | 'availability'>;

/** As JSON, without notes. Undefined where the record has no structured opening hours. */
export function writtenWeek({ opening_hours = [], time_zone, availability }: SearchWeek): string | undefined {
  if (opening_hours.length === 0) return undefined;
  return JSON.stringify({
    opening_hours: opening_hours.map(({ note: _, ...rule }) => rule),
    time_zone,
    availability,
  });
}

export const readWeek = (week: string): SearchWeek => JSON.parse(week) as SearchWeek;
