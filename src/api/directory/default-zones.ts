import { teams } from '../../projections/teams.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { hoursZone, type DefaultZones } from '../../places/hours-zone.ts';
import { hoursPlaceOf } from '../../events/directory/location.ts';
import type { Location } from '../../events/directory/location.ts';
import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import type { ServerDependencies } from '../dependencies.ts';

/** Where the store knows no stamp, they are read again after this many milliseconds. */
const keptMs = 2_000;

/** The time zones of records that tell no other, as teams and the installation have them now. */
export class CurrentZones {
  readonly #teams;
  readonly #installation: string | undefined;
  #read:
    { readonly stamp: string | undefined; readonly at: number; readonly zones: DefaultZones } | undefined;

  constructor({ documents, config }: Pick<ServerDependencies, 'documents' | 'config'>) {
    this.#teams = documents.collection(teams.collection);
    this.#installation = config.timeZone;
  }

  /** Changes whenever they may have changed. See `Collection.stamp`. */
  stamp(): Promise<string | undefined> {
    return this.#teams.stamp();
  }

  async now(): Promise<DefaultZones> {
    const stamp = await this.stamp();
    const kept = this.#read;
    const isCurrent = stamp === undefined ? Date.now() - (kept?.at ?? 0) < keptMs : kept?.stamp === stamp;
    if (kept && isCurrent) return kept.zones;
    const all = await paginateAll(this.#teams, { orderBy: ['team'] });
    const ofTeams = all.flatMap(({ team, time_zone }) =>
      time_zone === undefined ? [] : [[team, time_zone] as const],
    );
    const zones = { teams: new Map(ofTeams), installation: this.#installation };
    this.#read = { stamp, at: Date.now(), zones };
    return zones;
  }
}

/** Fields whose locations name the zone of their hours, where it is another than that of the record. */
export type ZonedFields = Omit<UnsealedFields, 'locations'> & {
  readonly locations?: (Location & { readonly time_zone?: string })[] | undefined;
};

/** The fields with the zones in which their hours are, where they have structured hours: for pages. */
export function withHoursZone(fields: UnsealedFields, team: string, zones: DefaultZones): ZonedFields {
  const { opening_hours = [], time_zone, utc_offsets, locations = [] } = fields;
  if (opening_hours.length === 0 && !locations.some(hasHours)) return fields;
  if (time_zone !== undefined) return fields;
  const zoneOf = (places: readonly Location[]) =>
    hoursZone(
      { time_zone, utc_offsets, team, place: hoursPlaceOf(places) ?? hoursPlaceOf(locations) },
      zones,
    );
  const resolved = zoneOf(locations);
  const placed = locations.map((each) => {
    const there = hasHours(each) ? zoneOf([each]) : resolved;
    return there === undefined || there === resolved ? each : { ...each, time_zone: there };
  });
  return {
    ...fields,
    ...(resolved === undefined ? {} : { time_zone: resolved }),
    ...(fields.locations === undefined ? {} : { locations: placed }),
  };
}

const hasHours = ({ opening_hours = [] }: Location): boolean => opening_hours.length > 0;

/** The member of `zonedRecord`. */
export const hoursZoneMember = 'hours_time_zone';

/**
 * A record as JSON. Where it has structured hours and no `time_zone` of its own, `hours_time_zone` names the zone in which
 * they are: not a fact of the record, but what its place or a setting tells. A location with hours of its own
 * in another zone names that: `time_zone`.
 */
export function zonedRecord(record: string, team: string, zones: DefaultZones): string {
  if (!record.includes('"opening_hours":[{') || record.includes(',"time_zone":"')) return record;
  const shown = JSON.parse(record) as UnsealedFields;
  const { time_zone, locations = [] } = withHoursZone(
    { ...shown, locations: shown.locations ?? [] },
    team,
    zones,
  );
  const members = time_zone === undefined ? '' : `,"${hoursZoneMember}":${JSON.stringify(time_zone)}`;
  const text = locations.some((each) => each.time_zone !== undefined)
    ? JSON.stringify({ ...shown, locations })
    : record;
  return `${text.slice(0, -1)}${members}}`;
}
