import { clockAt } from '../../../events/directory/local-time.ts';
import { statusAt } from '../../../events/directory/opening-status.ts';
import { defined } from '../../../ground/defined.ts';
import { hoursZone, type DefaultZones } from '../../../places/hours-zone.ts';
import { readWeek, type SearchWeek } from '../../../projections/directory/resource-search.ts';
import type { Distance, Geocoder } from './geocoder.ts';
import type { Hit, OpenOn, SearchRequest } from './request.ts';
import type { Candidate } from './search-index.ts';

/** In which a day is looked at of a record without a zone: in the middle of the United States. */
const usualZone = 'America/Chicago';

/** A record that may stand on the page, with its distance where the request names a place. */
export interface Passed {
  readonly candidate: Candidate;
  readonly distance?: Distance;
}

/**
 * What the index cannot tell: the exact distance, and whether the record has changed since the first page. Undefined
 * where the record does not belong on the page.
 */
export function inReach(
  candidate: Candidate,
  { near }: Pick<SearchRequest, 'near'>,
  newest: string | undefined,
  geocoder: Geocoder,
): Passed | undefined {
  if (newest !== undefined && candidate.updated_at > newest) return undefined;
  if (!near) return { candidate };
  const distance = geocoder.distanceTo(candidate.places, near);
  return distance === undefined || distance.km > near.radiusKm ? undefined : { candidate, distance };
}

/** How a hit tells its distance. */
export const distanceOfHit = (distance: Distance | undefined): Omit<Hit, 'number'> =>
  distance === undefined
    ? {}
    : {
        distanceKm: distance.km,
        ...(distance.approximate ? { approximate: true as const } : {}),
        ...defined({ point: distance.point }),
      };

/** Whether a request asks for records that are open at some time. */
export const isTimed = ({ openAt, openOn }: Pick<SearchRequest, 'openAt' | 'openOn'>): boolean =>
  openAt !== undefined || openOn !== undefined;

/** Whether the opening hours tell that the record is open when the request asks for it. */
export const isOpenThen = (
  candidate: Candidate,
  { openAt, openOn, zones }: Pick<SearchRequest, 'openAt' | 'openOn' | 'zones'>,
): boolean =>
  (openAt === undefined || isOpenAt(candidate, openAt, zones)) &&
  (openOn === undefined || isOpenOn(candidate, openOn, zones));

/** Whether the opening hours, of the record or of one of its locations, name the day. */
function isOpenOn({ week }: Candidate, openOn: OpenOn, zones: DefaultZones = noZones): boolean {
  if (week === undefined) return false;
  const { opening_hours, availability: _, locations = [], ...facts } = readWeek(week);
  const dayIn = (zone: string | undefined) =>
    'day' in openOn ? openOn.day : clockAt(zone ?? usualZone, new Date(openOn.instant)).weekday;
  const names = (rules: SearchWeek['opening_hours'] = [], place = facts.place): boolean => {
    if (rules.length === 0) return false;
    const day = dayIn(hoursZone({ ...facts, place }, zones));
    return rules.some(({ days }) => days.includes(day));
  };
  return names(opening_hours) || locations.some((each) => names(each.opening_hours, each.place));
}

/**
 * Whether the opening hours, of the record or of one of its locations, tell that it is open at the instant. `zones`: for
 * those that do not tell theirs.
 */
export function isOpenAt({ week }: Candidate, instant: string, zones: DefaultZones = noZones): boolean {
  if (week === undefined) return false;
  const { opening_hours, availability, locations = [], ...facts } = readWeek(week);
  const isOpen = (rules: SearchWeek['opening_hours'] = [], place = facts.place): boolean => {
    const time_zone = rules.length === 0 ? undefined : hoursZone({ ...facts, place }, zones);
    if (time_zone === undefined) return false;
    return statusAt({ opening_hours: rules, availability, time_zone }, new Date(instant)).state === 'open';
  };
  return isOpen(opening_hours) || locations.some((each) => isOpen(each.opening_hours, each.place));
}

const noZones: DefaultZones = { teams: new Map(), installation: undefined };
