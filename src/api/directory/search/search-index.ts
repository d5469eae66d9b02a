import { svcIdOf } from '../../../events/ids.ts';
import { defined } from '../../../ground/defined.ts';
import type { Collection, PageQuery, TermQuery } from '../../../stores/documents/port.ts';
import type { ResourceSearchDocument } from '../../../projections/directory/resource-search.ts';
import type { Lexicon } from './words/expand.ts';
import { Geocoder } from './geocoder.ts';

/** The first records of all that a search finds. */
export interface Widest {
  /** In the order of ids, at most one more than `mostCounted`. With `near`, those in the cells of its circle. */
  readonly candidates: readonly Candidate[];
  /** There are no others. */
  readonly isAll: boolean;
}

/** What is read of a record to decide whether and where it stands on a page. */
const candidateFields = ['number', 'updated_at', 'category'] as const;
type Further = 'places' | 'week' | 'facets';
export type Candidate = Pick<ResourceSearchDocument, (typeof candidateFields)[number] | Further>;
/** Of the fields that are long, those that a search compares. */
export type AlsoRead = readonly Further[];

/** Where a record stands in the order of changes. */
export type ChangePlace = readonly [updatedAt: string, number: number];

/** Records in the order of their changes, from a time or beyond a place. */
export interface ChangedPart {
  readonly since: string;
  readonly after: ChangePlace | undefined;
  readonly upTo?: ChangePlace | undefined;
}

const partOf = ({ since, after, upTo }: ChangedPart) =>
  ({
    where: { listed: 1 },
    orderBy: ['updated_at', 'number'],
    ...(after ? { after } : { from: since }),
    ...defined({ upTo }),
  }) as const;

/** The read model of the search, as the parts of the search ask it. */
export class SearchIndex implements Lexicon {
  /** Where the locations of its records are. */
  readonly geocoder = new Geocoder(this);
  readonly #collection: Collection<ResourceSearchDocument>;

  constructor(collection: Collection<ResourceSearchDocument>) {
    this.#collection = collection;
  }

  stamp(): Promise<string | undefined> {
    return this.#collection.stamp();
  }

  /** Records with these terms in the order of their ids. */
  candidates(
    matching: TermQuery,
    limit: number,
    {
      after,
      skip,
      also,
    }: {
      readonly after?: number | undefined;
      readonly skip?: number | undefined;
      readonly also: AlsoRead;
    },
  ): Promise<Candidate[]> {
    const query: PageQuery<ResourceSearchDocument> = {
      matching,
      orderBy: ['number'],
      limit,
      ...(after === undefined ? {} : { after: [after] }),
      ...defined({ skip }),
    };
    return this.#collection.select(query, [...candidateFields, ...also]);
  }

  /** Records with these terms that changed at or after `since`, in the order of their changes. */
  changed(
    matching: TermQuery,
    limit: number,
    part: ChangedPart & {
      readonly skip?: number | undefined;
      /** Looks at the terms of each record of the part: a bounded one, of which many match. */
      readonly each?: true;
      readonly also: AlsoRead;
    },
  ): Promise<Candidate[]> {
    const { skip, each, also } = part;
    const query: PageQuery<ResourceSearchDocument> = {
      ...partOf(part),
      matching,
      limit,
      ...defined({ skip }),
      ...(each ? { inOrder: each } : {}),
    };
    return this.#collection.select(query, [...candidateFields, ...also]);
  }

  /** The last of so many records of this part. Undefined when it has no more than that. */
  async lastOf(part: ChangedPart, records: number): Promise<ChangePlace | undefined> {
    const query = { ...partOf(part), skip: records - 1, limit: 2 };
    const [last, further] = await this.#collection.select(query, ['updated_at', 'number']);
    return last && further && [last.updated_at, last.number];
  }

  /** The terms of records, by their numbers. */
  async termsOf(numbers: readonly number[]): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
    const records = await this.#collection.getMany(numbers.map(svcIdOf));
    return new Map(
      Array.from(records.values(), ({ number, terms = '' }) => [number, new Set(terms.split(' '))]),
    );
  }

  count(matching: TermQuery, atMost: number): Promise<number> {
    return this.#collection.count({ matching, atMost });
  }

  /** When the last change that the index has seen was made. */
  async newest(): Promise<string | undefined> {
    const [last] = await this.#collection.select(
      { where: { listed: 1 }, orderBy: ['updated_at', 'number'], descending: true, limit: 1 },
      ['updated_at'],
    );
    return last?.updated_at;
  }

  frequency(stem: string, atMost: number): Promise<number> {
    return this.count({ every: [[`n${stem}`, `c${stem}`, `p${stem}`, `d${stem}`]] }, atMost);
  }

  /** Whether of some of the first thousand records it is known when they are open. */
  async knowsHours(): Promise<boolean> {
    const some = await this.#collection.select({ where: { listed: 1 }, orderBy: ['number'], limit: 1_000 }, [
      'week',
    ]);
    return some.some(({ week }) => week !== undefined);
  }

  /** Whether some record has one of the terms. */
  async hasAny(terms: readonly string[]): Promise<boolean> {
    return (await this.count({ every: [terms] }, 1)) > 0;
  }

  beginning(
    letters: string,
    limit: number,
    lengths?: { atLeast: number; atMost: number },
  ): Promise<string[]> {
    return this.#collection.vocabulary({ beginning: letters }, limit, lengths);
  }

  /** Changes when a word with this beginning is added. */
  wordsStamp(letters: string): Promise<string> {
    return this.#collection.vocabularyStamp(letters);
  }

  ending(letters: string, limit: number, lengths?: { atLeast: number; atMost: number }): Promise<string[]> {
    return this.#collection.vocabulary({ ending: letters }, limit, lengths);
  }
}
