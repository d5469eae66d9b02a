import { z } from 'zod';
import type { ImpersonalFields } from '../resource-fields.ts';
import { sourceDate } from '../source.ts';

/** What of a record grows old faster than its name. Each is confirmed with the record, or by itself. */
export const agingParts = ['hours', 'phones', 'places'] as const;
export const agingPart = z.enum(agingParts);
export type AgingPart = (typeof agingParts)[number];

/** The parts of a record as its fields have them. The phones and hours of its places count among the phones and hours. */
const partsOfFields: Readonly<Record<AgingPart, (fields: ImpersonalFields) => unknown>> = {
  hours: ({ hours, opening_hours, locations = [] }) => [
    hours,
    opening_hours,
    locations.map((location) => [location.hours, location.opening_hours]),
  ],
  phones: ({ phones, locations = [] }) => [phones, locations.map((location) => location.phones)],
  places: ({ locations = [] }) =>
    locations.map(({ hours: _hours, opening_hours: _rules, phones: _phones, ...place }) => place),
};

/** The parts of which two states of a record say different things. */
export const differingParts = (one: ImpersonalFields, other: ImpersonalFields): AgingPart[] =>
  agingParts.filter((part) => {
    const of = partsOfFields[part];
    return JSON.stringify(of(one)) !== JSON.stringify(of(other));
  });

/**
 * The parts that the source of a record has confirmed by themselves, each with the date that the source gives. It is all that the
 * source says of that: what is left out of a later one counts no more.
 */
export const sourceConfirmed = z
  .strictObject({
    hours: sourceDate.optional(),
    phones: sourceDate.optional(),
    places: sourceDate.optional(),
  } satisfies Record<AgingPart, z.ZodType>)
  .describe(
    'The parts that stand as the source says, and that were confirmed there by themselves, by the date that it gives. Absent: as before.',
  );
export type SourceConfirmed = z.output<typeof sourceConfirmed>;
