import type { EventPlace, Position } from '../event-store/port.ts';

/**
 * Read models: typed collections of plain JSON documents, written by one projection each.
 *
 * Writers pass the epoch of their lease. With several machines, writes with an older epoch than the newest seen are
 * refused (StoreError fenced). On one machine the lease is enough and the epoch is ignored.
 *
 * Designed after what MongoDB offers. Every adapter passes test/contract/documents.ts.
 */
export interface Documents {
  /** The serving generation of a collection, for reading. */
  collection<Doc extends object>(spec: CollectionSpec<Doc>): Collection<Doc>;

  /** The generations of a collection. */
  generations(name: string): Promise<Generations>;

  /** Creates a new, empty generation beside the serving one. */
  build<Doc extends object>(spec: CollectionSpec<Doc>, version: number, epoch?: number): Promise<Generation>;

  /** Opens a generation for writing. Only its projection may write it. */
  writer<Doc extends object>(
    spec: CollectionSpec<Doc>,
    generation: number,
    epoch?: number,
  ): Promise<CollectionWriter<Doc>>;

  /** Switches to a generation atomically and drops every other, except those in `keep`. */
  serve(name: string, generation: number, epoch?: number, keep?: readonly number[]): Promise<void>;

  /** Drops a generation that does not serve. */
  drop(name: string, generation: number, epoch?: number): Promise<void>;

  /**
   * Writes the changes of several collections, each with its own writer, and moves the checkpoints of all. The embedded
   * store uses one transaction. MongoDB writes the collections in parallel, each like `CollectionWriter.write`. After a
   * failure the same call may be repeated.
   *
   * @throws StoreError misuse, for a change that a collection cannot hold
   */
  commit(writes: readonly CollectionWrite[], checkpoint: Position): Promise<void>;

  /** The highest epoch of any write. 0 when the adapter ignores epochs. */
  highestEpoch(): Promise<number>;

  /** Drops all generations of a collection that is no longer used. */
  remove(name: string, epoch?: number): Promise<void>;

  /** The serving generation of every collection, with its checkpoint. */
  progress(): Promise<ReadonlyMap<string, Generation>>;

  /** Records from which log the read models are built, unless it is recorded already. Returns the recorded log. */
  recordSourceLog(log: string): Promise<string>;

  /** Resolves when a checkpoint may have changed, or after `timeoutMs`. */
  changed(timeoutMs: number): Promise<void>;

  close(): Promise<void>;
}

/** Documents that are read by id alone. */
export interface DocumentsById {
  collection<Doc extends object>(spec: CollectionSpec<Doc>): Pick<Collection<Doc>, 'get'>;
}

/** The values of fields that queries filter or order by. */
export type Scalar = string | number;

type FieldOf<Doc> = keyof Doc & string;

export interface CollectionSpec<Doc extends object> {
  readonly name: string;
  /** Top-level fields with scalar values, or absent. Queries filter and order by these, and `select` reads them. */
  readonly fields: readonly FieldOf<Doc>[];
  /** Ordered lists of fields. Every page needs a declared index. */
  readonly indexes: readonly (readonly FieldOf<Doc>[])[];
  /** A text field with the terms by which a TermQuery finds the document, separated by spaces. See TermQuery. */
  readonly terms?: FieldOf<Doc>;
  /**
   * A text field with the words that the document adds to the vocabulary, separated by spaces. Before each word stands
   * one digit, its rank; 0 is the best. A word consists of lower-case letters and digits, at most 100.
   */
  readonly vocabulary?: FieldOf<Doc>;
  /**
   * A unique integer field that is computed from the id. Documents are stored in its order, so that the documents of a
   * page are close together on disk. An adapter may ignore it.
   */
  readonly cluster?: { readonly field: FieldOf<Doc>; readonly fromId: (id: string) => number | undefined };
}

export interface Collection<Doc extends object> {
  get(id: string): Promise<Doc | undefined>;
  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, Doc>>;
  page(query: PageQuery<Doc>): Promise<Doc[]>;
  /** A page of some declared fields. Cheaper than `page`, because nothing else is read. */
  select<Field extends FieldOf<Doc>>(
    query: PageQuery<Doc>,
    fields: readonly Field[],
  ): Promise<Pick<Doc, Field>[]>;
  /** Counts documents, up to `atMost`. */
  count(query: CountQuery<Doc>): Promise<number>;
  /**
   * Words of the vocabulary: the best rank first, then the shortest, then in the order of code points. A word that no
   * document has any more may stay until the next rebuild. A word has the best rank that any document gave it.
   */
  vocabulary(query: VocabularyQuery, limit: number, lengths?: WordLengths): Promise<string[]>;
  /**
   * A version of the words with this beginning, for caches: it changes when one is added. Counts them, which is cheaper
   * than to read them.
   */
  vocabularyStamp(beginning: string): Promise<string>;
  /**
   * A version of the collection's content, for caches. It changes when any document may have changed. Undefined when
   * the store does not know it: then nothing may be cached.
   */
  stamp(): Promise<string | undefined>;
}

