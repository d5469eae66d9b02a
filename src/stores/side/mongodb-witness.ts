import { randomUUID } from 'node:crypto';
import { Binary, type Collection, type Db } from 'mongodb';
import { isInserted, operation } from '../mongodb-operation.ts';
import type { CosignedTree, WitnessStore } from './witness-port.ts';

interface LogRow {
  /** The origin of the log. */
  readonly _id: string;
  readonly size: number;
  readonly root: Binary;
  readonly note: string;
}

interface IdRow {
  readonly _id: 'store';
  readonly id: string;
}

/** What a witness remembers, in the collections `witness.logs` and `witness.store`. */
export class MongoWitnessStore implements WitnessStore {
  readonly #logs: Collection<LogRow>;
  readonly #store: Collection<IdRow>;

  constructor(db: Db) {
    this.#logs = db.collection('witness.logs', { useBigInt64: false });
    this.#store = db.collection('witness.store');
  }

  async id(): Promise<string> {
    return operation('reading the id of the witness', 'unknown', async () => {
      const existing = await this.#store.findOne({ _id: 'store' });
      if (existing) return existing.id;
      const id = randomUUID();
      if (await isInserted(this.#store.insertOne({ _id: 'store', id }))) return id;
      return (await this.#store.findOne({ _id: 'store' }))?.id ?? id;
    });
  }

  async newest(origin: string): Promise<CosignedTree | undefined> {
    const row = await operation('reading what was cosigned', 'none', () =>
      this.#logs.findOne({ _id: origin }),
    );
    return row ? { size: row.size, root: Buffer.from(row.root.value()), note: row.note } : undefined;
  }

  /** Confirmed by a majority with its journal before it resolves. */
  async advance(
    origin: string,
    { size, root, note }: CosignedTree,
    former: CosignedTree | undefined,
  ): Promise<boolean> {
    const row = { size, root: new Binary(root), note };
    if (former === undefined)
      return operation('storing what is cosigned', 'unknown', () =>
        isInserted(this.#logs.insertOne({ _id: origin, ...row })),
      );
    const { matchedCount } = await operation('storing what is cosigned', 'unknown', () =>
      this.#logs.updateOne({ _id: origin, size: former.size, root: new Binary(former.root) }, { $set: row }),
    );
    return matchedCount === 1;
  }

  /** The connection is closed by its owner. */
  async close(): Promise<void> {}
}
