import type { Location } from '../../events/directory/location.ts';
import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import type { Accounting } from '../accounting.ts';
import { bestAddress, isConfidential, placeOf, typeOfAddress, type Address } from '../fields/addresses.ts';
import { known, once } from '../fields/known.ts';
import { phonesOf } from '../fields/phones.ts';
import type { HsdsItem, HsdsWarning } from '../item.ts';
import type { RowDigests } from '../row-digests.ts';
import { coordinatesOf } from '../locations.ts';
import { unsealedOrganizationFields } from '../../events/directory/organization/fields.ts';
import { repairedBy, withoutEmpty } from '../repair.ts';
import { contactsIn } from '../service-contacts.ts';
import { phoneRow } from '../service-phones.ts';
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
  name === '' ? undefined : { name, ...known({ url }) };

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

function organizationItem(row: Row, source: Source): HsdsItem | undefined {
  const { related, accounting } = source;
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
  return { kind: 'organization', source_id: id, file: row.file, line: row.line, fields };
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
    url,
    additional_urls: once(further.map((each) => webAddress(each.cell('url')) ?? '')).filter(
      (each) => each !== url,
    ),
    phones: phonesOf(phones.map((phone) => phoneRow(source, phone))),
    locations: officesOf(source, id),
    identifiers: identifiersOf(row, source),
    year_incorporated: yearIn(row.cell('year_incorporated')),
    legal_status: cleanLine(row.cell('legal_status')),
    parent: parent && known({ name: cleanLine(parent.cell('name')) }),
    email,
    contacts: contactsIn(source, related.belongingTo('contacts', 'organization_id', id)),
  });
}

const noOrganization: Organization = { name: '', url: '', email: '', description: '' };

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
      known({
        scheme: cleanLine(each.cell('identifier_scheme')),
        type: cleanLine(each.cell('identifier_type')),
        value: cleanLine(each.cell('identifier')),
      }),
    ),
    known({ type: value('tax_id') === '' ? '' : 'tax_id', value: value('tax_id') }),
    known({ type: value('uri') === '' ? '' : 'uri', value: value('uri') }),
  ].filter((each) => each.value !== undefined);
}

/** Its locations at which no service is offered. Where services are, these say themselves. */
function officesOf(source: Source, organization: string): Location[] {
  const { related, accounting } = source;
  const rows = related.rowsOf('locations', 'organization_id', organization);
  // There its only service is, though no row says so: see `placesOf`.
  if (rows.length === 1 && isOnly(related, 'services', 'organization_id', organization)) return [];
  return rows.flatMap((row) => {
    const id = row.cell('id');
    const isOffered =
      related.rowsOf('servicesAtLocations', 'location_id', id).length > 0 ||
      related.rowsOf('services', 'location_id', id).length > 0;
    if (isOffered) return [];
    const address = addressAt(related, id);
    const at = coordinatesOf(row.cell('latitude'), row.cell('longitude'));
    accounting.read(row, address?.row);
    const office = known({
      name: cleanLine(row.cell('name')),
      ...(address
        ? placeOf(address.row, (reason) => {
            source.warn(address.row, `location ${id}: ${reason}`);
          })
        : {}),
      ...(at && !('problem' in at) ? at : {}),
      transportation: cleanText(row.cell('transportation')),
      virtual: row.cell('location_type').toLowerCase() === 'virtual' ? (true as const) : undefined,
      confidential: isConfidential(address?.row, row) ? (true as const) : undefined,
    });
    return Object.keys(office).length === 0 ? [] : [office];
  });
}

const addressAt = (related: RelatedRows, location: string): Address | undefined =>
  bestAddress([
    ...related.rowsOf('addresses', 'location_id', location).map((row) => ({ row, type: typeOfAddress(row) })),
    ...related
      .rowsOf('physicalAddresses', 'location_id', location)
      .map((row) => ({ row, type: 'physical' as const })),
    ...related
      .rowsOf('postalAddresses', 'location_id', location)
      .map((row) => ({ row, type: 'postal' as const })),
  ]);
