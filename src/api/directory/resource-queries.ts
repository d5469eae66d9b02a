import { svcIdOf } from '../../events/ids.ts';
import { defined } from '../../ground/defined.ts';
import {
  developerTier,
  legacyTier,
  resources,
  teamTier,
  type ResourceDocument,
} from '../../projections/directory/resources.ts';
import { checksumOf } from '../../projections/engine/record-json.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import type { Collection, Documents } from '../../stores/documents/port.ts';
import { damagedRecord } from '../http/responses/cached-response.ts';
import type { DefaultZones } from '../../places/hours-zone.ts';
import type { Filter, Place } from './cursor.ts';
import { zonedRecord } from './default-zones.ts';
import { managedTier } from './managed-resource.ts';
import { openedMembers } from './people-members.ts';

export type Tier = 'developer' | 'team';
/** The legacy endpoint has a form of its own of the developer tier. */
export type Form = Tier | 'legacy';

/** Of each, what it needs beside `card`. */
const needed = { developer: [], team: ['details', 'people'], legacy: ['source_name'] } as const;

/** Records as JSON, or what else is read of each. */
export interface Page<Read = string> {
  readonly records: readonly Read[];
  /** Where the next page starts. Undefined when there is none. */
  readonly next: Place | undefined;
}

/** A record that was compared with its checksum: it is whole, and need not be parsed. */
interface CheckedRecord {
  readonly number: number;
  /** As JSON. */
  readonly record: string;
  /** Another one whenever the record changes. */
  readonly version: string;
}

export interface PageRequest {
  readonly filter: Filter;
  readonly tier: Form;
  readonly limit: number;
  readonly place?: Place | undefined;
  readonly skip?: number;
  /** Names the zones of hours, as `zonedRecord` does. */
  readonly zones?: DefaultZones | undefined;
}

/** Reads pages of resources in the requested tier, each with an index. */
export class ResourceQueries {
  readonly #resources: Collection<ResourceDocument>;
  readonly #personal: PersonalData;

  constructor({ documents, personal }: { readonly documents: Documents; readonly personal: PersonalData }) {
    this.#personal = personal;
    this.#resources = documents.collection(resources.collection);
  }

  /** The stamp for pages of lists. */
  stamp(): Promise<string | undefined> {
    return this.#resources.stamp();
  }

  read(request: PageRequest): Promise<Page> {
    if (request.filter.status !== undefined) return this.#managed(request);
    return this.#listed(request);
  }

  /** The number of public resources, of one category or one organization, or of all. */
  count(filter: Pick<Filter, 'category' | 'organization'>): Promise<number> {
    return this.#resources.count({ where: publicOf(filter) });
  }

  async #listed({ filter, tier, ...rest }: PageRequest): Promise<Page> {
    if (tier === 'developer' && rest.zones === undefined) {
      const { records, next } = await this.checkedPage({ filter, ...rest });
      return { records: records.map(({ record }) => record), next };
    }
    const query = queryOf(filter, rest);
    const order = query.orderBy;
    const rows = await this.#resources.select(query, [
      'number',
      'team',
      'card',
      'updated_at',
      ...needed[tier],
    ]);
    const render = await this.#renderOf(tier, rows);
    return pageOf(rows, rest.limit, order, zoned(render, rest.zones));
  }

  /** A page of the developer tier. */
  async checkedPage({ filter, ...rest }: Omit<PageRequest, 'tier'>): Promise<Page<CheckedRecord>> {
    const query = queryOf(filter, rest);
    const rows = await this.#resources.select(query, ['number', 'card', 'updated_at', 'checksum']);
    return pageOf(rows, rest.limit, query.orderBy, (row) => {
      const record = developerTier(row);
      if (checksumOf(record) !== row.checksum) throw damagedRecord();
      return { number: row.number, record, version: `${row.updated_at} ${row.checksum} ` };
    });
  }

  /** The numbers of a page of public records. An index has them. */
  async numbers({ filter, ...rest }: Omit<PageRequest, 'tier'>): Promise<Page<number>> {
    const query = queryOf(filter, rest);
    const rows = await this.#resources.select(query, [
      'number',
      ...query.orderBy.filter((field) => field !== 'number'),
    ]);
    return pageOf(rows, rest.limit, query.orderBy, ({ number }) => number);
  }

  /** Of records with these numbers, those that are public, as JSON. */
  async publicRecords(
    numbers: readonly number[],
    form: Form,
    zones?: DefaultZones,
  ): Promise<(number: number) => string | undefined> {
    const docs = await this.#resources.getMany(numbers.map(svcIdOf));
    const render = zoned(await this.#renderOf(form, [...docs.values()]), zones);
    return (number) => {
      const doc = docs.get(svcIdOf(number));
      return doc?.listed === 1 ? render(doc) : undefined;
    };
  }

  /** How records of a page are rendered. Only the team tier has what they say about persons opened. */
  async #renderOf(form: Form, rows: readonly Rendered[]): Promise<(row: Rendered) => string> {
    if (form === 'legacy') return legacyTier;
    if (form === 'developer') return developerTier;
    const people = await openedMembers(this.#personal, rows);
    return (row) => teamTier(row, people(row));
  }

  async #managed({ filter: { team = '', status = '' }, limit, place }: PageRequest): Promise<Page> {
    const docs = await this.#resources.page({
      where: { team, status },
      orderBy: ['number'],
      limit: limit + 1,
      ...defined({ after: place }),
    });
    const people = await openedMembers(this.#personal, docs);
    return pageOf(docs, limit, ['number'], (doc) => managedTier(doc, people(doc)));
  }
}

/** How records are rendered, with the zones of their hours where these are given. */
const zoned =
  (render: (row: Rendered) => string, zones: DefaultZones | undefined) =>
  (row: Rendered): string =>
    zones === undefined ? render(row) : zonedRecord(render(row), row.team, zones);

type Rendered = Pick<ResourceDocument, 'team' | 'card' | 'details' | 'people' | 'source_name' | 'updated_at'>;
type Ordered = 'number' | 'updated_at';

const publicOf = ({ category, organization }: Pick<Filter, 'category' | 'organization'>) => ({
  listed: 1,
  ...defined({ category, organization }),
});

/** Reads one more than requested, which shows whether there is a next page. */
function queryOf(
  { category, organization, updatedSince }: Filter,
  { limit, place, skip }: Omit<PageRequest, 'filter' | 'tier'>,
) {
  const orderBy: Ordered[] = updatedSince === undefined ? ['number'] : ['updated_at', 'number'];
  return {
    where: publicOf({ category, organization }),
    orderBy,
    limit: limit + 1,
    ...(place ? { after: place } : defined({ from: updatedSince })),
    ...defined({ skip }),
  };
}

function pageOf<
  Row extends Pick<ResourceDocument, 'number'> & Partial<Pick<ResourceDocument, Ordered>>,
  Read,
>(
  rows: readonly Row[],
  limit: number,
  order: readonly Ordered[],
  read: (row: Row) => Read | undefined,
): Page<Read> {
  const records: Read[] = [];
  for (let index = 0; index < rows.length && index < limit; index++) {
    const record = read(rows[index] as Row);
    if (record !== undefined) records.push(record);
  }
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { records, next: last && order.map((field) => last[field] ?? '') };
}
