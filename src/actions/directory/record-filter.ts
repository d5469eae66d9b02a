import { instantOf, offsetAt } from '../../events/directory/local-time.ts';
import { isCategory, type Category } from '../../events/directory/category.ts';
import { defined } from '../../ground/defined.ts';
import { lookupQueries, sortKey, type LookupQueries } from '../../projections/directory/lookup-terms.ts';
import type { RecordLookupDocument } from '../../projections/directory/record-lookup.ts';
import type { ResourceDocument } from '../../projections/directory/resources.ts';
import type { Condition } from '../../stores/documents/port.ts';

/** Which records of a team are meant: on a page, in a file, in a saved view, by an action over many. */
export interface RecordFilter {
  /** Words that it has, or its id. */
  readonly words?: string | undefined;
  readonly status?: ResourceDocument['status'] | undefined;
  readonly category?: Category | undefined;
  /** The name of a town. */
  readonly place?: string | undefined;
  /** The id of a source, or `writtenHere`. */
  readonly source?: string | undefined;
  /** The id or the name of an organization. */
  readonly organization?: string | undefined;
  /** Changed since a day, or within a period until now. */
  readonly changed?: string | undefined;
  /** `never`, or not since a day or within a period: then also those that never were. */
  readonly verified?: string | undefined;
}

/** Of a record that came from no source. */
export const writtenHere = '-';

/** Periods until now, by the number of days. */
export const periods: Readonly<Record<string, number>> = {
  '7-days': 7,
  '30-days': 30,
  '6-months': 183,
  '1-year': 365,
  '2-years': 730,
};

export const recordStatuses = ['submitted', 'approved', 'rejected', 'inactive'] as const;

type Name = keyof RecordFilter;

/** The parameters of an address, in the order in which they are written. */
const parameters: readonly (readonly [parameter: string, name: Name, longest: number])[] = [
  ['q', 'words', 200],
  ['status', 'status', 20],
  ['category', 'category', 20],
  ['place', 'place', 120],
  ['source', 'source', 200],
  ['organization', 'organization', 300],
  ['changed', 'changed', 10],
  ['verified', 'verified', 10],
];

/** Whether a value means something in a filter. Any words do, and the name of anything. */
const means: Partial<Readonly<Record<Name, (value: string) => boolean>>> = {
  status: (value) => recordStatuses.some((each) => each === value),
  category: isCategory,
  changed: (value) => isTime(value),
  verified: (value) => value === 'never' || isTime(value),
};

const isTime = (value: string): boolean => Object.hasOwn(periods, value) || isDay(value);

function isDay(value: string): boolean {
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
}

/** A filter as it stands in an address, and what of the address is none. */
export interface ParsedFilter {
  readonly filter: RecordFilter;
  /** Parameters with values that mean nothing, such as a kind of help that went. They do not narrow down. */
  readonly unknown: readonly { readonly parameter: string; readonly value: string }[];
}

export const recordFilter = {
  parse(query: URLSearchParams): ParsedFilter {
    const unknown: { parameter: string; value: string }[] = [];
    const found: Partial<Record<Name, string>> = {};
    for (const [parameter, name, longest] of parameters) {
      const value = (query.get(parameter) ?? '').trim().slice(0, longest);
      if (value === '') continue;
      if (means[name]?.(value) ?? true) found[name] = value;
      else unknown.push({ parameter, value });
    }
    return { filter: found as RecordFilter, unknown };
  },

  /** The parameters of an address. Empty: all records. */
  toQuery: (filter: RecordFilter): Readonly<Record<string, string>> =>
    defined(Object.fromEntries(parameters.map(([parameter, name]) => [parameter, filter[name]]))) as Readonly<
      Record<string, string>
    >,

  /**
   * What a record must be, as a query of the read model `recordLookup`. `now`: the end of its periods. `zone`: in which its days
   * begin, that of the reader.
   */
  conditions: (team: string, filter: RecordFilter, now: Date, zone = 'UTC'): RecordConditions => ({
    where: { team },
    also: narrowed(filter, now, zone),
    queries: lookupQueries({ team, words: filter.words, organization: filter.organization }),
  }),
};

export interface RecordConditions {
  readonly where: { readonly team: string };
  readonly also: readonly Condition<keyof RecordLookupDocument>[];
  /** Undefined: neither words nor an organization. */
  readonly queries: LookupQueries | undefined;
}

function narrowed(
  { status, category, place, source, changed, verified }: RecordFilter,
  now: Date,
  zone: string,
): Condition<keyof RecordLookupDocument>[] {
  const conditions: Condition<keyof RecordLookupDocument>[] = [];
  if (status !== undefined) conditions.push({ field: 'status', oneOf: [status] });
  if (category !== undefined) conditions.push({ field: 'category', oneOf: [category] });
  if (place !== undefined) conditions.push({ field: 'place', oneOf: [sortKey(place)] });
  if (source !== undefined)
    conditions.push({ field: 'source', oneOf: [source === writtenHere ? '' : source] });
  if (changed !== undefined)
    conditions.push({ field: 'updated_at', from: beginOf(dayOf(changed, now, zone), zone) });
  if (verified === 'never') conditions.push({ field: 'verified', oneOf: [''] });
  // The day of one that never was is empty, and so before any.
  else if (verified !== undefined) conditions.push({ field: 'verified', before: dayOf(verified, now, zone) });
  return conditions;
}

/** The day on which a time begins. */
function dayOf(time: string, now: Date, zone: string): string {
  const days = periods[time];
  if (days === undefined) return time;
  const at = now.getTime() - days * dayMs;
  return new Date(at + offsetAt(zone, at)).toISOString().slice(0, 10);
}

/** The first instant of a day. */
const beginOf = (day: string, zone: string): string =>
  new Date(instantOf(zone, Date.parse(`${day}T00:00:00Z`), 'first')).toISOString();

const dayMs = 86_400_000;
