import { z } from 'zod';
import type { CommandedOrganization } from '../../actions/directory/organizations.ts';
import { openPeople } from '../../commands/directory/sealed-people.ts';
import { organizationFieldRows, type OrganizationField } from '../../events/directory/organization-fields.ts';
import { sealedPeople, type SealedPeople } from '../../events/directory/people.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import {
  shownOrganization,
  type OrganizationDocument,
  type OrganizationView,
} from '../../projections/directory/organizations.ts';
import { statuses } from './list-query.ts';
import { shownFields } from './shapes.ts';

const time = z.iso.datetime();

const fieldsOf = (tier: OrganizationField['tier']) =>
  shownFields(organizationFieldRows.filter((row) => row.tier === tier));

/** An organization in answers. Its fields depend on the tier of the key. */
export const organizationRecord = z.object({
  org_id: z.string().describe('o_ and 16 hex digits; stable.'),
  ...fieldsOf('developer'),
  ...z.object(fieldsOf('team')).partial().shape,
  updated_at: time,
  team: z.string().optional().describe('In your own directory.'),
  status: z.enum(statuses).optional(),
  submitted_at: time.optional(),
  review_note: z.string().nullable().optional(),
});

/** Whose view it is: `stored` is that of those who manage the directory. */
export async function showOrganizations(
  personal: PersonalData,
  docs: readonly OrganizationDocument[],
  viewOf: (doc: OrganizationDocument) => OrganizationView,
): Promise<Record<string, unknown>[]> {
  const people = await openPeople(
    personal,
    docs.map((doc) => (viewOf(doc) === 'developer' ? {} : (JSON.parse(doc.people ?? '{}') as SealedPeople))),
  );
  return docs.map((doc, place) => {
    const { org_id, team, status, submitted_at, updated_at, review_note = null } = doc;
    const manages = viewOf(doc) === 'stored';
    return {
      org_id,
      ...shownOrganization(doc, viewOf(doc)),
      ...people[place],
      updated_at,
      ...(manages ? { team, status, submitted_at, review_note } : {}),
    };
  });
}

/** The answer to a command: the organization after it. */
export const commandedOrganization = organizationRecord.omit({ updated_at: true, submitted_at: true });

export async function showCommanded(
  personal: PersonalData,
  { organization: { org_id, team, status, fields } }: CommandedOrganization,
) {
  const [people] = await openPeople(personal, [sealedPeople(fields) ?? {}]);
  const { contacts: _, ...rest } = fields;
  return { org_id, ...shownOrganization({ fields: rest }, 'stored'), ...people, status, team } as z.output<
    typeof commandedOrganization
  >;
}
