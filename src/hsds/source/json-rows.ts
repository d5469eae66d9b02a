import type { LinkColumn, TableName } from './layout.ts';

/** A row that is made of a JSON object. */
export interface JsonRow {
  readonly table: TableName;
  readonly cells: ReadonlyMap<string, string>;
}

/** Members that hold a list of rows of another table. Source: the HSDS 3.1 schemas, and what 3.0 called differently. */
const lists: ReadonlyMap<string, TableName> = new Map<string, TableName>([
  ['services', 'services'],
  ['phones', 'phones'],
  ['schedules', 'schedules'],
  ['regular_schedules', 'schedules'],
  ['holiday_schedules', 'holidaySchedules'],
  ['service_areas', 'serviceAreas'],
  ['service_at_locations', 'servicesAtLocations'],
  ['locations', 'locations'],
  ['languages', 'languages'],
  ['funding', 'funding'],
  ['cost_options', 'costOptions'],
  ['required_documents', 'requiredDocuments'],
  ['payments_accepted', 'paymentsAccepted'],
  ['eligibility', 'eligibility'],
  ['contacts', 'contacts'],
  ['programs', 'programs'],
  ['organization_identifiers', 'organizationIdentifiers'],
  ['addresses', 'addresses'],
  ['physical_addresses', 'physicalAddresses'],
  ['postal_addresses', 'postalAddresses'],
  ['accessibility', 'accessibility'],
  ['accessibility_for_disabilities', 'accessibility'],
  ['capacities', 'serviceCapacities'],
  ['service_capacities', 'serviceCapacities'],
  ['additional_urls', 'urls'],
  ['additional_websites', 'urls'],
  ['attributes', 'attributes'],
  ['metadata', 'metadata'],
]);

/** Members that hold one row of another table, and the column that names it. */
const objects: ReadonlyMap<string, readonly [TableName, LinkColumn]> = new Map([
  ['organization', ['organizations', 'organization_id']],
  ['program', ['programs', 'program_id']],
  ['service', ['services', 'service_id']],
  ['location', ['locations', 'location_id']],
  ['service_at_location', ['servicesAtLocations', 'service_at_location_id']],
  ['taxonomy_term', ['terms', 'taxonomy_term_id']],
  ['taxonomy_detail', ['taxonomies', 'taxonomy_id']],
  ['unit', ['units', 'unit_id']],
] as const);

/** The column with which the rows below an object name it, and what attributes and metadata call it. */
const owners: Partial<Record<TableName, readonly [column: LinkColumn | undefined, entity: string]>> = {
  services: ['service_id', 'service'],
  servicesAtLocations: ['service_at_location_id', 'service_at_location'],
  locations: ['location_id', 'location'],
  organizations: ['organization_id', 'organization'],
  programs: ['program_id', 'program'],
  contacts: ['contact_id', 'contact'],
  phones: ['phone_id', 'phone'],
  addresses: [undefined, 'address'],
  schedules: [undefined, 'schedule'],
  serviceAreas: [undefined, 'service_area'],
  languages: [undefined, 'language'],
  funding: [undefined, 'funding'],
  costOptions: [undefined, 'cost_option'],
  requiredDocuments: [undefined, 'required_document'],
  accessibility: [undefined, 'accessibility'],
  serviceCapacities: [undefined, 'service_capacity'],
  organizationIdentifiers: [undefined, 'organization_identifier'],
  urls: [undefined, 'url'],
  units: [undefined, 'unit'],
  terms: [undefined, 'taxonomy_term'],
  taxonomies: [undefined, 'taxonomy'],
  attributes: [undefined, 'attribute'],
};

/** HSDS nests six levels deep. */
const deepest = 16;

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Thrown for an object that nests more levels than any of HSDS. */
export class TooDeep extends Error {}

/**
 * The rows of an object: its own, and those of the objects in it, each with the id of the one that it is in. A member
 * that HSDS does not nest is a cell with its JSON text. `links` are added unless the object names others itself.
 */
export function* rowsOfJson(
  table: TableName,
  object: JsonObject,
  links: Readonly<Partial<Record<string, string>>> = {},
  depth = 0,
): Generator<JsonRow> {
  if (depth > deepest) throw new TooDeep();
  const cells = new Map<string, string>();
  const below: Nested[] = [];
  for (const [written, value] of Object.entries(object)) {
    const name = written.trim().toLowerCase();
    const list = lists.get(name);
    const single = objects.get(name);
    if (list && Array.isArray(value) && value.every(isObject)) {
      below.push(...value.map((child): Nested => ({ table: list, object: child, single: false })));
    } else if (single && isObject(value)) {
      const [of, column] = single;
      below.push({ table: of, object: value, single: true });
      const id = cellOf(value['id']);
      if (id !== '' && cellOf(object[column]) === '') cells.set(column, id);
    } else if (!cells.has(name)) {
      cells.set(name, cellOf(value));
    }
  }
  for (const [column, id] of Object.entries(links)) {
    if (id !== undefined && (cells.get(column) ?? '') === '') cells.set(column, id);
  }
  yield { table, cells };

  const [column, entity] = owners[table] ?? [];
  const id = cells.get('id') ?? '';
  for (const nested of below) {
    const down = nested.single || id === '' ? {} : linksDown(nested.table, column, entity ?? '', id);
    yield* rowsOfJson(nested.table, nested.object, down, depth + 1);
  }
}

interface Nested {
  readonly table: TableName;
  readonly object: JsonObject;
  /** The row above names it, not the other way round. */
  readonly single: boolean;
}

function linksDown(table: TableName, column: LinkColumn | undefined, entity: string, id: string) {
  if (table === 'attributes') return { link_id: id, link_entity: entity };
  if (table === 'metadata') return { resource_id: id, resource_type: entity };
  return column === undefined ? {} : { [column]: id };
}

/** A text for any value: a list of texts is joined with commas, other lists and objects are written as JSON. */
function cellOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (value === null || value === undefined) return '';
  if (!Array.isArray(value)) return JSON.stringify(value);
  const texts = value.filter((part) => typeof part === 'string');
  return texts.length === value.length ? texts.join(', ') : JSON.stringify(value);
}

/** The table that an object without a name belongs to, by the members that only its schema has. */
export function tableOfObject(object: JsonObject): TableName {
  const has = (...members: string[]): boolean => members.some((member) => member in object);
  if (
    has('services', 'tax_status', 'tax_id', 'year_incorporated', 'legal_status', 'organization_identifiers')
  )
    return 'organizations';
  if (has('service_at_locations', 'organization', 'application_process', 'status')) return 'services';
  if (has('service') || (has('location') && !has('name'))) return 'servicesAtLocations';
  if (has('latitude', 'location_type', 'addresses')) return 'locations';
  if (has('taxonomy', 'taxonomy_detail', 'term_uri', 'taxonomy_id')) return 'terms';
  if (has('version') && has('uri')) return 'taxonomies';
  if (has('website', 'logo', 'parent_organization_id')) return 'organizations';
  return 'services';
}
