import { z } from 'zod';
import { agingParts } from '../../events/directory/upkeep/confirmation.ts';
import { flatMemberNames, flatMembers } from '../../events/directory/flat-members.ts';
import { contact } from '../../events/directory/contact.ts';
import { unknownValue, type Field } from '../../events/directory/field-table.ts';
import {
  personalRows,
  resourceFieldRows,
  type ResourceField,
} from '../../events/directory/resource-fields.ts';
import { statuses } from './list-query.ts';
import { facetNames } from './search/request.ts';

const time = z.iso.datetime();

const text = z.string().nullable();

const fieldsOf = (tier: ResourceField['tier']): Record<string, z.ZodType> =>
  shownFields(resourceFieldRows.filter((row) => row.tier === tier));

/** Fields as in responses. Those that are not always there are optional. */
export function shownFields(rows: readonly (Field & { readonly name: string })[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    rows.map((row) => {
      const shape = plain(row.schema);
      if (row.required) return [row.name, shape];
      if (!row.always) return [row.name, shape.optional()];
      return [row.name, unknownValue(row) === null ? shape.nullable() : shape];
    }),
  );
}

/** The schema without its checks: stored values were checked when they were recorded. */
function plain(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return plain(schema.in as z.ZodType);
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return z.string();
  if (schema instanceof z.ZodArray) return z.array(plain(schema.element as z.ZodType));
  if (schema instanceof z.ZodOptional) return plain(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodNumber) return z.number();
  if (!(schema instanceof z.ZodObject)) return schema;
  const shape = Object.entries<z.ZodType>((schema as z.ZodObject<Record<string, z.ZodType>>).shape);
  return z.object(Object.fromEntries(shape.map(([name, each]) => [name, plain(each)])));
}

const confirmation = z.object({
  on: z.string().describe('A year, a month, a day or a time in UTC, as precisely as it is known.'),
  by: z.enum(['source', 'team', 'agency']),
});
const confirmationOfPart = confirmation.partial({ on: true }).extend({
  changed: z
    .string()
    .describe(
      'Of a part that was confirmed and whose source says something else since: the day on which that was read. Then `on` is the date that the source gives, and absent where it gives none.',
    )
    .optional(),
});
const confirmed = confirmation
  .partial()
  .extend(Object.fromEntries(agingParts.map((part) => [part, confirmationOfPart.optional()])))
  .extend({
    stale: z
      .literal(true)
      .optional()
      .describe(
        'The confirmation of the whole record is too long ago. It is noticed within hours; see record.stale.',
      ),
  })
  .describe(
    'Who last confirmed that the record is right, and when; parts that were confirmed later, or changed by their source since, stand by themselves. Absent: nobody has.',
  );

const developerRecord = z.object({
  svc_id: z.string().describe('r_ and 16 hex digits; stable.'),
  ...fieldsOf('developer'),
  ...Object.fromEntries(
    flatMemberNames.map((name) => [name, text.describe(flatMembers[name].schema.description ?? '')]),
  ),
  updated_at: time,
  confirmed: confirmed.optional(),
  origin: z
    .object({
      directory: z.string().describe('The name of the proof log of that installation.'),
      svc_id: z.string(),
    })
    .optional()
    .describe('Of a record that another installation has and this one follows: where it was written first.'),
});
const teamFields = fieldsOf('team');

const ofTeam = { status: z.enum(statuses), team: z.string() };

/** The record in answers of the read endpoints. Its fields depend on the tier of the key. */
export const record = developerRecord.extend(
  z.object({ ...teamFields, ...ofTeam, submitted_at: time, review_note: text }).partial().shape,
);

/** The record in the answer that has it alone. */
export const oneRecord = record.extend({
  kept_by_agency: z
    .literal(true)
    .optional()
    .describe(
      'The people of its organization keep it: they have proven an address at its website, and its team has let them. Absent: nobody does. Only where one resource is read, not in lists.',
    ),
});

const facetCounts = z.array(z.object({ value: z.string(), count: z.int() }));

export const recordList = z.object({
  data: z.array(
    record.extend({
      distance_km: z.number().optional().describe('With near: to its nearest place.'),
      distance_approximate: z
        .literal(true)
        .optional()
        .describe(
          'Of that place only the postal code or the town is known, and the distance is to its middle.',
        ),
    }),
  ),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  more_may_match: z
    .literal(true)
    .optional()
    .describe(
      'The page ended before it was full, as many resources had been examined: go on with next_cursor.',
    ),
  partial_from: z
    .int()
    .optional()
    .describe(
      'From this place in data on, counted from 0, resources agree only in a part of q. Absent where all agree in all of it.',
    ),
  did_you_mean: z
    .string()
    .optional()
    .describe('q in a better spelling. Its results are in the list already.'),
  near: z
    .object({ latitude: z.number(), longitude: z.number(), radius_km: z.number() })
    .optional()
    .describe('Where near was found.'),
  facets: z.object(Object.fromEntries(facetNames.map((name) => [name, facetCounts.optional()]))).optional(),
});

/** The feed of changes. */
export const changeList = z.object({
  data: z.array(
    z.object({
      svc_id: z.string(),
      change: z.enum(['upsert', 'removed']),
      changed_at: time,
      record: record.optional().describe('The whole record, of an upsert.'),
    }),
  ),
  has_more: z.boolean(),
  cursor: z.string().describe('Where to go on, also when there is nothing new.'),
});

export const legacyList = z.object({
  data: z.array(developerRecord),
  has_more: z.boolean(),
  total: z.int().optional().describe('Absent where q matches more than 1,000, and near a place.'),
  near: z
    .object({ latitude: z.number(), longitude: z.number(), radius_km: z.number() })
    .nullable()
    .optional()
    .describe('Where the place is that was asked for. Null where nobody knows it.'),
});

/** A person whom a resource names or has named. */
export const personOfResource = z.object({
  id: z.string(),
  field: z.enum(personalRows.map(({ name }) => name)),
  standing: z.enum(['current', 'former', 'erased']),
  said: z
    .union([plain(contact), z.string(), z.null()])
    .describe('What the record says or last said. Null when the person is erased.'),
});

/** The record in answers of the writing endpoints. */
export const commandedRecord = developerRecord
  .omit({ updated_at: true })
  .extend({ ...teamFields, ...ofTeam });
