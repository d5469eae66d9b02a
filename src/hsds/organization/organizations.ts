import type { Location } from '../../events/directory/location.ts';
import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import type { Accounting } from '../accounting.ts';
import { isOwnId, orgIdOfOrganization } from '../export/ids.ts';
import { noType } from '../export/organization.ts';
import { withoutBlank, once } from '../fields/without-blank.ts';
import { phonesOf } from '../fields/phones.ts';
import type { HsdsItem, HsdsWarning } from '../item.ts';
import type { RowDigests } from '../row-digests.ts';
import { unsealedOrganizationFields } from '../../events/directory/organization-fields.ts';
import { locationAt } from '../locations.ts';
import { ownAttributes, sourceIdOf, withoutUnknown } from '../own-attributes.ts';
import { placeAt } from '../places.ts';
import { repairedBy, withoutEmpty } from '../repair.ts';
import { unknownOrganization } from '../export/required-cells.ts';
import { contactsIn } from '../service-contacts.ts';
import { phoneRow } from '../service-phones.ts';
import { hoursFrom } from '../service-hours.ts';
import { isOnly, type Source } from '../service-rows.ts';
import type { RelatedRows, Row } from '../source/related-rows.ts';
import { cleanLine, cleanText, emailAddress, quoted, webAddress } from '../text.ts';

/** What an organization gives to its services. */
export interface Organization {
  readonly name: string;
  readonly url: string;
  readonly email: string;
  readonly description: string;
}

export const shownOrganization = ({ name, url }: Organization): UnsealedFields['organization'] =>
  name === '' ? undefined : { name, ...withoutBlank({ url }) };

const siteOf = (row: Row): string => row.cell('website') || row.cell('url');

/** What a row of organizations says. */
export function organizationFrom(row: Row | undefined): Organization | undefined {
  if (!row) return undefined;
  return {
    name: cleanLine(row.cell('name')),
    url: webAddress(siteOf(row)) ?? '',
    email: emailAddress(row.cell('email')) ?? '',
    description: cleanText(row.cell('description')),
  };
}

/** Every organization of a source, after a warning for each of its values that is left out. */
export function* organizationItems(
  related: RelatedRows,
  accounting: Accounting,
  digests?: RowDigests,
): Generator<HsdsItem> {
  for (const row of related.each('organizations')) {
    if (row.cell('id').toLowerCase() === unknownOrganization.id) {
      accounting.read(row);
      continue;
    }
    const isFirst = digests && related.rowOf('organizations', row.cell('id'))?.number === row.number;
    yield* isFirst
      ? digests.itemsOf('organization', row, (rows) => itemsOf(row, rows, accounting))
      : itemsOf(row, related, accounting);
    yield* related.warnings();
  }
}

function itemsOf(row: Row, related: RelatedRows, accounting: Accounting): HsdsItem[] {
  const warnings: HsdsWarning[] = [];
  const warn = (at: Pick<Row, 'file' | 'line'>, reason: string): void => {
    if (accounting.isNew(at, reason))
      warnings.push({ kind: 'warning', file: at.file, line: at.line, reason });
  };
  const item = organizationItem(row, { related, accounting, warn });
  return item ? [...warnings, item] : warnings;
}

function organizationItem(written: Row, source: Source): HsdsItem | undefined {
  const { related, accounting } = source;
  const row = withoutUnknown(source, written);
  const id = row.cell('id');
  const warn = (reason: string): void => {
    source.warn(row, `organization ${id}${reason}`);
  };
  const first = related.rowOf('organizations', id);
  if (first && (first.line !== row.line || first.file !== row.file)) {
    warn(' is there already; this row is left out');
    return undefined;
  }
  const draft = organizationDraft(row, source, warn);
  if (id === '' || id.length > 200) return undefined;
  if (draft.name === undefined) {
    warn(' has no name; it is left out');
    return undefined;
  }
  const fields =
    unsealedOrganizationFields.safeParse(draft).data ??
    repairedBy(unsealedOrganizationFields, ['contacts'], draft, (reason) => {
      warn(`: ${reason}`);
    });
  if (!fields) return undefined;
  accounting.read(row);
  return { kind: 'organization', source_id: sourceIdOf(source, row), file: row.file, line: row.line, fields };
}

