import { bestAddress, typeOfAddress, type Address } from './fields/addresses.ts';
import { withoutUnknown } from './own-attributes.ts';
import { isOnly, isOnlyService, type Source } from './service-rows.ts';
import type { Row } from './source/related-rows.ts';
import { compareIds } from './text.ts';

/** A location of a service. */
export interface Place {
  /** The id of the row that joins the two. Empty where there is none. */
  readonly serviceAtLocation: string;
  readonly location: string;
  /** The row of the location. */
  readonly row: Row | undefined;
  readonly address: Address | undefined;
  readonly virtual: boolean;
}

/**
 * The locations of a service, the main one first: the first by id that has a physical address, else the first with any,
 * else the first that is not virtual.
 */
export function placesOf(source: Source, service: Row, organization: string): Place[] {
  const places = joinsOf(source, service, organization)
    .map((join) => placeAt(source, join))
    .sort(
      (one, other) =>
        compareIds(one.serviceAtLocation, other.serviceAtLocation) ||
        compareIds(one.location, other.location),
    );
  const main =
    places.find(({ address, virtual }) => !virtual && address?.type === 'physical') ??
    places.find(({ address, virtual }) => !virtual && address !== undefined) ??
    places.find(({ virtual }) => !virtual) ??
    places[0];
  return main ? [main, ...places.filter((place) => place !== main)] : [];
}

interface Join {
  readonly id: string;
  readonly location: string;
}

function joinsOf(source: Source, service: Row, organization: string): Join[] {
  const { related, accounting } = source;
  const joins = new Map<string, Join>();
  for (const row of related.rowsOf('servicesAtLocations', 'service_id', service.cell('id'))) {
    const location = row.cell('location_id');
    if (location === '') continue;
    accounting.read(row);
    const existing = joins.get(location);
    if (!existing || compareIds(row.cell('id'), existing.id) < 0)
      joins.set(location, { id: row.cell('id'), location });
  }
  if (joins.size > 0) return [...joins.values()];
  const named = service.cell('location_id');
  if (named !== '') return [{ id: '', location: named }];
  const only = onlyLocation(source, service.cell('id'), organization);
  if (!only) return [];
  accounting.repair(only, 'service_id', 'the only service of the organization is at its only location');
  return [{ id: '', location: only.cell('id') }];
}

/** The only location of an organization, where no service is said to be, and the organization has one service alone. */
function onlyLocation({ related }: Source, service: string, organization: string): Row | undefined {
  const [only, another] = related.rowsOf('locations', 'organization_id', organization);
  if (!only || another || !isOnlyService(related, service, organization)) return undefined;
  return related.rowsOf('servicesAtLocations', 'location_id', only.cell('id')).length === 0
    ? only
    : undefined;
}

/** A location and how to reach it. `id`: of the row that joins it with a service. */
export function placeAt(source: Source, { id, location }: Join): Place {
  const { related, accounting } = source;
  const row = related.rowOf('locations', location);
  const addresses = addressesOf(source, location, row);
  const best = bestAddress(addresses);
  const virtual = row?.cell('location_type').toLowerCase() === 'virtual';
  const address = virtual
    ? (addresses.find(({ type }) => type === 'virtual') ?? best)
    : (best ?? addresses[0]);
  accounting.read(row, address?.row);
  for (const other of addresses) {
    if (other !== address)
      accounting.leave(other.row, undefined, 'another address of the location is the one to go to');
  }
  return { serviceAtLocation: id, location, row, address, virtual: virtual || address?.type === 'virtual' };
}

function addressesOf(source: Source, location: string, row: Row | undefined): Address[] {
  const { related, accounting } = source;
  const own = related.rowsOf('addresses', 'location_id', location);
  const addresses: Address[] = [
    ...own.map((address) => ({ row: withoutUnknown(source, address), type: typeOfAddress(address) })),
    ...related
      .rowsOf('physicalAddresses', 'location_id', location)
      .map((address) => ({ row: address, type: 'physical' as const })),
    ...related
      .rowsOf('postalAddresses', 'location_id', location)
      .map((address) => ({ row: address, type: 'postal' as const })),
  ];
  if (addresses.length > 0 || !row) return addresses;
  const organization = row.cell('organization_id');
  if (organization === '' || !isOnly(related, 'locations', 'organization_id', organization)) return [];
  const repaired: Address[] = (['addresses', 'physicalAddresses', 'postalAddresses'] as const).flatMap(
    (table) =>
      related.belongingTo(table, 'organization_id', organization).map((address) => ({
        row: address,
        type:
          table === 'addresses'
            ? typeOfAddress(address)
            : table === 'postalAddresses'
              ? ('postal' as const)
              : ('physical' as const),
      })),
  );
  for (const address of repaired) {
    accounting.repair(address.row, 'location_id', 'the only location of the organization that the row names');
  }
  return repaired;
}
