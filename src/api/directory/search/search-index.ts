import type { Collection, PageQuery, TermQuery } from '../../../stores/documents/port.ts';
import type { ResourceSearchDocument } from '../../../projections/directory/resource-search.ts';
import type { Lexicon } from './expand.ts';

/** What is read of a record to decide whether and where it stands on a page. */
const candidateFields = ['number', 'updated_at', 'category'] as const;
type Further = 'places' | 'week' | 'facets';
export type Candidate = Pick<ResourceSearchDocument, (typeof candidateFields)[number] | Further>;
/** Of the fields that are long, those that a search compares. */
export type AlsoRead = readonly Further[];

/** The read model of the search, as the parts of the search ask it. */
export class SearchIndex implements Lexicon {
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
      ...(skip === undefined ? {} : { skip }),
    };
    return this.#collection.select(query, [...candidateFields, ...also]);
  }

  /** Records with these terms that changed at or after `since`, in the order of their changes. */
  changed(
    matching: TermQuery,
    limit: number,
    since: string,
    after: readonly [string, number] | undefined,
    skip: number | undefined,
    also: AlsoRead,
  ): Promise<Candidate[]> {
    const query: PageQuery<ResourceSearchDocument> = {
      where: { listed: 1 },
      matching,
      orderBy: ['updated_at', 'number'],
      limit,
      ...(after ? { after } : { from: since }),
      ...(skip === undefined ? {} : { skip }),
    };
    return this.#collection.select(query, [...candidateFields, ...also]);
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

  async knows(stem: string): Promise<boolean> {
    return (await this.count({ every: [[`n${stem}`, `c${stem}`, `p${stem}`, `d${stem}`]] }, 1)) > 0;
  }

  beginning(
    letters: string,
    limit: number,
    lengths?: { atLeast: number; atMost: number },
  ): Promise<string[]> {
    return this.#collection.vocabulary({ beginning: letters }, limit, lengths);
  }

  ending(letters: string, limit: number, lengths?: { atLeast: number; atMost: number }): Promise<string[]> {
    return this.#collection.vocabulary({ ending: letters }, limit, lengths);
  }
}
