import type { Place } from '../cursor.ts';
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
  #kept = new KeptRecords();
  #stamp: string | undefined;

  constructor(queries: ResourceQueries) {
    this.#queries = queries;
  }

  /** `stamp` was read after the request had arrived. Without one, nothing is kept. */
  async read(request: Omit<PageRequest, 'tier'>, stamp: string | undefined): Promise<RenderedPage> {
    // A change while this page is read begins other records; these are then dropped with what is added to them.
    const kept = this.#under(stamp);
    // One is not asked for twice before there is a chance.
    if (kept.size >= request.limit) {
      const { records: numbers, next } = await this.#queries.numbers(request);
      const records = kept.all(numbers);
      if (records) return { records, next };
    }
    const page = await this.#queries.checkedPage(request);
    const records = page.records.map(({ number, record, version }) =>
      kept.add(number, { bytes: Buffer.from(record), version }),
    );
    return { records, next: page.next };
  }

  #under(stamp: string | undefined): KeptRecords {
    if (stamp === undefined) return new KeptRecords();
    if (stamp !== this.#stamp) this.#kept = new KeptRecords();
    this.#stamp = stamp;
    return this.#kept;
  }
}

/** Records by number, of one state of the collection. */
class KeptRecords {
  readonly #records = new Map<number, RenderedRecord>();
  #bytes = 0;

  get size(): number {
    return this.#records.size;
  }

  add(number: number, record: RenderedRecord): RenderedRecord {
    if (this.#records.has(number)) return record;
    this.#bytes += record.bytes.length + overheadBytes;
    if (this.#bytes > keptBytes) {
      this.#records.clear();
      this.#bytes = record.bytes.length + overheadBytes;
    }
    this.#records.set(number, record);
    return record;
  }

  /** Undefined when one of them is not kept. */
  all(numbers: readonly number[]): readonly RenderedRecord[] | undefined {
    const found: RenderedRecord[] = [];
    for (const number of numbers) {
      const record = this.#records.get(number);
      if (!record) return undefined;
      found.push(record);
    }
    return found;
  }
}
