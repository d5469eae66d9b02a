import type { Accounting } from './accounting.ts';
import type { LinkColumn, TableName } from './source/layout.ts';
import type { RelatedRows, Row } from './source/related-rows.ts';
import { once } from './fields/without-blank.ts';

/** What the fields of a service are made from, and where is reported what is not. */
export interface Source {
  readonly related: RelatedRows;
  readonly accounting: Pick<Accounting, 'read' | 'leave' | 'repair'>;
  /** Reports a value of a row that is left out. The same is reported once, in whatever records. */
  readonly warn: (row: Pick<Row, 'file' | 'line'>, reason: string) => void;
}

/** Tables whose rows belong to a service. */
type OwnTable =
  | 'eligibility'
  | 'serviceAreas'
  | 'requiredDocuments'
  | 'costOptions'
  | 'paymentsAccepted'
  | 'serviceCapacities';

/** The ids by which rows are found that belong to a service. */
export interface ServiceIds {
  readonly service: string;
  readonly organization: string;
  readonly places: readonly { readonly serviceAtLocation: string; readonly location: string }[];
}

/**
 * The rows of a table that belong to a service. A row that names no service, but a location or an organization with one
 * service alone, is that service's: the link is repaired.
 */
export function ownRows(source: Source, table: OwnTable, ids: ServiceIds): Row[] {
  const { related, accounting } = source;
  const own = [
    ...related.belongingTo(table, 'service_id', ids.service),
    ...ids.places.flatMap((place) =>
      related.belongingTo(table, 'service_at_location_id', place.serviceAtLocation),
    ),
  ];
  const repaired = [
    ...once(ids.places.map(({ location }) => location)).flatMap((location) => {
      const rows = related.belongingTo(table, 'location_id', location);
      return rows.length > 0 && isOnly(related, 'servicesAtLocations', 'location_id', location) ? rows : [];
    }),
    ...organizationRows(related, table, ids),
  ];
  for (const row of repaired) accounting.repair(row, 'service_id', 'the only service of what the row names');
  const rows = [...own, ...repaired];
  accounting.read(...rows);
  return rows;
}

function organizationRows(related: RelatedRows, table: OwnTable, ids: ServiceIds): readonly Row[] {
  const rows = related.belongingTo(table, 'organization_id', ids.organization);
  return rows.length > 0 && isOnlyService(related, ids.service, ids.organization) ? rows : [];
}

/** Whether this is the only service that names an organization. Those that reach it by a parent do not name it. */
export function isOnlyService(related: RelatedRows, service: string, organization: string): boolean {
  const naming = related.rowsOf('services', 'organization_id', organization);
  return naming.length > 0 && naming.every((row) => row.cell('id') === service);
}

/** Whether one row of a table alone has this id in a column; of services at a location, one service. */
export function isOnly(related: RelatedRows, table: TableName, column: LinkColumn, id: string): boolean {
  const rows = related.rowsOf(table, column, id);
  const named = table === 'servicesAtLocations' ? 'service_id' : 'id';
  return new Set(rows.map((row) => row.cell(named))).size === 1;
}

/** Whether a row names a place of a service. */
export const isAt = (
  row: Row,
  { serviceAtLocation, location }: { readonly serviceAtLocation: string; readonly location: string },
): boolean =>
  (serviceAtLocation !== '' && row.cell('service_at_location_id') === serviceAtLocation) ||
  (location !== '' && row.cell('location_id') === location);
