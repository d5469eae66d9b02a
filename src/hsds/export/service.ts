import {
  resourceFieldRows,
  type resourceFieldTable,
  type UnsealedFields,
} from '../../events/directory/resource-fields.ts';
import type { Confirmed } from '../../events/directory/upkeep/confirmation.ts';
import { assuredDate } from './assured-date.ts';
import { instantOf, sourceDateOf } from '../fields/source-date.ts';
import { Attributes } from './attributes.ts';
import { contactsOf } from './contacts.ts';
import { isEmail } from './email.ts';
import { entityId } from './ids.ts';
import { withoutEmpty } from './without-empty.ts';
import { serviceAtLocations } from './locations.ts';
import { phonesOf } from './phones.ts';
import { namedOrganization, type HsdsOrganization, type WholeOrganization } from './organization.ts';
import { hoursMark, schedulesOf } from './schedules.ts';
import { foreignAddress, uriOf } from './uri.ts';

/** A record as a reader sees it: fields of other tiers are absent, and so is what is confidential. */
export interface ExportedRecord {
  readonly svc_id: string;
  readonly fields: UnsealedFields;
  /** When it was confirmed last. Absent: nobody has. */
  readonly confirmed?: Confirmed | undefined;
  readonly listed: boolean;
  /** Its organization, where that has a public record. */
  readonly organization?: HsdsOrganization | WholeOrganization | undefined;
  /** For the operator of the directory alone. */
  readonly inside?: {
    readonly status: string;
    readonly team: string;
    readonly source_id?: string | undefined;
  };
}

/**
 * The record as HSDS 3.1 "service" with all that belongs to it ("service full"). What is unknown is absent. What HSDS has
 * no place for is an attribute; see `attributes.ts`.
 */
export function serviceOf({ svc_id, fields, confirmed, listed, inside, organization: own }: ExportedRecord) {
  const id = entityId(svc_id, 'service');
  const attributes = new Attributes(svc_id);
  const owner = { service_id: id };
  const {
    url,
    email,
    verified_by,
    last_modified,
    ages,
    languages = [],
    documents = [],
    service_area = [],
  } = fields;
  const organization = own ?? (fields.organization && namedOrganization(fields.organization));
  return withoutEmpty({
    id,
    organization_id: organization?.id,
    name: fields.name,
    ...inColumns(fields),
    url: url && uriOf(url),
    email: isEmail(email) ? email : undefined,
    status: statusOf(fields, listed),
    fees_description: fields.cost,
    eligibility_description: fields.eligibility,
    minimum_age: ages?.minimum,
    maximum_age: ages?.maximum,
    assured_date: assuredDate(fields, confirmed),
    assurer_email: isEmail(verified_by) ? verified_by : undefined,
    last_modified: last_modified && instantOf(last_modified),
    phones: phonesOf(svc_id, owner, 0, fields.phones, attributes),
    contacts: contactsOf(svc_id, owner, fields.contacts, attributes),
    schedules: schedulesOf(svc_id, owner, 0, fields.hours, fields.opening_hours),
    service_areas: service_area.map((name, index) => ({
      id: entityId(svc_id, 'service_area', index),
      ...owner,
      name,
    })),
    service_at_locations: serviceAtLocations(svc_id, id, fields.locations, attributes),
    languages: languages.map((name, index) => ({
      // Languages of phones have the number of a location first, of which there are fewer.
      id: entityId(svc_id, 'language', 255, index),
      ...owner,
      name,
    })),
    organization,
    cost_options: fields.free
      ? [{ id: entityId(svc_id, 'cost_option', 0), ...owner, option: 'free', amount: 0 }]
      : undefined,
    required_documents: documents.map((document, index) => ({
      id: entityId(svc_id, 'required_document', index),
      ...owner,
      document,
    })),
    attributes: [
      ...attributes.categories(id, [fields.category, ...(fields.categories ?? [])]),
      ...attributes.terms(id, fields.taxonomy_terms ?? []),
      ...attributes.present('service', id, {
        source_id: inside?.source_id,
        status: inside?.status,
        team: inside?.team,
        time_zone: fields.time_zone,
        utc_offsets: fields.utc_offsets?.join(' '),
        free: fields.free === undefined ? undefined : String(fields.free),
        opening_hours: hoursMark(fields),
        url: foreignAddress(url),
        organization_url: foreignAddress(fields.organization?.url),
        email: isEmail(email) ? undefined : email,
        verified_by: isEmail(verified_by) ? undefined : verified_by,
        capacity: fields.capacity,
        last_modified: impreciseDate(last_modified),
      }),
    ],
  });
}
export type HsdsService = ReturnType<typeof serviceOf>;

type Table = typeof resourceFieldTable;
type InColumns = {
  readonly [
    Name in keyof Table as Table[Name] extends { readonly hsdsColumn: infer Column extends string }
      ? Column
      : never
  ]: UnsealedFields[Name];
};

/** The fields that a single column of HSDS holds. */
const inColumns = (fields: UnsealedFields): InColumns =>
  Object.fromEntries(
    resourceFieldRows.flatMap(({ name, hsdsColumn }) =>
      hsdsColumn === undefined ? [] : [[hsdsColumn, fields[name]]],
    ),
  ) as InColumns;

/** What of a service is its own: the members of HSDS "service list". */
export function briefly({
  phones: _phones,
  contacts: _contacts,
  schedules: _schedules,
  service_areas: _areas,
  service_at_locations: _places,
  languages: _languages,
  cost_options: _costs,
  required_documents: _documents,
  attributes: _attributes,
  ...own
}: HsdsService) {
  return own;
}

/** A date that is not read again from the instant that HSDS takes. */
const impreciseDate = (date: string | undefined): string | undefined =>
  date === undefined || sourceDateOf(instantOf(date)) === date ? undefined : date;

/** The status of HSDS tells whether the service is offered, and here also whether it is public. */
function statusOf({ availability }: UnsealedFields, listed: boolean): string {
  if (availability === 'defunct') return 'defunct';
  if (availability === 'temporarily_closed') return 'temporarily closed';
  return listed ? 'active' : 'inactive';
}
