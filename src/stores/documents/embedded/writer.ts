import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { StoreError } from '../../errors.ts';
import { inFile, snapshot, storeError, transaction } from '../../sqlite.ts';
import type { EventPlace, Position } from '../../event-store/port.ts';
import {
  type CollectionSpec,
  type CollectionWrite,
  type CollectionWriter,
  type Change,
  type Documents,
  type Stored,
} from '../port.ts';
import { table, type Table } from './table.ts';
import { TermWriter } from './term-writer.ts';

type Row = Record<string, string | number | null>;

interface WriteHooks {
  /** Commits writes of this store; see `Documents.commit`. */
  readonly commit: Documents['commit'];
  /** Called when the bulk load has ended. */
  readonly finished: () => void;
}

/** A generation as its writer opens it. */
interface Opened {
  readonly generation: number;
  readonly checkpoint: number;
  /** Its bulk load has ended. */
  readonly isFinished: boolean;
}

/** The texts of a document that an index is made from. Undefined where its collection declares none. */
interface Indexed {
  readonly terms: string | undefined;
  readonly vocabulary: string | undefined;
}

const unknown: Indexed = { terms: '', vocabulary: undefined };

/** The only writer of a generation. A batch and its checkpoint are one transaction. */
export class EmbeddedCollectionWriter<Doc extends object> implements CollectionWriter<Doc> {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #spec: CollectionSpec<Doc>;
  readonly #table: Table;
  readonly #generation: number;
  readonly #declared: ReadonlySet<string>;
  readonly #hooks: WriteHooks;
  readonly #load: StatementSync;
  readonly #put: StatementSync;
  readonly #keyOf: StatementSync;
  readonly #moveOn: StatementSync;
  readonly #noteLast: StatementSync;
  readonly #terms: TermWriter;
  /** What the documents loaded for the next write have in the index; undefined for missing documents. */
  readonly #loaded = new Map<string, Indexed | undefined>();
  #checkpoint: Position;
  #isFinished: boolean;

