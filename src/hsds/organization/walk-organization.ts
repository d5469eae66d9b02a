import type { Found, WatchedRows } from '../row-digests.ts';
import { isOnly } from '../service-rows.ts';
import type { RelatedRows, Row } from '../source/related-rows.ts';

/** What a source says of an organization: see `walkService` in `row-digests.ts`. */
export function walkOrganization(watched: WatchedRows, row: Row): Found | undefined {
  return watched.walk(row, () => {
    const id = row.cell('id');
    watched.rowOf('organizations', id);
    watched.rowOf('organizations', row.cell('parent_organization_id'));
    watched.belongingTo('urls', 'organization_id', id);
    watched.belongingTo('organizationIdentifiers', 'organization_id', id);
    const offices = watched.rowsOf('locations', 'organization_id', id);
    if (offices.length === 1) isOnly(watched, 'services', 'organization_id', id);
    for (const office of offices) {
      const location = office.cell('id');
      watched.rowsOf('servicesAtLocations', 'location_id', location);
      watched.rowsOf('services', 'location_id', location);
      for (const table of ['addresses', 'physicalAddresses', 'postalAddresses'] as const)
        watched.rowsOf(table, 'location_id', location);
    }
    lookUpPhonesAndContacts(
      watched,
      [...watched.belongingTo('phones', 'organization_id', id)],
      watched.belongingTo('contacts', 'organization_id', id),
    );
  });
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