function organizationDraft(
  row: Row,
  source: Source,
  warn: (reason: string) => void,
): Partial<Record<keyof typeof unsealedOrganizationFields.shape, unknown>> {
  const { related, accounting } = source;
  const id = row.cell('id');
  const wrong = (field: string, value: string, kind: string): void => {
    warn(`: the ${field} ${quoted(value)} is not ${kind} address; left out`);
  };
  const { name, url, email, description } = organizationFrom(row) ?? noOrganization;
  const { values } = ownAttributes(source, id);
  if (siteOf(row) !== '' && url === '') wrong('url', siteOf(row), 'a web');
  if (row.cell('email') !== '' && email === '') wrong('email', row.cell('email'), 'an email');

  const phones = related.belongingTo('phones', 'organization_id', id);
  const further = related.belongingTo('urls', 'organization_id', id);
  const parent = related.rowOf('organizations', row.cell('parent_organization_id'));
  accounting.read(...further);
  return withoutEmpty({
    name,
    alternate_name: cleanLine(row.cell('alternate_name')),
    description,
    url: values.url ?? url,
    additional_urls: once(further.map((each) => addressIn(source, each))).filter((each) => each !== url),
    phones: phonesOf(phones.map((phone) => phoneRow(source, phone))),
    locations: officesOf(source, id),
    identifiers: identifiersOf(row, source),
    year_incorporated: yearIn(row.cell('year_incorporated')),
    legal_status: cleanLine(row.cell('legal_status')),
    parent: partOf(cleanLine(values.parent_organization ?? parent?.cell('name') ?? '')),
    email: values.email ?? email,
    contacts: contactsIn(source, related.belongingTo('contacts', 'organization_id', id)),
  });
}

const noOrganization: Organization = { name: '', url: '', email: '', description: '' };

const partOf = (name: string) => (name === '' ? undefined : { name });

/** As it was written, where an export of ours says that. */
const addressIn = (source: Source, row: Row): string =>
  ownAttributes(source, row.cell('id')).values.url ?? webAddress(row.cell('url')) ?? '';

const yearIn = (written: string): number | undefined => {
  const [year] = /\b1\d{3}\b|\b20\d{2}\b/.exec(written) ?? [];
  return year === undefined ? undefined : Number(year);
};

function identifiersOf(row: Row, { related, accounting }: Source): object[] {
  const rows = related.belongingTo('organizationIdentifiers', 'organization_id', row.cell('id'));
  accounting.read(...rows);
  const value = (column: string): string => cleanLine(row.cell(column));
  return [
    ...rows.map((each) =>
      withoutBlank({
        scheme: cleanLine(each.cell('identifier_scheme')),
        type: typeOfIdentifier(each),
        value: cleanLine(each.cell('identifier')),
      }),
    ),
    withoutBlank({ type: value('tax_id') === '' ? '' : 'tax_id', value: value('tax_id') }),
    withoutBlank({ type: value('uri') === '' ? '' : 'uri', value: value('uri') }),
  ].filter((each) => each.value !== undefined);
}

/** An export of ours repeats the scheme where none is known: HSDS requires one. */
function typeOfIdentifier(row: Row): string {
  const type = cleanLine(row.cell('identifier_type'));
  const isOwn = isOwnId(row.cell('id'));
  return isOwn && [noType, cleanLine(row.cell('identifier_scheme'))].includes(type) ? '' : type;
}

/** Its locations at which no service is offered. Where services are, these say themselves. */
function officesOf(source: Source, organization: string): Location[] {
  const { related } = source;
  const rows = related.rowsOf('locations', 'organization_id', organization);
  // There its only service is, though no row says so: see `placesOf`. An export of ours says it.
  const isOwn = orgIdOfOrganization(organization) !== undefined;
  if (!isOwn && rows.length === 1 && isOnly(related, 'services', 'organization_id', organization)) return [];
  return rows.flatMap((row) => {
    const id = row.cell('id');
    const isOffered =
      related.rowsOf('servicesAtLocations', 'location_id', id).length > 0 ||
      related.rowsOf('services', 'location_id', id).length > 0;
    if (isOffered) return [];
    const office = officeAt(source, id);
    return Object.keys(office).length === 0 ? [] : [office];
  });
}

function officeAt(source: Source, location: string): Location {
  const { related, accounting } = source;
  const phones = related.belongingTo('phones', 'location_id', location);
  const weekly = related.belongingTo('schedules', 'location_id', location);
  const single = related.belongingTo('holidaySchedules', 'location_id', location);
  accounting.read(...weekly, ...single);
  const hours = hoursFrom(source, `location ${location}`, location, weekly, single);
  for (const { file, line, reason } of hours.warnings) source.warn({ file, line }, reason);
  return locationAt(source, placeAt(source, { id: '', location }), {
    phones: phonesOf(phones.map((phone) => phoneRow(source, phone))),
    hours,
  });
}
