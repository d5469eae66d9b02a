import { exceptionsIn } from './hours/exceptions.ts';
import { hoursOf, type Hours } from './hours/hours.ts';
import { scheduleRows } from './hours/schedule-rows.ts';
import { inWordsAlone } from './export/attributes.ts';
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

/** The hours of a service as a whole, and those of its locations. */
export function serviceHours(
  source: Source,
  service: string,
  organization: string,
  places: readonly Place[],
): ServiceHours {
  const [main] = places;
  const weekly = rowsByPlace(source, 'schedules', service, organization, places);
  const single = rowsByPlace(source, 'holidaySchedules', service, organization, places);
  const rows = [...weekly.ofService, ...[...weekly.atPlaces.values()].flat()];
  source.accounting.read(...rows, ...single.ofService, ...[...single.atPlaces.values()].flat());
  const ofService = hoursFrom(source, `service ${service}`, service, weekly.ofService, single.ofService);
  const there = [...weekly.atPlaces].map(([place, regular]): [Place, Hours] => [
    place,
    hoursFrom(
      source,
      `location ${place.location} of service ${service}`,
      place.location,
      regular,
      single.atPlaces.get(place) ?? [],
    ),
  ]);
  // What the main location says too need not be said twice.
  const besides = there.filter(([place, { hours }]) => place !== main || hours !== ofService.hours);
  return { service: ofService, places: new Map(besides), rows };
}

/** The hours that rows say. `id`: of the service or location that has them. */
export function hoursFrom(
  source: Source,
  owner: string,
  id: string,
  regular: readonly Row[],
  other: readonly Row[],
): Hours {
  const mark = ownAttributes(source, id).values.opening_hours;
  const { opening_hours, ...hours } = hoursOf(owner, scheduleRows(regular), mark, exceptionsIn(owner, other));
  return mark === inWordsAlone || opening_hours === undefined ? hours : { ...hours, opening_hours };
}

interface RowsByPlace {
  readonly ofService: readonly Row[];
  readonly atPlaces: ReadonlyMap<Place, readonly Row[]>;
}

/**
 * The hours of a service are those that it has at its main location: its own rows, without those for another one of its
 * locations; where it has none, the rows of the main location. Further locations have their own.
 */
function rowsByPlace(
  { related }: Source,
  table: 'schedules' | 'holidaySchedules',
  service: string,
  organization: string,
  places: readonly Place[],
): RowsByPlace {
  const [main, ...further] = places;
  const own = related.belongingTo(table, 'service_id', service);
  const byPlace = Map.groupBy(own, (row) => further.find((place) => isAt(row, place)));
  const atPlace = (place: Place): readonly Row[] => {
    const specific = related.belongingTo(table, 'service_at_location_id', place.serviceAtLocation);
    return specific.length > 0 ? specific : related.belongingTo(table, 'location_id', place.location);
  };
  const general = byPlace.get(undefined) ?? [];
  const here = general.filter((row) => !main || isAt(row, main) || namesNoPlace(row));
  const ofService = here.length > 0 ? here : general;
  const ofMain = main ? atPlace(main) : [];
  const nearest =
    [ofService, ofMain].find((rows) => rows.length > 0) ??
    (own.length > 0 ? [] : related.belongingTo(table, 'organization_id', organization));

  const atPlaces = new Map<Place, readonly Row[]>();
  if (main) atPlaces.set(main, nearest === ofMain ? [] : ofMain);
  for (const place of further) {
    atPlaces.set(place, byPlace.get(place) ?? atPlace(place));
  }
  return { ofService: nearest, atPlaces };
}

const namesNoPlace = (row: Row): boolean =>
  row.cell('service_at_location_id') === '' && row.cell('location_id') === '';
