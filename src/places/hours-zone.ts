import zoneAt from '@photostructure/tz-lookup';
import { readHoursPlace, type HoursPlace } from '../events/directory/location.ts';
import { defined } from '../ground/defined.ts';
import type { Point } from '../ground/earth.ts';
import { isTimeZone } from '../tables/time-zone.ts';
import { offsetsOf } from './zone-offsets.ts';
import { postalCode } from './postal-codes.ts';
import { stateZones } from './state-zones.ts';
import { stateCode } from './states.ts';
import { town } from './towns.ts';

/** What a record says of the zone of its hours. */
export interface ZoneFacts {
  readonly time_zone?: string | undefined;
  /** See `hoursPlaceOf`. */
  readonly place?: string | undefined;
  /** The distances from UTC that its source names: `-05:00`. They tell nothing about summer. */
  readonly utc_offsets?: readonly string[] | undefined;
  readonly team?: string | undefined;
}

/** The zones of records that do not tell theirs. */
export interface DefaultZones {
  /** By team. */
  readonly teams: ReadonlyMap<string, string>;
  /** Of the installation, `TIME_ZONE`. */
  readonly installation: string | undefined;
}

/**
 * The zone in which the hours of a record are: its own; else that of its place, by the coordinates, the postal code, the
 * town or the state; else the default of its team; else that of the installation. A default counts only where it can be
 * right: in a state with several zones it is one of them, and it has the distance from UTC that the source names.
 * Undefined where nothing tells it.
 *
 * Ask it when a page is made or a search compares, never in a fold.
 */
export function hoursZone(
  { time_zone, place, utc_offsets = [], team }: ZoneFacts,
  defaults: DefaultZones,
): string | undefined {
  if (time_zone !== undefined && isTimeZone(time_zone)) return time_zone;
  const there = place === undefined ? undefined : zoneOfPlace(place);
  if (there?.zone !== undefined) return there.zone;
  const fits = (zone: string | undefined): zone is string =>
    zone !== undefined &&
    (there?.among === undefined || there.among.includes(zone)) &&
    (utc_offsets.length === 0 || utc_offsets.some((offset) => offsetsOf(zone).includes(offset)));
  const own = team === undefined ? undefined : defaults.teams.get(team);
  if (fits(own)) return own;
  if (fits(defaults.installation)) return defaults.installation;
  const left = utc_offsets.length === 0 ? [] : (there?.among ?? []).filter(fits);
  return left.length === 1 ? left[0] : undefined;
}

/** What a place tells: its zone, or several of which it is one. */
interface PlaceZone {
  readonly zone?: string;
  readonly among?: readonly string[];
}

/** By what `hoursPlaceOf` wrote. Many records of a directory are at one place, and each is asked for with every search. */
const places = new Map<string, PlaceZone>();
const mostPlaces = 50_000;

function zoneOfPlace(written: string): PlaceZone {
  const cached = places.get(written);
  if (cached) return cached;
  if (places.size >= mostPlaces) places.clear();
  const zone = placeZone(readHoursPlace(written));
  places.set(written, zone);
  return zone;
}

/** Countries to ISO 3166, states to the post. */
const territories = ['AS', 'GU', 'MP', 'PR', 'VI'];

/**
 * At the border of a state the table of zones takes some points for the country or the state beyond it, and coordinates of
 * a source may be wrong: of the points that are known, the first counts whose zone the state has.
 */
function placeZone({
  latitude,
  longitude,
  postal_code = '',
  city = '',
  region = '',
  country = '',
}: HoursPlace): PlaceZone {
  const isTerritory = territories.includes(country);
  const isHere = country === '' || country === 'US' || isTerritory;
  const code = isHere ? postalCode(postal_code) : undefined;
  const state = isHere
    ? (stateCode(region) ?? code?.state ?? (isTerritory ? country : undefined))
    : undefined;
  const ofState = state === undefined ? undefined : stateZones(state);
  const points = [
    () => (latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }),
    () => code,
    () => (isHere && city !== '' && state !== undefined ? town(city, state) : undefined),
  ];
  for (const point of points) {
    const zone = zoneOfPoint(point());
    if (zone !== undefined && (ofState?.zones.includes(zone) ?? true)) return { zone };
  }
  const [most] = ofState?.zones ?? [];
  return ofState?.alone && most !== undefined ? { zone: most } : defined({ among: ofState?.zones });
}

/** On the sea there is no zone, only what is wrong. */
function zoneOfPoint(point: Point | undefined): string | undefined {
  if (!point || Math.abs(point.latitude) > 90 || Math.abs(point.longitude) > 180) return undefined;
  const zone = zoneAt(point.latitude, point.longitude);
  return zone.startsWith('Etc/') || !isTimeZone(zone) ? undefined : zone;
}
