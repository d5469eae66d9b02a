import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { StoreError } from '../../errors.ts';
import { storeError, transaction } from '../../sqlite.ts';
import type { Position } from '../../event-store/port.ts';
import { wordsOf, type Change, type CollectionSpec, type CollectionWriter, type Stored } from '../port.ts';
import { table, type Table } from './table.ts';

type Row = Record<string, string | number | null>;

/** What happens around every batch: a check that may throw, and word to those who wait. */
interface WriteHooks {
  readonly before: () => void;
  readonly after: () => void;
}

/** The one writer of a generation: a batch and its checkpoint are one transaction. */
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
  readonly #moveOn: StatementSync;
  readonly #unindex: StatementSync | undefined;
  readonly #indexWords: StatementSync | undefined;
  #checkpoint: number;

  constructor(
    db: DatabaseSync,
    path: string,
    spec: CollectionSpec<Doc>,
    generation: number,
    checkpoint: number,
    hooks: WriteHooks,
  ) {
    this.#db = db;
    this.#path = path;
    this.#spec = spec;
    this.#generation = generation;
    this.#checkpoint = checkpoint;
    this.#hooks = hooks;
    this.#table = table(spec as never, generation);
    this.#declared = new Set(spec.fields);
    const { name, searchName } = this.#table;
    const columns = ['_id', '_position', '_deleted', ...spec.fields.map((field) => `"${field}"`), '_body'];
    this.#load = db.prepare(`SELECT * FROM ${name} WHERE ${spec.cluster ? '_key' : '_id'} = ?`);
    this.#put = db.prepare(
      `INSERT INTO ${name} (_key, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})` +
        ` ON CONFLICT (${spec.cluster ? '_key' : '_id'}) DO UPDATE SET` +
        ` ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}` +
        ` WHERE excluded._position > ${name}._position RETURNING _key`,
    );
    this.#moveOn = db.prepare(
      // `changed` rises with every batch that has documents, even when two of them end at one checkpoint.
      `UPDATE generations SET checkpoint = max(checkpoint, ?1), changed = iif(?2, max(?1, changed + 1), changed)
       WHERE name = ?3 AND generation = ?4 RETURNING checkpoint`,
    );
    if (searchName) {
      this.#unindex = db.prepare(`DELETE FROM ${searchName} WHERE rowid = ?`);
      this.#indexWords = db.prepare(`INSERT INTO ${searchName} (rowid, words) VALUES (?, ?)`);
    }
  }

  get checkpoint(): Position {
    return BigInt(this.#checkpoint);
  }

  async load(ids: readonly string[]): Promise<ReadonlyMap<string, Stored<Doc>>> {
    const found = new Map<string, Stored<Doc>>();
    for (const id of ids) {
      const key = this.#spec.cluster ? this.#spec.cluster.fromId(id) : id;
      if (key === undefined) continue;
      const row = this.#load.get(key) as Row | undefined;
      if (row?.['_id'] !== id) continue;
      found.set(id, {
        doc: row['_deleted'] ? undefined : documentOf<Doc>(row, this.#spec.fields),
        position: BigInt(row['_position'] as number),
      });
    }
    return found;
  }

  async write(changes: readonly Change<Doc>[], checkpoint: Position): Promise<void> {
    this.#hooks.before();
    try {
      this.#checkpoint = transaction(this.#db, () => {
        for (const change of changes) this.#write(change);
        const changed = changes.length > 0 ? 1 : 0;
        const row = this.#moveOn.get(checkpoint, changed, this.#spec.name, this.#generation);
        if (!row)
          throw new StoreError(
            'misuse',
            `${this.#spec.name} has no generation ${this.#generation} any more.`,
          );
        return (row as { checkpoint: number }).checkpoint;
      });
    } catch (error) {
      throw storeError(error, this.#path);
    }
    this.#hooks.after();
  }

  async finish(): Promise<void> {
    try {
      transaction(this.#db, () => {
        this.#db.exec(this.#table.createIndexes);
        this.#db
          .prepare('UPDATE generations SET finished = 1 WHERE name = ? AND generation = ?')
          .run(this.#spec.name, this.#generation);
      });
    } catch (error) {
      throw storeError(error, this.#path);
    }
  }

  #write({ id, doc, position }: Change<Doc>): void {
    const { cluster, fields, search } = this.#spec;
    const values: (string | number | null)[] = fields.map(
      (field) => (doc?.[field] as string | number | undefined) ?? null,
    );
    const key = cluster ? cluster.fromId(id) : null;
    if (key === undefined)
      throw new StoreError('misuse', `${this.#spec.name} cannot hold ${id}: it has no place there.`);
    const written = this.#put.get(
      key,
      id,
      position,
      doc ? 0 : 1,
      ...values,
      doc ? this.#bodyOf(doc) : null,
    ) as { _key: number } | undefined;
    if (!written || !search) return;
    this.#unindex?.run(written._key);
    if (doc)
      this.#indexWords?.run(written._key, search.flatMap((field) => wordsOf(textOf(doc[field]))).join(' '));
  }

  #bodyOf(doc: Doc): string {
    const rest: Record<string, unknown> = {};
    for (const field in doc) if (!this.#declared.has(field)) rest[field] = doc[field];
    return JSON.stringify(rest);
  }
}

/** A row as the document it was written from. */
export function documentOf<Doc extends object>(row: Row, fields: readonly string[]): Doc {
  const doc = JSON.parse(row['_body'] as string) as Record<string, unknown>;
  for (const field of fields) {
    const value = row[field];
    if (value !== null) doc[field] = value;
  }
  return doc as Doc;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