export type CountQuery<Doc extends object> = Pick<PageQuery<Doc>, 'where' | 'also' | 'matching' | 'among'> & {
  readonly atMost?: number;
};

export interface PageQuery<Doc extends object> {
  readonly where?: Readonly<Partial<Record<FieldOf<Doc>, Scalar>>>;
  /**
   * Further conditions, all of which hold. The declared index has their fields behind those of the order: documents
   * that do not fit are passed over in the index alone.
   */
  readonly also?: readonly Condition<FieldOf<Doc>>[];
  /** A declared index must begin with the fields of `where` followed by these. */
  readonly orderBy: readonly FieldOf<Doc>[];
  /** Starts after this place. It has one value for each field of `orderBy`. */
  readonly after?: readonly Scalar[];
  /** Starts at this value of the first field of `orderBy`, inclusive. */
  readonly from?: Scalar;
  /** Ends at this place, inclusive. */
  readonly upTo?: readonly Scalar[];
  readonly descending?: boolean;
  readonly skip?: number;
  readonly limit: number;
  /**
   * Which terms the document must have. In the order of the clustering field, and without `where`, such a page needs no
   * declared index.
   */
  readonly matching?: TermQuery;
  /**
   * With `matching`: reads documents in the order of a declared index and looks at the terms of each, where an adapter
   * would else sort all that match. For queries that many documents match, and a part of the order: see `upTo`.
   */
  readonly inOrder?: true;
  /**
   * With `matching`: collects which documents match, then reads a declared index and passes over the others, where an
   * adapter would else look up each that matches. For queries that a good part of the documents match, in any order.
   */
  readonly among?: true;
}

/** What a field holds: one of some values, at least `from`, less than `before`. A field that is absent never fits. */
export interface Condition<Field extends string = string> {
  readonly field: Field;
  readonly oneOf?: readonly Scalar[];
  readonly from?: Scalar;
  readonly before?: Scalar;
}

/**
 * Which terms a document must have. A term consists of lower-case letters and digits, at most 100 characters. Whatever
 * is none is ignored in a document, and no document has it. Terms are compared as a whole.
 */
export interface TermQuery {
  /** Of each group, a document has at least one term. An empty group matches nothing. At least one group. */
  readonly every: readonly (readonly string[])[];
  /** Documents that match one of these are left out. Each is like `every`. */
  readonly except?: readonly (readonly (readonly string[])[])[];
}

/** Words with this beginning, or with this ending. */
export type VocabularyQuery = { readonly beginning: string } | { readonly ending: string };

/** Bounds of a word's length in characters (code points). */
export interface WordLengths {
  readonly atLeast: number;
  readonly atMost: number;
}

export interface Generation {
  readonly generation: number;
  /** The version of the projection that fills it. */
  readonly version: number;
  /** Everything at or before this has been folded. */
  readonly checkpoint: Position;
  /** The last event that was folded. A different event at that position means a different log. */
  readonly lastEvent?: EventPlace;
}

export interface Generations {
  readonly serving: Generation | undefined;
  /** Being built, or kept after another one was served. Newest last. */
  readonly building: readonly Generation[];
}

export interface CollectionWriter<Doc extends object> {
  readonly checkpoint: Position;
  /** Documents and tombstones, each with the position of the last event that changed it. */
  load(ids: readonly string[]): Promise<ReadonlyMap<string, Stored<Doc>>>;
  /**
   * Writes documents and then the checkpoint. A document with a later position than the change is not changed. After a
   * failure some documents may be written, but not the checkpoint: repeat the same call. `lastEvent` is the last event
   * that was folded. Without it the recorded one stays.
   */
  write(changes: readonly Change<Doc>[], checkpoint: Position, lastEvent?: EventPlace): Promise<void>;
  /** Creates the indexes, after the bulk load. Called when the generation has caught up. */
  finish(): Promise<void>;
  /** How many documents there are, without tombstones. */
  count(): Promise<number>;
}

/** The changes of one writer in a commit of several. */
export interface CollectionWrite {
  readonly writer: CollectionWriter<object>;
  readonly changes: readonly Change<object>[];
  /** The last event that was folded. Without it the recorded one stays. */
  readonly lastEvent?: EventPlace;
}

export interface Stored<Doc> {
  /** Undefined: deleted. */
  readonly doc: Doc | undefined;
  readonly position: Position;
}

export interface Change<Doc> extends Stored<Doc> {
  readonly id: string;
  /** Of a batch that is interrupted, no other change is written unless all of these are. */
  readonly first?: true;
}

/** Letters that Unicode does not decompose, and their ASCII replacements. */
const undecomposed: Readonly<Record<string, string>> = { đ: 'd', ł: 'l', ø: 'o', ı: 'i', ħ: 'h', ŧ: 't' };

/**
 * The words of a text, as terms and vocabularies have them: sequences of letters and digits, in lower case and without
 * diacritics. A text without letters and digits has none.
 */
export function wordsOf(text: string): string[] {
  if (isAscii(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[đłøıħŧ]/g, (letter) => undecomposed[letter] ?? letter)
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
