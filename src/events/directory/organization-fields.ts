import { z } from 'zod';
import { line, paragraphs } from '../define.ts';
import { emailAddress, webAddress, contact, phones } from './contact.ts';
import {
  mostPersons,
  sealedFieldsOf,
  unsealedFieldsOf,
  type Field,
  type PersonalNameOf,
} from './field-table.ts';
import { location } from './location.ts';
import { uuidOf } from '../ids.ts';

/** `o_` + 16 hex digits: 12 checksum bits, then 52 bits of a number, as in a `svc_id`. */
export const orgId = z
  .string()
  .regex(/^o_[0-9a-f]{16}$/, { message: 'must be o_ and 16 hex digits' })
  .meta({ title: '`o_` and 16 hex digits' });

/** One field of an organization. */
export interface OrganizationField<Schema extends z.ZodType = z.ZodType> extends Field<Schema> {
  /** One more than the highest in this table (1 where absent). The read model of organizations is then built anew. */
  readonly version?: number;
}

/** By which an authority or another directory knows the organization. */
const identifier = z.strictObject({
  /** As its publisher calls it, such as `US-EIN`. */
  scheme: line(100).optional(),
  type: line(100).optional(),
  value: line(200),
});

/** What a directory says about one organization: Open Referral HSDS 3 "organization" in short form. */
export const organizationFieldTable = {
  name: { schema: line(300), tier: 'developer', required: true, hsdsColumn: 'name' },
  alternate_name: { schema: line(300), tier: 'developer', hsdsColumn: 'alternate_name' },
  description: { schema: paragraphs(10_000), tier: 'developer', always: true, hsdsColumn: 'description' },
  url: { schema: webAddress, tier: 'developer', always: true },
  additional_urls: { schema: z.array(webAddress).max(20), tier: 'developer' },
  /** Of the organization as a whole. A location has its own. */
  phones: { schema: phones, tier: 'developer', always: true },
  /** Its offices. Where its services are, these say themselves. */
  locations: { schema: z.array(location).max(200), tier: 'developer', always: true },
  identifiers: { schema: z.array(identifier).max(50), tier: 'developer' },
  year_incorporated: {
    schema: z.int().min(1_000).max(2_200),
    tier: 'developer',
    hsdsColumn: 'year_incorporated',
  },
  /** Such as "nonprofit" or "government". */
  legal_status: { schema: line(300), tier: 'developer', hsdsColumn: 'legal_status' },
  /** The organization of which it is a part. */
  parent: { schema: z.strictObject({ id: orgId.optional(), name: line(300) }), tier: 'developer' },
  email: { schema: emailAddress, tier: 'team', always: true },
  contacts: { schema: z.array(contact).max(mostPersons), tier: 'team', personal: true },
} as const satisfies Record<string, OrganizationField>;

type Table = typeof organizationFieldTable;
export type OrganizationFieldName = keyof Table;

/** The rows with their names, in the order in which they are shown. */
export const organizationFieldRows: readonly (OrganizationField & {
  readonly name: OrganizationFieldName;
})[] = Object.entries(organizationFieldTable).map(([name, row]) => ({
  ...row,
  name: name as OrganizationFieldName,
}));

/** The schema of the fields of an organization in events: what is about persons is sealed. */
export const organizationFields = sealedFieldsOf(organizationFieldTable);
export type OrganizationFields = z.output<typeof organizationFields>;

/** The fields that are about no person: the same, sealed or not. */
export type ImpersonalOrganizationFields = Omit<OrganizationFields, PersonalNameOf<Table>>;

/** The schema of the fields as they are given and shown: what is about persons is in clear. */
export const unsealedOrganizationFields = unsealedFieldsOf(organizationFieldTable);
export type UnsealedOrganizationFields = z.output<typeof unsealedOrganizationFields>;

/** The version of the read model that shows fields. */
export const organizationFieldsVersion = Math.max(...organizationFieldRows.map(({ version = 1 }) => version));

/** How a service names its organization. */
interface Named {
  readonly id?: string | undefined;
  readonly name: string;
  readonly url?: string | undefined;
}

/**
 * The UUID of an organization that is known by its name and its website alone: equal ones have the same. Before
 * organizations had records of their own, HSDS answers and exports called all of them by it.
 */
export const uuidOfNamed = ({ name, url }: Omit<Named, 'id'>): string =>
  uuidOf('hsds-organization', name, url ?? '');

/** By which the services of an organization are found: its id, else the UUID of what they call it. */
export const organizationKey = (organization: Named): string => organization.id ?? uuidOfNamed(organization);
