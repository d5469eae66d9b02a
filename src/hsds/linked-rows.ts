import type { Row } from './table.ts';

/** Where a row of phones, schedules or languages belongs to within its service. */
export interface Placed {
  readonly location: string;
  readonly serviceAtLocation: string;
}

/** Rows by the most specific thing they name: its service, else its service at a location, else its location, else its organization. */
export interface LinkedRows<T extends Placed> {
  readonly services: Map<string, T[]>;
  readonly servicesAtLocations: Map<string, T[]>;
  readonly locations: Map<string, T[]>;
  readonly organizations: Map<string, T[]>;
}

/** The service for which rows are sought, with its main location. */
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

/** Files a row under the most specific thing that it names; one that names none is of no use here. */
export function link<T extends Placed>(rows: LinkedRows<T>, row: Row, entry: T): void {
  const service = row.cell('service_id');
  const organization = row.cell('organization_id');
  if (service !== '') append(rows.services, service, entry);
  else if (entry.serviceAtLocation !== '') append(rows.servicesAtLocations, entry.serviceAtLocation, entry);
  else if (entry.location !== '') append(rows.locations, entry.location, entry);
  else if (organization !== '') append(rows.organizations, organization, entry);
}

/**
 * The rows that speak for a service at its main location, nearest first found: its own (of these rather those of the
 * main location than those of another), else the location's, else its organization's.
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
