import type { ServerDependencies } from '../dependencies.ts';
import { CurrentZones } from './default-zones.ts';
import type { SearchPage, SearchRequest } from './search/request.ts';
import { Search } from './search/search.ts';
import { ResourceQueries, type Form } from './resource-queries.ts';
import { freshestFirst } from './upkeep/freshest-first.ts';

/** What a search found, with the records as JSON. */
export interface FoundRecords extends SearchPage {
  /** Those that are public at this moment. With `near`, each has distance_km, and distance_approximate where it is so. */
  readonly records: readonly string[];
}

/** Searches, and reads what they found: the search may be behind the records or ahead of them. */
export class RecordSearch {
  readonly search: Search;
  readonly #queries: ResourceQueries;
  readonly #zones: CurrentZones;

  constructor(dependencies: Pick<ServerDependencies, 'documents' | 'personal' | 'config'>) {
    this.search = new Search(dependencies);
    this.#zones = new CurrentZones(dependencies);
    this.#queries = new ResourceQueries(dependencies);
  }

  /** The stamp for pages of searches. */
  async stamp(): Promise<string | undefined> {
    const [found, shown] = await Promise.all([this.search.stamp(), this.#queries.stamp()]);
    return found === undefined || shown === undefined ? undefined : `${found} ${shown}`;
  }

  /** `zoned`: each names the zone of its hours, as `zonedRecord` does. */
  async read(
    request: SearchRequest,
    form: Form,
    { zoned = false }: { readonly zoned?: boolean } = {},
  ): Promise<FoundRecords> {
    const page = await this.search.find(request);
    const recordOf = await this.#queries.publicRecords(
      page.hits.map(({ number }) => number),
      form,
      zoned ? await this.#zones.now() : undefined,
    );
    const found = page.hits.flatMap((hit) => {
      const record = recordOf(hit.number);
      return record === undefined ? [] : [{ ...hit, record }];
    });
    const records = freshestFirst(found).flatMap(({ record, distanceKm, approximate }) => {
      if (distanceKm === undefined) return [record];
      const mark = approximate ? ',"distance_approximate":true' : '';
      return [`${record.slice(0, -1)},"distance_km":${distanceKm}${mark}}`];
    });
    // Records that are no longer public are left out before it as well.
    const partialFrom = page.hits
      .slice(0, page.partialFrom ?? 0)
      .filter(({ number }) => recordOf(number) !== undefined).length;
    return { ...page, records, ...(page.partialFrom === undefined ? {} : { partialFrom }) };
  }
}
