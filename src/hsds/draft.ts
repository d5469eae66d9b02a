import { z } from 'zod';
import { resourceFieldRows, type resourceFieldTable } from '../events/directory/resource-fields.ts';
import { categoriesOf } from './fields/categories.ts';
import { serviceTerms } from './fields/taxonomy-terms.ts';
import { inWordsAlone } from './export/attributes.ts';
import { availabilityOf } from './fields/availability.ts';
import { capacityOf } from './fields/capacity.ts';
import { costOf } from './fields/cost.ts';
import { documentsOf } from './fields/documents.ts';
import { agesOf, dateOf, eligibilityOf } from './fields/eligibility.ts';
import { once } from './fields/without-blank.ts';
import { languageNotes, languagesOf } from './fields/languages.ts';
import { serviceAreasOf } from './fields/service-areas.ts';
import { sourceDateOf } from './fields/source-date.ts';
import { timeZoneOf } from './fields/time-zone.ts';
import { addressesIn, isToApply, type LabelledAddress } from './fields/web-addresses.ts';
import { isHidden, locationsOf } from './locations.ts';
import { svcIdOfService } from './export/ids.ts';
import { organizationFrom, shownOrganization, type Organization } from './organization/organizations.ts';
import { ownAttributes } from './own-attributes.ts';
import { placesOf, type Place } from './places.ts';
import { withoutEmpty, type Draft } from './repair.ts';
import { serviceContacts } from './service-contacts.ts';
import { serviceHours } from './service-hours.ts';
import { servicePhones } from './service-phones.ts';
import { ownRows, type ServiceIds, type Source } from './service-rows.ts';
import type { Row } from './source/related-rows.ts';
import { cleanLine, cleanText, compareText, emailAddress, quoted, webAddress } from './text.ts';

/**
 * The fields of one service before they are checked, from its row, that of its organization and everything that belongs to it. Which column is
 * carried into which field is listed in `columns.ts`.
 */
export function draftOf(service: Row, source: Source, ofOrganization: Row | undefined): Draft {
  const { accounting } = source;
  const warn = (reason: string): void => {
    source.warn(service, `service ${service.cell('id')}: ${reason}`);
  };
  // A service of an export of ours says everything itself.
  const isOwn = svcIdOfService(service.cell('id')) !== undefined;
  const organization = {
    id: isOwn ? '' : (ofOrganization?.cell('id') ?? service.cell('organization_id')),
    fields: organizationFrom(ofOrganization),
  };
  const places = placesOf(source, service, organization.id);
  const ids: ServiceIds = { service: service.cell('id'), organization: organization.id, places };
  const own = (table: Parameters<typeof ownRows>[1]): Row[] => ownRows(source, table, ids);

  const phones = servicePhones(source, ids, places, (place) => isHidden(source, place));
  const inherited = isOwn ? undefined : organization.fields;
  const hours = serviceHours(source, ids.service, ids.organization, places);
  for (const { warnings } of [hours.service, ...hours.places.values()]) {
    for (const { file, line, reason } of warnings) source.warn({ file, line }, reason);
  }
  const zone = timeZoneOf(hours.rows, source.warn);
  const languages = languageRows(source, ids.service, places);
  const name = cleanLine(service.cell('name'));
  const description = cleanText(service.cell('description'));
  const addresses = webAddresses(service, inherited, source, warn);
  const { values, categories, terms } = ownAttributes(source, ids.service);
  const classified = serviceTerms(source, ids.service);
  const money = costOf({ service, options: own('costOptions'), payments: own('paymentsAccepted') });

  const [main, ...further] = categories;
  const described = organization.fields && {
    ...organization.fields,
    url: values.organization_url ?? organization.fields.url,
  };
  const made: Record<MadeField, unknown> = {
    name,
    organization: described && shownOrganization(described),
    ...(main === undefined
      ? categoriesOf(classified.votes, name, description)
      : { category: main, categories: further }),
    taxonomy_terms: once([...terms, ...classified.names]),
    url: values.url ?? addresses.url,
    email: values.email ?? emailOf(service, inherited, warn),
    locations: locationsOf(source, service, places, phones, hours),
    phones: phones.service,
    hours: hours.service.hours,
    opening_hours: values.opening_hours === inWordsAlone ? undefined : hours.service.opening_hours,
    time_zone: values.time_zone ?? zone.name,
    utc_offsets: values.utc_offsets?.split(' ') ?? zone.offsets,
    languages: languagesOf(languages),
    eligibility: eligibilityOf(service, own('eligibility')),
    ages: agesOf(service),
    cost: money.cost,
    free: values.free === undefined ? money.free : values.free === 'true',
    documents: documentsOf(own('requiredDocuments')),
    service_area: serviceAreasOf(own('serviceAreas'), (row) =>
      accounting.leave(row, 'extent', 'an outline on a map, of which only names are kept'),
    ),
    capacity:
      values.capacity ??
      capacityOf(
        service,
        own('serviceCapacities').map((row) => ({ row, unit: unitOf(row, source) })),
      ),
    availability: availabilityOf(service.cell('status')).availability,
    last_verified: dateOf(service.cell('assured_date')),
    last_modified: values.last_modified ?? lastModifiedOf(service, source, warn),
    contacts: serviceContacts(source, ids),
    verified_by: values.verified_by ?? cleanLine(service.cell('assurer_email')),
  };
  const inColumn = inColumns(service);
  return withoutEmpty({
    ...made,
    ...inColumn,
    description: description || (inherited?.description ?? ''),
    interpretation: withLines(inColumn.interpretation, languageNotes(languages)),
    how_to_apply: withLines(inColumn.how_to_apply, addresses.toApply),
  });
}

