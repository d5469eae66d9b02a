import type { Place } from '../cursor.ts';
import { StampedCache } from '../../http/responses/stamped-cache.ts';
import type { PageRequest, ResourceQueries } from '../resource-queries.ts';

/** A record as the developer tier shows it. */
export interface RenderedRecord {
  readonly bytes: Buffer;
  /** Another one whenever the record changes. */
  readonly version: string;
}

export interface RenderedPage {
  readonly records: readonly RenderedRecord[];
  readonly next: Place | undefined;
}

/** Memory for records. A directory with more of them than fit here is read as if none were kept. */
const keptBytes = 16 * 1024 * 1024;
/** What a record costs beside its bytes. */
const overheadBytes = 300;

/**
 * Pages of the developer tier, the one that is asked for most, in bytes. Records are kept while nothing in the collection
 * changes: of a page whose records are all kept, only their numbers are read, which an index has. That takes a third of
 * the time of reading the records, which would also have to be checked and encoded.
 */
export class DeveloperPages {
  readonly #queries: ResourceQueries;
  /** By number. */
  readonly #kept = new StampedCache<RenderedRecord>({
    maxSize: keptBytes,
    sizeCalculation: ({ bytes }) => bytes.length + overheadBytes,
  });

  constructor(queries: ResourceQueries) {
    this.#queries = queries;
  }

  /** `stamp` was read after the request had arrived. Without one, nothing is kept. */
  async read(request: Omit<PageRequest, 'tier'>, stamp: string | undefined): Promise<RenderedPage> {
    // One is not asked for twice before there is a chance.
    if (this.#kept.countUnder(stamp) >= request.limit) {
      const { records: numbers, next } = await this.#queries.numbers(request);
      const records = this.#all(numbers, stamp);
      if (records) return { records, next };
    }
    const page = await this.#queries.checkedPage(request);
    const records = page.records.map(({ number, record, version }) => {
      const rendered = { bytes: Buffer.from(record), version };
      this.#kept.put(String(number), stamp, rendered);
      return rendered;
    });
    return { records, next: page.next };
  }

  /** Undefined when one of them is not kept. */
  #all(numbers: readonly number[], stamp: string | undefined): readonly RenderedRecord[] | undefined {
    const found: RenderedRecord[] = [];
    for (const number of numbers) {
      const record = this.#kept.get(String(number), stamp);
      if (!record) return undefined;
      found.push(record);
    }
    return found;
  }
}
