import { type UnsealedOrganizationFields, uuidOfNamed } from '../../events/directory/organization-fields.ts';
import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import { Attributes } from './attributes.ts';
import { contactsOf } from './contacts.ts';
import { isEmail } from './email.ts';
import { entityId } from './ids.ts';
import { withoutEmpty } from './without-empty.ts';
import { locationOf } from './locations.ts';
import { phonesOf } from './phones.ts';
import { schedulesOf } from './schedules.ts';
import { foreignAddress, uriOf } from './uri.ts';

/** What of an organization is its own: the members of HSDS 3.1 "organization" without what belongs to it. */
export interface HsdsOrganization {
  readonly id: string;
  readonly name: string;
  /** HSDS requires it. Empty where it is unknown. */
  readonly description: string;
  readonly alternate_name?: string;
  readonly email?: string;
  readonly website?: string;
  readonly year_incorporated?: number;
  readonly legal_status?: string;
  readonly parent_organization_id?: string;
}

/** An organization as a reader sees it: fields of other tiers are absent, and so is what is confidential. */
export interface ExportedOrganization {
  readonly org_id: string;
  readonly fields: UnsealedOrganizationFields;
  /** Its id in the source from which it was imported. For the operator of the directory alone. */
  readonly source_id?: string | undefined;
}

/** The fields that every export of an organization has. */
export const exportedFields = [
  'name',
  'alternate_name',
  'description',
  'email',
  'url',
  'additional_urls',
  'phones',
  'identifiers',
  'year_incorporated',
  'legal_status',
] as const satisfies readonly (keyof UnsealedOrganizationFields)[];

/** The type of an identifier of which neither type nor scheme is known. */
export const noType = 'identifier';

/** The UUID of an organization that has a record. */
export const uuidOfOrganization = (orgId: string): string => entityId(orgId, 'organization');

/** What a service says of its organization. Equal ones without a record have the same id. */
export const namedOrganization = (
  organization: NonNullable<UnsealedFields['organization']>,
): HsdsOrganization => ({
  id: organization.id === undefined ? uuidOfNamed(organization) : uuidOfOrganization(organization.id),
  name: organization.name,
  description: '',
  ...withoutEmpty({ website: organization.url && uriOf(organization.url) }),
});

/** The organization as its services show it. */
export function organizationOf({ org_id, fields }: ExportedOrganization): HsdsOrganization {
  const { name, alternate_name, description = '', email, url, parent } = fields;
  return {
    id: uuidOfOrganization(org_id),
    name,
    description,
    ...withoutEmpty({
      alternate_name,
      email: isEmail(email) ? email : undefined,
      website: url && uriOf(url),
      year_incorporated: fields.year_incorporated,
      legal_status: fields.legal_status,
      parent_organization_id: parent?.id && uuidOfOrganization(parent.id),
    }),
  };
}

/** The same with all that belongs to it ("organization full" without its services, which are listed by its id). */
export function wholeOrganizationOf(exported: ExportedOrganization) {
  const { org_id, fields, source_id } = exported;
  const own = organizationOf(exported);
  const attributes = new Attributes(org_id);
  const owner = { organization_id: own.id };
  return {
    ...own,
    ...withoutEmpty({
      additional_websites: fields.additional_urls?.map((url, index) => {
        const id = entityId(org_id, 'additional_website', index);
        const written = attributes.present('url', id, { url: foreignAddress(url) });
        return { id, ...owner, url: uriOf(url), ...withoutEmpty({ attributes: written }) };
      }),
      phones: phonesOf(org_id, owner, 0, fields.phones, attributes),
      locations: fields.locations?.map((location, index) => {
        const location_id = entityId(org_id, 'location', index);
        return {
          ...locationOf(org_id, location_id, index, location, attributes),
          ...owner,
          ...withoutEmpty({
            phones: phonesOf(org_id, { location_id }, index + 1, location.phones, attributes),
            schedules: schedulesOf(
              org_id,
              { location_id },
              index + 1,
              location.hours,
              location.opening_hours,
            ),
          }),
        };
      }),
      organization_identifiers: fields.identifiers?.map(({ scheme, type, value }, index) => ({
        id: entityId(org_id, 'organization_identifier', index),
        ...owner,
        ...withoutEmpty({ identifier_scheme: scheme }),
        // HSDS requires a type.
        identifier_type: type ?? scheme ?? noType,
        identifier: value,
      })),
      contacts: contactsOf(org_id, owner, fields.contacts, attributes),
      attributes: attributes.present('organization', own.id, {
        url: foreignAddress(fields.url),
        email: isEmail(fields.email) ? undefined : fields.email,
        parent_organization: fields.parent?.name,
        source_id,
      }),
    }),
  };
}
export type WholeOrganization = ReturnType<typeof wholeOrganizationOf>;
