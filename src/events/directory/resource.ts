import { z } from 'zod';
import { category } from './category.ts';
import { event, line, slug, stream, type EventOf } from '../define.ts';
import { sourceConfirmed } from './upkeep/aging-parts.ts';
import { agingPart, confirmationData, pastConfirmation } from './upkeep/confirmation.ts';
import { resourceFields } from './resource-fields.ts';

export { resourceFields, type ResourceFields } from './resource-fields.ts';

/** `r_` + 16 hex digits: 12 checksum bits, then the 52 bits of the integer id (interface 2.1). */
export const svcId = z
  .string()
  .regex(/^r_[0-9a-f]{16}$/, { message: 'must be r_ and 16 hex digits' })
  .meta({ title: '`r_` and 16 hex digits' });

/** Where a record of another installation was written first. */
const recordOrigin = z.strictObject({
  directory: line(300).describe('The name of the proof log of the installation.'),
  svc_id: svcId.describe('Its id there.'),
});

/** Where an imported record comes from. (team, system, id) identifies it for good. */
export const resourceSource = z.strictObject({
  system: line(200),
  id: line(200),
  origin: recordOrigin
    .optional()
    .describe('Of a record of a followed directory: where it was written first.'),
});
export type ResourceSource = z.output<typeof resourceSource>;

const reason = line(2_000);
/**
 * What a webhook about this resource says (interface 2.8). The event carries it, so that no look-up is needed later.
 */
const announced = { svc_id: svcId, id: z.int().positive(), team: slug, name: line(300), category };

/** Of a change of a public record. Absent for other records. */
const announcedChange = z.strictObject(announced).optional();

/**
 * Imports did not say so before version 3: until they were merged, a record became what its source said. A person who
 * changes it has sent a form, which has a hash, or acts by a key. An import that merges is caused by its beginning.
 */
function markedFromSource(data: unknown, metadata: Readonly<Record<string, unknown>>): unknown {
  const { actor: by, command_id: command, causation_id: cause, request_hash: hash } = metadata;
  const { kind } = by as { readonly kind?: unknown };
  const isByImport = (kind === 'user' || kind === 'system') && hash === undefined && cause === command;
  return isByImport ? { ...(data as object), from_source: true } : data;
}

const merge = z.uuid().describe('The merge, which is the correlation of its events.');

export const resourceStream = stream('resource', {
  ResourceSubmitted: event(
    'A resource was submitted to a team’s directory. It waits for review.',
    z.strictObject({
      svc_id: svcId,
      id: z.int().positive(),
      team: slug,
      source: resourceSource.optional(),
      fields: resourceFields,
      source_confirmed: sourceConfirmed.optional(),
    }),
    2,
  ),
  ResourceApproved: event(
    'The submission was approved. The resource is public.',
    z.strictObject({ ...announced, note: reason.optional() }),
  ),
  ResourceRejected: event(
    'The submission was rejected.',
    z.strictObject({
      ...announced,
      reason,
      rejected_before: z
        .literal(true)
        .optional()
        .describe('The same submission was rejected before, and that was undone. No webhook is sent again.'),
    }),
  ),
  ResourceRevised: event(
    'The fields of the resource were replaced.',
    z.strictObject({
      fields: resourceFields,
      from_source: z
        .literal(true)
        .optional()
        .describe('The fields are what the source says of the record. Absent: a person changed them.'),
      unconfirmed: z
        .array(agingPart)
        .min(1)
        .optional()
        .describe('What people had confirmed and the source has changed: that confirmation has ended.'),
      confirmed: z
        .array(agingPart)
        .min(1)
        .optional()
        .describe(
          'What the person who changed the record changed of its hours, phones or places, and so has looked at: the team confirmed it on that day.',
        ),
      source_confirmed: sourceConfirmed.optional(),
      announced: announcedChange,
    }),
    3,
    { 2: markedFromSource },
  ),
  ResourceReadFromSource: event(
    'An import read what the source says of the record, and not all of it was taken, or it has confirmed parts by themselves. The next import compares with it. What stands is unchanged.',
    z.strictObject({ fields: resourceFields, source_confirmed: sourceConfirmed.optional() }),
  ),
  ResourcePersonErased: event(
    'What the resource said about a person was erased. The person’s data key is destroyed, so nobody can read what was sealed with it.',
    z.strictObject({ person: z.uuid() }),
  ),
  ResourceDeactivated: event(
    'The public resource was taken out. It can be put back.',
    z.strictObject({
      reason: reason.optional(),
      /** Set when the source deactivated it. The resource is reactivated when the source reactivates it. */
      at_source: z.literal(true).optional(),
      announced: announcedChange,
    }),
  ),
  ResourceReactivated: event(
    'The resource is public again. It was deactivated, or it waited for review once more and was approved.',
    z.strictObject({ announced: announcedChange, note: reason.optional() }),
  ),
  ResourceWithdrawn: event(
    'The resource was taken back before a person approved it: its source no longer has it, or its import was undone. If it comes back, it waits for review.',
    z.strictObject({ reason: reason.optional() }),
  ),
  ResourceResubmitted: event(
    'The resource waits for review again: it was taken back, the import or bulk action that decided about it was undone, or whoever submitted it has sent it again.',
    z.strictObject({
      sent_again: z.literal(true).optional().describe('Whoever submitted it has sent it again.'),
    }),
  ),
  ResourceConfirmed: event(
    'Somebody who knows said that the resource, or part of it, is still right. Nothing of it was changed.',
    confirmationData.extend({ announced: announcedChange }),
  ),
  ResourceConfirmationLapsed: event(
    'What was last said of the public resource as a whole is so long ago that it holds no more. It is said once of each confirmation.',
    z.strictObject({ confirmed: pastConfirmation, announced: announcedChange }),
  ),
  ResourceMerged: event(
    'The record was merged into another one of its team, of which it was a duplicate. It is public no more, and its address leads to the other one.',
    z.strictObject({ merged_into: svcId, merge, announced: announcedChange }),
  ),
  ResourceUnmerged: event(
    'The merge was undone. The record stands for itself again, as it did before.',
    z.strictObject({
      merge,
      status: z.enum(['submitted', 'approved', 'rejected', 'inactive']),
      announced: announcedChange,
    }),
  ),
  ResourceAbsorbed: event(
    'A duplicate was merged into the record. What the source of the duplicate says from now on is compared with this record.',
    z.strictObject({ duplicate: svcId, merge }),
  ),
  ResourceReleased: event(
    'A merge into the record was undone. The duplicate stands for itself again.',
    z.strictObject({ duplicate: svcId, merge }),
  ),
});
export type ResourceEvent = EventOf<typeof resourceStream>;
