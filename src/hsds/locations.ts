import type { Location } from '../events/directory/location.ts';
import type { Phone } from '../events/directory/contact.ts';
import type { Point } from '../ground/earth.ts';
import { wrongCoordinates } from '../places/coordinates.ts';
import { noPlaceText } from './columns.ts';
import { isConfidential, placeOf } from './fields/addresses.ts';
import { withoutBlank, once } from './fields/without-blank.ts';
import type { Hours } from './hours/hours.ts';
import { ownAttributes } from './own-attributes.ts';
import type { Place } from './places.ts';
import type { ServiceHours } from './service-hours.ts';
import type { ServicePhones } from './service-phones.ts';
import type { Source } from './service-rows.ts';
import type { Row } from './source/related-rows.ts';
import { cleanLine, cleanText, compareIds, compareText, webAddress } from './text.ts';

/** The locations of a record, in the order of the places. A place of which nothing is known is none. */
export const locationsOf = (
  source: Source,
  service: Row,
  places: readonly Place[],
  phones: ServicePhones,
  hours: ServiceHours,
): Location[] =>
  places
    .map((place) => {
      compareTexts(source, service, place);
      const there = { phones: phones.places.get(place) ?? [], hours: hours.places.get(place) };
      return locationAt(source, place, there);
    })
    .filter((location) => Object.keys(location).length > 0);

/** A location, with the phones and the hours that it has there. */
export function locationAt(
  source: Source,
  place: Place,
  { phones, hours }: { readonly phones: readonly Phone[]; readonly hours: Hours | undefined },
): Location {
  const { row, address } = place;
  const accessibility = source.related.rowsOf('accessibility', 'location_id', place.location);
  source.accounting.read(...accessibility);
  const where = address
    ? placeOf(address.row, (reason) => source.warn(address.row, `location ${place.location}: ${reason}`))
    : {};
  const { latitude, longitude } = coordinatesAt(source, place, where);
  return withoutBlank({
    name: cleanLine(row?.cell('name') ?? ''),
    ...where,
    latitude,
    longitude,
    phones: [...phones],
    hours: hours?.hours,
    opening_hours: [...(hours?.opening_hours ?? [])],
    accessibility: accessibilityOf(accessibility),
    transportation: cleanText(row?.cell('transportation') ?? ''),
    virtual: place.virtual ? (true as const) : undefined,
    confidential: isHidden(source, place) ? (true as const) : undefined,
  });
}

/** Whether the source says that where this is must not be told. */
export const isHidden = (source: Source, { address, row, location }: Place): boolean =>
  ownAttributes(source, location).values.confidential === 'true' || isConfidential(address?.row, row);

/** Coordinates that are plainly not those of the address are put right or left out. */
function coordinatesAt(
  source: Source,
  { row, location }: Place,
  where: Location,
): { readonly latitude?: number; readonly longitude?: number } {
  const found = row && coordinatesOf(row.cell('latitude'), row.cell('longitude'));
  if (!found) return {};
  const wrong = wrongCoordinates({ ...where, ...('problem' in found ? found.written : found) });
  if ('problem' in found && !wrong?.right) {
    source.warn(row, `location ${location}: ${found.problem}`);
    return {};
  }
  if (!wrong) return found as Point;
  const outcome = wrong.right ? 'put right' : 'left out';
  source.warn(row, `location ${location}: the coordinates ${wrong.what}; ${outcome}`);
  return wrong.right ?? {};
}

/** The record has no place for texts about a location. Many sources repeat there what they say of the service. */
function compareTexts({ accounting }: Source, service: Row, { row }: Place): void {
  for (const column of ['description', 'alternate_name']) {
    const text = cleanText(row?.cell(column) ?? '');
    if (row && text !== '' && text !== cleanText(service.cell(column)))
      accounting.leave(row, column, noPlaceText);
  }
}

/** What a location offers to people with a disability, a line for each row. HSDS 1.1 has the column `accessibility`. */
export function accessibilityOf(rows: readonly Row[]): string {
  const sorted = [...rows].sort((one, other) => compareIds(one.cell('id'), other.cell('id')));
  const lines = sorted.map((row) =>
    once([
      cleanText(row.cell('description')),
      cleanText(row.cell('accessibility')),
      cleanText(row.cell('details')),
      webAddress(row.cell('url')) ?? '',
    ]).join(' – '),
  );
  const ids = new Set(sorted.map((row) => row.cell('id')));
  return once(ids.size < sorted.length ? lines.sort(compareText) : lines).join('\n');
}

/** Where a place is, or why that is not known. */
export type Coordinates =
  | Point
  | {
      readonly problem: string;
      /** Numbers that are out of range may be swapped. */
      readonly written?: Point;
    }
  | undefined;

/** Undefined when the source gives none. */
export function coordinatesOf(latitude: string, longitude: string): Coordinates {
  if (latitude === '' && longitude === '') return undefined;
  const [north, east] = [degreesOf(latitude), degreesOf(longitude)];
  const problem = (why: string) => ({
    problem: `the coordinates ${latitude || '–'}, ${longitude || '–'} ${why}; left out`,
  });
  if (latitude === '' || longitude === '') return problem('are incomplete');
  if (north === undefined || east === undefined) return problem('are not numbers');
  const written = { latitude: north, longitude: east };
  if (Math.abs(north) > 90 || Math.abs(east) > 180) return { ...problem('are out of range'), written };
  if (north === 0 && east === 0) return problem('are in the ocean');
  return written;
}

const degreesOf = (written: string): number | undefined =>
  /^[+-]?\d{1,3}(\.\d+)?$/.test(written) ? Number(written) : undefined;
