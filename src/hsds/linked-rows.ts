import type { Row } from './source/table.ts';

/** The location that a row of phones, schedules or languages belongs to within its service. */
export interface Placed {
  readonly location: string;
  readonly serviceAtLocation: string;
}

/**
 * Rows by the most specific thing that they name: the service, else the service at a location, else the location,
 * else the organization.
 */
export interface LinkedRows<T extends Placed> {
  readonly services: Map<string, T[]>;
  readonly servicesAtLocations: Map<string, T[]>;
  readonly locations: Map<string, T[]>;
  readonly organizations: Map<string, T[]>;
}

/** A service whose rows are looked up, with its main location. */
export interface Place {
  readonly service: string;
  readonly organization: string;
  readonly location: string;
  readonly serviceAtLocation: string;
}

export const noLinkedRows = <T extends Placed>(): LinkedRows<T> => ({
  services: new Map(),
  servicesAtLocations: new Map(),
  locations: new Map(),
  organizations: new Map(),
});

export const placeOf = (row: Row): Placed => ({
  location: row.cell('location_id'),
  serviceAtLocation: row.cell('service_at_location_id'),
});

/** Adds a row under the most specific thing that it names. A row that names none is left out. */
export function link<T extends Placed>(rows: LinkedRows<T>, row: Row, entry: T): void {
  const service = row.cell('service_id');
  const organization = row.cell('organization_id');
  if (service !== '') append(rows.services, service, entry);
  else if (entry.serviceAtLocation !== '') append(rows.servicesAtLocations, entry.serviceAtLocation, entry);
  else if (entry.location !== '') append(rows.locations, entry.location, entry);
  else if (organization !== '') append(rows.organizations, organization, entry);
}

/**
 * The rows that apply to a service at its main location: the service's own (those for the main location before those
 * for another one), else the location's, else the organization's.
 */
export function nearest<T extends Placed>(rows: LinkedRows<T>, place: Place): readonly T[] {
  const own = rows.services.get(place.service);
  if (own) {
    const here = own.filter((entry) => isHere(entry, place));
    return here.length > 0 ? here : own;
  }
  return (
    rows.servicesAtLocations.get(place.serviceAtLocation) ??
    rows.locations.get(place.location) ??
    rows.organizations.get(place.organization) ??
    []
  );
}

export function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

const isHere = (entry: Placed, place: Place): boolean =>
  (entry.serviceAtLocation === '' || entry.serviceAtLocation === place.serviceAtLocation) &&
  (entry.location === '' || entry.location === place.location);
