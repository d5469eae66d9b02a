import { z } from 'zod';
import { event, line, slug, stream, type EventOf } from '../define.ts';
import { organizationFields, orgId } from './organization-fields.ts';
import { resourceSource } from './resource.ts';

export { organizationFields, type OrganizationFields } from './organization-fields.ts';
export { orgId } from './organization-fields.ts';

const reason = line(2_000);
const name = line(300).describe('What it was called at that time.');

/** An organization that offers services. Its services name it by its id. No webhook tells of it. */
export const organizationStream = stream('organization', {
  OrganizationSubmitted: event(
    'An organization was submitted to a team’s directory. It waits for review.',
    z.strictObject({
      org_id: orgId,
      team: slug,
      source: resourceSource.optional(),
      fields: organizationFields,
    }),
  ),
  OrganizationApproved: event(
    'The organization was approved. It is public.',
    z.strictObject({ name, note: reason.optional() }),
  ),
  OrganizationRejected: event('The organization was rejected.', z.strictObject({ name, reason })),
  OrganizationRevised: event(
    'The fields of the organization were replaced.',
    z.strictObject({
      fields: organizationFields,
      from_source: z
        .literal(true)
        .optional()
        .describe('The fields are what the source says of it. Absent: a person changed them.'),
    }),
  ),
  OrganizationReadFromSource: event(
    'An import read what the source says of the organization, and not all of it was taken. The next import compares with it. What stands is unchanged.',
    z.strictObject({ fields: organizationFields }),
  ),
  OrganizationPersonErased: event(
    'What the organization said about a person was erased. The person’s data key is destroyed, so nobody can read what was sealed with it.',
    z.strictObject({ person: z.uuid() }),
  ),
  OrganizationDeactivated: event(
    'The public organization was taken out. It can be put back.',
    z.strictObject({
      name,
      reason: reason.optional(),
      /** Set when the source took it out. It is reactivated when the source brings it back. */
      at_source: z.literal(true).optional(),
    }),
  ),
  OrganizationReactivated: event(
    'The organization is public again. It was deactivated, or it waited for review once more and was approved.',
    z.strictObject({ name, note: reason.optional() }),
  ),
  OrganizationWithdrawn: event(
    'The organization was taken back before a person approved it: its source no longer has it, or its import was undone. If it comes back, it waits for review.',
    z.strictObject({ name, reason: reason.optional() }),
  ),
  OrganizationResubmitted: event(
    'The organization waits for review again: it was taken back, or the import that approved it was undone.',
    z.strictObject({ name }),
  ),
});
export type OrganizationEvent = EventOf<typeof organizationStream>;
