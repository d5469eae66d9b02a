import { hoursOf, type Hours } from './hours/hours.ts';
import { scheduleRows } from './hours/schedule-rows.ts';
import { ownAttributes } from './own-attributes.ts';
import type { Place } from './places.ts';
import { isAt, type Source } from './service-rows.ts';
import type { Row } from './source/related-rows.ts';

/** The hours of a service, and those of its places that have hours of their own. */
export interface ServiceHours {
  readonly service: Hours;
  readonly places: ReadonlyMap<Place, Hours>;
  /** All rows that say something about the service. */
  readonly rows: readonly Row[];
}

/**
 * The hours of a service are those that it has at its main location: its own rows, without those for another one of its
 * locations; where it has none, the rows of the main location. Further locations have their own.
 */
export function serviceHours(
  source: Source,
  service: string,
  organization: string,
  places: readonly Place[],
): ServiceHours {
  const { related, accounting } = source;
  const [main, ...further] = places;
  const own = related.belongingTo('schedules', 'service_id', service);
  const byPlace = Map.groupBy(own, (row) => further.find((place) => isAt(row, place)));
  const atPlace = (place: Place): readonly Row[] => {
    const specific = related.belongingTo('schedules', 'service_at_location_id', place.serviceAtLocation);
    return specific.length > 0 ? specific : related.belongingTo('schedules', 'location_id', place.location);
  };
  const general = byPlace.get(undefined) ?? [];
  const here = general.filter((row) => !main || isAt(row, main) || namesNoPlace(row));
  const ofService = here.length > 0 ? here : general;
  const ofMain = main ? atPlace(main) : [];
  const nearest =
    [ofService, ofMain].find((rows) => rows.length > 0) ??
    (own.length > 0 ? [] : related.belongingTo('schedules', 'organization_id', organization));

  const rowsAt = new Map<Place, readonly Row[]>();
  if (main && nearest !== ofMain) rowsAt.set(main, ofMain);
  for (const place of further) {
    rowsAt.set(place, byPlace.get(place) ?? atPlace(place));
  }
  const rows = [...nearest, ...[...rowsAt.values()].flat()];
  accounting.read(...rows);
  const hours = hoursOf(
    `service ${service}`,
    scheduleRows(nearest),
    ownAttributes(source, service).values.opening_hours,
  );
  const there = [...rowsAt].map(([place, these]): [Place, Hours] => [
    place,
    hoursOf(`location ${place.location} of service ${service}`, scheduleRows(these)),
  ]);
  // What the main location says too need not be said twice.
  const besides = there.filter(([place, said]) => place !== main || said.hours !== hours.hours);
  return { service: hours, places: new Map(besides), rows };
}

const namesNoPlace = (row: Row): boolean =>
  row.cell('service_at_location_id') === '' && row.cell('location_id') === '';
