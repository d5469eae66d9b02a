import type { Contact } from '../events/directory/contact.ts';
import { uuidOf } from '../events/ids.ts';
import { isContactPlace } from './export/ids.ts';
import { withoutBlank } from './fields/without-blank.ts';
import { phonesOf } from './fields/phones.ts';
import { ownAttributes } from './own-attributes.ts';
import { phoneRow } from './service-phones.ts';
import type { ServiceIds, Source } from './service-rows.ts';
import type { Row } from './source/related-rows.ts';
import { cleanLine, compareIds, emailAddress } from './text.ts';

/**
 * The contact persons of a service and of its places, in the order of their ids. Where there are none, those of its
 * organization.
 */
export function serviceContacts(source: Source, { service, organization, places }: ServiceIds): Contact[] {
  const { related } = source;
  const own = [
    ...related.belongingTo('contacts', 'service_id', service),
    ...places.flatMap(({ serviceAtLocation, location }) => [
      ...related.belongingTo('contacts', 'service_at_location_id', serviceAtLocation),
      ...related.belongingTo('contacts', 'location_id', location),
    ]),
  ];
  const rows = own.length > 0 ? own : related.belongingTo('contacts', 'organization_id', organization);
  return contactsIn(source, rows);
}

/** The persons in these rows, in the order of their ids, each once. */
export function contactsIn(source: Source, rows: readonly Row[]): Contact[] {
  const contacts = [...rows]
    .sort((one, other) => compareIds(one.cell('id'), other.cell('id')))
    .flatMap((row) => contactOf(source, row));
  // The person at the desk is often that of the service and of its location.
  return [
    ...new Map(contacts.map((contact) => [JSON.stringify({ ...contact, id: null }), contact])).values(),
  ];
}

function contactOf(source: Source, row: Row): Contact[] {
  const { related, accounting, warn } = source;
  const phones = related.belongingTo('phones', 'contact_id', row.cell('id'));
  const written = row.cell('email');
  const email = emailAddress(written);
  // Of a person nothing is quoted: reports are kept and passed on.
  if (email === undefined && written !== '')
    warn(row, 'the email of the contact is not an email address; left out');
  const details = withoutBlank({
    name: cleanLine(row.cell('name')),
    title: cleanLine(row.cell('title')),
    department: cleanLine(row.cell('department')),
    email: ownAttributes(source, row.cell('id')).values.email ?? email,
    phones: phonesOf(phones.map((phone) => phoneRow(source, phone))),
  });
  accounting.read(row);
  if (Object.keys(details).length > 0) return [{ ...idOf(row), ...details }];
  accounting.leave(row, undefined, 'nothing is said of the contact');
  return [];
}

/** The same in every file of the source, so that a contact who was erased is known again. */
function idOf(row: Row): Pick<Contact, 'id'> {
  const id = row.cell('id');
  return id === '' || isContactPlace(id) ? {} : { id: uuidOf('contact', id) };
}
