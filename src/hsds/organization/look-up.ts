import { isOnly } from '../service-rows.ts';
import type { RelatedRows, Row } from '../source/related-rows.ts';

/** Looks up all rows from which `organizations.ts` may make the record of an organization: see `row-digests.ts`. */
export function lookUpOrganization(related: RelatedRows, row: Row): void {
  const id = row.cell('id');
  related.rowOf('organizations', id);
  related.rowOf('organizations', row.cell('parent_organization_id'));
  related.belongingTo('urls', 'organization_id', id);
  related.belongingTo('organizationIdentifiers', 'organization_id', id);
  const offices = related.rowsOf('locations', 'organization_id', id);
  if (offices.length === 1) isOnly(related, 'services', 'organization_id', id);
  for (const office of offices) {
    const location = office.cell('id');
    related.rowsOf('servicesAtLocations', 'location_id', location);
    related.rowsOf('services', 'location_id', location);
    for (const table of ['addresses', 'physicalAddresses', 'postalAddresses'] as const)
      related.rowsOf(table, 'location_id', location);
  }
  lookUpPhonesAndContacts(
    related,
    [...related.belongingTo('phones', 'organization_id', id)],
    related.belongingTo('contacts', 'organization_id', id),
  );
}

/** The rows that phones and contact persons are made from. */
export function lookUpPhonesAndContacts(related: RelatedRows, phones: Row[], persons: readonly Row[]): void {
  for (const person of persons) {
    const id = person.cell('id');
    phones.push(...related.belongingTo('phones', 'contact_id', id));
    related.rowsOf('attributes', 'link_id', id);
  }
  for (const phone of phones) {
    const id = phone.cell('id');
    related.rowsOf('languages', 'phone_id', id);
    related.rowsOf('attributes', 'link_id', id);
  }
}