/** A text, and each line that it does not say yet. */
const withLines = (text: unknown, lines: readonly string[]): string => {
  const existing = typeof text === 'string' ? text : '';
  return once([existing, ...lines.filter((line) => !existing.includes(line))]).join('\n');
};

interface WebAddresses {
  readonly url: string;
  /** `Application form: https://example.org/apply`. */
  readonly toApply: readonly string[];
}

/** The address of the service, else the first of its further ones (HSDS 3.1), else the organization's. */
function webAddresses(
  service: Row,
  organization: Organization | undefined,
  { related, accounting }: Source,
  warn: (reason: string) => void,
): WebAddresses {
  const written = service.cell('url');
  const own = webAddress(written);
  if (own === undefined && written !== '') warn(`the url ${quoted(written)} is not a web address; left out`);
  const rows = related.belongingTo('urls', 'service_id', service.cell('id'));
  accounting.read(...rows);
  const further = addressesIn(rows);
  const toApply = further.filter(isToApply);
  const main = own === undefined ? further.find((address) => !toApply.includes(address)) : undefined;
  const isCarried = (address: LabelledAddress | undefined): boolean =>
    address !== undefined && (address === main || toApply.includes(address) || address.url === own);
  for (const row of rows) {
    if (isCarried(further.find((address) => address.row === row))) continue;
    accounting.leave(row, 'url', 'the record has one web address');
  }
  return {
    url: own ?? main?.url ?? organization?.url ?? '',
    toApply: toApply.map(({ label, url }) => `${label}: ${url}`),
  };
}

function emailOf(
  service: Row,
  organization: Organization | undefined,
  warn: (reason: string) => void,
): string {
  const written = service.cell('email');
  const email = emailAddress(written);
  if (email === undefined && written !== '') {
    warn(`the email ${quoted(written)} is not an email address; left out`);
  }
  return email ?? organization?.email ?? '';
}

/**
 * When the source last changed the service: what the service says, else the latest change that the table metadata has of it. A year
 * or a month in which it was assured counts here: `last_verified` is a day.
 */
function lastModifiedOf(
  service: Row,
  { related, accounting }: Source,
  warn: (reason: string) => void,
): string | undefined {
  const written = service.cell('last_modified');
  const date = sourceDateOf(written);
  if (date === undefined && written !== '')
    warn(`the last_modified ${quoted(written)} is not a date; left out`);
  const changes = related
    .rowsOf('metadata', 'resource_id', service.cell('id'))
    .filter((row) => /^(services?)?$/i.test(row.cell('resource_type')));
  accounting.read(...changes);
  const dates = changes.flatMap((row) => sourceDateOf(row.cell('last_action_date')) ?? []);
  const changed = date ?? dates.sort(compareText).at(-1);
  const assured = service.cell('assured_date');
  if (assured === '' || dateOf(assured) !== '') return changed;
  const period = sourceDateOf(assured);
  if (period === undefined) warn(`the assured_date ${quoted(assured)} is not a date; left out`);
  return [changed ?? [], period ?? []].flat().sort(compareText).at(-1);
}

/** The languages of a service; where it has none, those of its locations. */
function languageRows({ related, accounting }: Source, service: string, places: readonly Place[]): Row[] {
  const own = related.belongingTo('languages', 'service_id', service);
  const rows =
    own.length > 0
      ? [...own]
      : places.flatMap(({ serviceAtLocation, location }) => [
          ...related.belongingTo('languages', 'service_at_location_id', serviceAtLocation),
          ...related.belongingTo('languages', 'location_id', location),
        ]);
  accounting.read(...rows);
  return rows;
}

function unitOf(row: Row, { related, accounting }: Source): Row | undefined {
  const unit = related.rowOf('units', row.cell('unit_id'));
  accounting.read(unit);
  return unit;
}

type Table = typeof resourceFieldTable;
/** The fields that are not in a single column. The type check requires each of them above. */
type MadeField = {
  [Name in keyof Table]: Table[Name] extends { readonly hsdsColumn: string } ? never : Name;
}[keyof Table];

/** The fields that are a column of the table services. A list is separated by commas or semicolons. */
function inColumns(row: Row): Draft {
  const cells = resourceFieldRows.flatMap(({ name, schema, hsdsColumn }) => {
    if (hsdsColumn === undefined) return [];
    const cell = cleanText(row.cell(hsdsColumn));
    return [[name, schema instanceof z.ZodArray ? cell.split(/[,;]/).map(cleanLine).filter(Boolean) : cell]];
  });
  return Object.fromEntries(cells) as Draft;
}