  constructor(
    db: DatabaseSync,
    path: string,
    spec: CollectionSpec<Doc>,
    { generation, checkpoint, isFinished }: Opened,
    hooks: WriteHooks,
  ) {
    this.#db = db;
    this.#path = path;
    this.#spec = spec;
    this.#generation = generation;
    this.#checkpoint = BigInt(checkpoint);
    this.#isFinished = isFinished;
    this.#hooks = hooks;
    this.#table = table(spec, generation);
    this.#declared = new Set(spec.fields);
    const { name, termTables } = this.#table;
    this.#terms = new TermWriter(db, termTables);
    if (!isFinished) this.#terms.load('begins');
    const columns = ['_id', '_position', '_deleted', ...spec.fields.map((field) => `"${field}"`), '_body'];
    this.#load = db.prepare(`SELECT * FROM ${name} WHERE ${spec.cluster ? '_key' : '_id'} = ?`);
    this.#put = db.prepare(
      `INSERT INTO ${name} (_key, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})` +
        ` ON CONFLICT (${spec.cluster ? '_key' : '_id'}) DO UPDATE SET` +
        ` ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}` +
        ` WHERE excluded._position > ${name}._position`,
    );
    this.#keyOf = db.prepare(`SELECT _key FROM ${name} WHERE _id = ?`);
    this.#moveOn = db.prepare(
      // `changed` rises with every batch that has documents, even when two of them end at one checkpoint.
      `UPDATE generations SET checkpoint = max(checkpoint, ?1), changed = iif(?2, max(?1, changed + 1), changed)
       WHERE name = ?3 AND generation = ?4`,
    );
    this.#noteLast = db.prepare(
      `INSERT INTO last_events VALUES (?, ?, ?, ?) ON CONFLICT (name, generation)
       DO UPDATE SET position = excluded.position, id = excluded.id WHERE excluded.position > position`,
    );
  }

  get checkpoint(): Position {
    return this.#checkpoint;
  }

  /** The unique name of this generation. */
  get key(): string {
    return `${this.#spec.name}.${this.#generation}`;
  }

  /** The index of terms, once its bulk load has ended: it can be merged. Undefined without one. */
  get loadedTerms(): TermWriter | undefined {
    return this.#isFinished && this.#spec.terms !== undefined ? this.#terms : undefined;
  }

  async load(ids: readonly string[]): Promise<ReadonlyMap<string, Stored<Doc>>> {
    const found = new Map<string, Stored<Doc>>();
    const loadAll = () => {
      for (const id of ids) {
        const stored = this.#stored(id);
        if (stored) found.set(id, stored);
      }
    };
    // Alone, each statement takes a snapshot of the file, which costs more than to find the document.
    if (ids.length > 1) snapshot(this.#db, loadAll);
    else loadAll();
    return found;
  }

  async write(changes: readonly Change<Doc>[], checkpoint: Position, lastEvent?: EventPlace): Promise<void> {
    const writer = this as CollectionWriter<object>;
    await this.#hooks.commit([{ writer, changes, ...(lastEvent ? { lastEvent } : {}) }], checkpoint);
  }

  /** Writes in a transaction of the caller, which then calls `committed` or `rolledBack`. */
  apply({ changes, lastEvent }: Omit<CollectionWrite, 'writer'>, checkpoint: Position): void {
    for (const change of changes) this.#write(change as Change<Doc>);
    const changed = changes.length > 0 ? 1 : 0;
    const moved = this.#moveOn.run(checkpoint, changed, this.#spec.name, this.#generation);
    if (moved.changes === 0)
      throw new StoreError('misuse', `${this.#spec.name} has no generation ${this.#generation} any more.`);
    if (lastEvent) this.#noteLast.run(this.#spec.name, this.#generation, lastEvent.position, lastEvent.id);
  }

  /** Never moves back: the given checkpoint may be older. */
  committed(checkpoint: Position): void {
    if (checkpoint > this.#checkpoint) this.#checkpoint = checkpoint;
    this.#loaded.clear();
  }

  rolledBack(): void {
    this.#loaded.clear();
    this.#terms.rolledBack();
  }

  async finish(): Promise<void> {
    try {
      // Step by step, so that others can write in between. Not with each start: that writes the whole index anew.
      if (!this.#isFinished) this.#terms.load('ends');
      for (let step = 0; !this.#isFinished && this.#terms.mergeStep(step === 0); step++) await nextTurn();
      transaction(this.#db, () => {
        this.#db.exec(this.#table.createIndexes);
        this.#db
          .prepare('UPDATE generations SET finished = 1 WHERE name = ? AND generation = ?')
          .run(this.#spec.name, this.#generation);
      });
    } catch (error) {
      throw storeError(error, this.#path);
    }
    this.#isFinished = true;
    this.#hooks.finished();
  }

  async count(): Promise<number> {
    const sql = `SELECT count(*) AS n FROM ${this.#table.name} WHERE _deleted = 0`;
    return inFile(this.#path, () => (this.#db.prepare(sql).get() as { n: number }).n);
  }

  #write({ id, doc, position }: Change<Doc>): void {
    const { cluster, fields } = this.#spec;
    const values: (string | number | null)[] = fields.map(
      (field) => (doc?.[field] as string | number | undefined) ?? null,
    );
    const key = cluster ? cluster.fromId(id) : null;
    if (key === undefined)
      throw new StoreError('misuse', `${this.#spec.name} cannot hold ${id}: it has no place there.`);
    const { changes } = this.#put.run(
      key,
      id,
      position,
      doc ? 0 : 1,
      ...values,
      doc ? this.#bodyOf(doc) : null,
    );
    if (changes > 0 && this.#isIndexed) this.#index(id, key ?? this.#storedKeyOf(id), doc);
  }

  /** Indexing costs far more than writing the document, so it is done only when something in the index changes. */
  #index(id: string, key: number, doc: Doc | undefined): void {
    // A document that was not loaded may have anything in the index.
    const before = this.#loaded.has(id) ? this.#loaded.get(id) : unknown;
    const after = doc && this.#indexedOf(doc);
    if (before?.terms !== after?.terms || before === unknown) {
      if (before?.terms !== undefined) this.#terms.remove(key);
      if (after?.terms !== undefined) this.#terms.add(key, after.terms);
    }
    if (after?.vocabulary !== undefined && after.vocabulary !== before?.vocabulary) {
      this.#terms.addWords(after.vocabulary);
    }
    this.#loaded.set(id, after);
  }

  get #isIndexed(): boolean {
    const { terms, vocabulary } = this.#spec;
    return terms !== undefined || vocabulary !== undefined;
  }

  #indexedOf(doc: Doc): Indexed {
    const { terms, vocabulary } = this.#spec;
    return {
      terms: terms && textOf(doc[terms]),
      vocabulary: vocabulary && textOf(doc[vocabulary]),
    };
  }

  /** A document, after noting what of it is in the indexes. */
  #stored(id: string): Stored<Doc> | undefined {
    const key = this.#spec.cluster ? this.#spec.cluster.fromId(id) : id;
    if (key === undefined) return undefined;
    const row = this.#load.get(key) as Row | undefined;
    if (row?.['_id'] !== id) {
      if (!row) this.#loaded.set(id, undefined);
      return undefined;
    }
    const doc = row['_deleted'] ? undefined : documentOf<Doc>(row, this.#spec);
    this.#loaded.set(id, doc && this.#indexedOf(doc));
    return { doc, position: BigInt(row['_position'] as number) };
  }

  #storedKeyOf(id: string): number {
    return (this.#keyOf.get(id) as { _key: number })._key;
  }

  #bodyOf(doc: Doc): string {
    const rest: Record<string, unknown> = {};
    for (const field in doc) if (!this.#declared.has(field)) rest[field] = doc[field];
    return JSON.stringify(rest);
  }
}

/** A row as the document it was written from. */
export function documentOf<Doc extends object>(
  row: Row,
  { fields }: Pick<CollectionSpec<Doc>, 'fields'>,
): Doc {
  const doc = JSON.parse(row['_body'] as string) as Record<string, unknown>;
  for (const field of fields) {
    const value = row[field];
    if (value !== null) doc[field] = value;
  }
  return doc as Doc;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
