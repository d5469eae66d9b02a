import { Binary, type Collection, type Db } from 'mongodb';
import { isInserted, operation, takenIn } from '../mongodb-operation.ts';
import type {
  BundlePlace,
  EndedLog,
  ProofTile,
  SignedLog,
  SignedTree,
  StoredCosignature,
  TilePlace,
} from './proof-log-port.ts';
import { changedTile, grown, hasEnded, suffixOf, superseded } from './proof-log-rules.ts';

interface TileRow {
  /** `{level}/{index}` */
  readonly _id: string;
  readonly hashes: Binary;
  readonly bytes: number;
}

interface CheckpointRow {
  /** The size of the tree. */
  readonly _id: number;
  readonly note: string;
  readonly signed_at: string;
}

/** The newest checkpoint, in the one document on which signers agree by compare-and-set. */
interface HeadRow {
  readonly _id: 'head';
  readonly size: number;
  readonly note: string;
  readonly signed_at: string;
  readonly epoch: number;
}

interface BundleRow {
  readonly _id: number;
  readonly after: string;
}

interface CosignatureRow {
  readonly _id: { readonly size: number; readonly cosigner: string };
  readonly line: string;
}

/** The collection that tells which logs ended. */
export const endedName = 'proof.ended';

/** The largest number of tiles read or written with one command: 4 MB. */
const tilesAtOnce = 500;

/** A log that ended. */
export interface EndedRow {
  /** Its number. */
  readonly _id: number;
  readonly facts: EndedLog;
}

/**
 * One log in the collections `proof.tiles`, `proof.checkpoints`, `proof.head`, `proof.bundles` and `proof.cosignatures`;
 * each log after the first has its number behind these names. The head is changed first, then the checkpoint is added to
 * the others. A crash in between leaves it to the next `add`.
 */
export class MongoSignedLog implements SignedLog {
  readonly #number: number;
  readonly #ended: Collection<EndedRow>;
  readonly #tiles: Collection<TileRow>;
  readonly #checkpoints: Collection<CheckpointRow>;
  readonly #head: Collection<HeadRow>;
  readonly #bundles: Collection<BundleRow>;
  readonly #cosignatures: Collection<CosignatureRow>;

  constructor(db: Db, number: number) {
    const suffix = suffixOf(number, '.');
    const numbers = { useBigInt64: false };
    this.#number = number;
    this.#ended = db.collection(endedName, numbers);
    this.#tiles = db.collection(`proof.tiles${suffix}`);
    this.#checkpoints = db.collection(`proof.checkpoints${suffix}`, numbers);
    this.#head = db.collection(`proof.head${suffix}`, numbers);
    this.#bundles = db.collection(`proof.bundles${suffix}`, numbers);
    this.#cosignatures = db.collection(`proof.cosignatures${suffix}`, numbers);
  }

  async newest(): Promise<SignedTree | undefined> {
    return operation('reading the newest checkpoint', 'none', async () => {
      const head = await this.#head.findOne({ _id: 'head' });
      return head ? treeOf(head) : undefined;
    });
  }

  async checkpoints({
    after = 0,
    limit,
  }: {
    readonly after?: number;
    readonly limit: number;
  }): Promise<SignedTree[]> {
    return operation('reading checkpoints', 'none', async () => {
      const head = await this.#head.findOne({ _id: 'head' });
      const rows = await this.#checkpoints
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      const trees = rows.map(({ _id, ...row }) => treeOf({ ...row, size: _id }));
      const isMissing = head && head.size > after && !trees.some(({ size }) => size >= head.size);
      return isMissing && trees.length < limit ? [...trees, treeOf(head)] : trees;
    });
  }

  async add(
    { size, note, signedAt }: SignedTree,
    { extends: older, epoch }: { readonly extends: number; readonly epoch: number },
  ): Promise<void> {
    await operation('adding a checkpoint', 'unknown', async () => {
      await this.#refuseEnded();
      const former = await this.#head.findOne({ _id: 'head' });
      if (former) await this.#record(former);
      const head = { size, note, signed_at: signedAt, epoch };
      if (size <= older || !(older === 0 ? await this.#begin(head) : await this.#replace(older, head))) {
        throw superseded((await this.#head.findOne({ _id: 'head' }))?.size);
      }
      await this.#record({ _id: 'head', ...head });
    });
  }

  async putTiles(tiles: readonly ProofTile[]): Promise<void> {
    if (tiles.length > 0) await operation('reading the proof log', 'none', () => this.#refuseEnded());
    for (let from = 0; from < tiles.length; from += tilesAtOnce) {
      await this.#putTiles(tiles.slice(from, from + tilesAtOnce));
    }
  }

  async tiles(tiles: readonly TilePlace[]): Promise<readonly (Buffer | undefined)[]> {
    const found = new Map<string, Buffer>();
    for (let from = 0; from < tiles.length; from += tilesAtOnce) {
      const ids = tiles.slice(from, from + tilesAtOnce).map(tileId);
      const rows = await operation('reading the proof log', 'none', () =>
        this.#tiles.find({ _id: { $in: ids } }).toArray(),
      );
      for (const { _id, hashes } of rows) found.set(_id, Buffer.from(hashes.value()));
    }
    return tiles.map((tile) => found.get(tileId(tile)));
  }

  async putBundles(bundles: readonly BundlePlace[]): Promise<void> {
    if (bundles.length === 0) return;
    await operation('writing the places of entries', 'unknown', () =>
      this.#bundles.bulkWrite(
        bundles.map(({ index, after }) => ({
          updateOne: { filter: { _id: index }, update: { $set: { after: String(after) } }, upsert: true },
        })),
        { ordered: false },
      ),
    );
  }

  async bundleAtOrBefore(index: number): Promise<BundlePlace | undefined> {
    const row = await operation('reading the place of an entry', 'none', () =>
      this.#bundles.findOne({ _id: { $lte: index } }, { sort: { _id: -1 } }),
    );
    return row ? { index: row._id, after: BigInt(row.after) } : undefined;
  }

  async addCosignatures(cosignatures: readonly StoredCosignature[]): Promise<void> {
    if (cosignatures.length === 0) return;
    await operation('writing cosignatures', 'unknown', () =>
      this.#cosignatures.bulkWrite(
        cosignatures.map(({ size, cosigner, line }) => ({
          updateOne: { filter: { _id: { size, cosigner } }, update: { $set: { line } }, upsert: true },
        })),
        { ordered: false },
      ),
    );
  }

  /** Ids are compared field by field, in the order in which they are written: by size, then by cosigner. */
  async cosignatures({
    after = 0,
    limit,
  }: {
    readonly after?: number;
    readonly limit: number;
  }): Promise<StoredCosignature[]> {
    const rows = await operation('reading cosignatures', 'none', () =>
      this.#cosignatures
        .find({ _id: { $gte: { size: after + 1, cosigner: '' } } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    );
    return rows.map(({ _id: { size, cosigner }, line }) => ({ size, cosigner, line }));
  }

  /** Whoever has signed under an older epoch adds nothing any more. @throws StoreError fenced */
  async stop(epoch: number): Promise<void> {
    const { matchedCount } = await this.#head.updateOne(
      { _id: 'head', epoch: { $lte: epoch } },
      { $set: { epoch } },
    );
    if (matchedCount === 1) return;
    const head = await this.#head.findOne({ _id: 'head' });
    if (head) throw superseded(head.size);
  }

  /** @throws StoreError fenced */
  async #refuseEnded(): Promise<void> {
    if (await this.#ended.findOne({ _id: this.#number })) throw hasEnded(this.#number);
  }

  /** The first checkpoint. False when there is one. */
  #begin(head: Omit<HeadRow, '_id'>): Promise<boolean> {
    return isInserted(this.#head.insertOne({ _id: 'head', ...head }));
  }

  async #replace(older: number, head: Omit<HeadRow, '_id'>): Promise<boolean> {
    const { matchedCount } = await this.#head.updateOne(
      { _id: 'head', size: older, epoch: { $lte: head.epoch } },
      { $set: head },
    );
    return matchedCount === 1;
  }

  async #record({ size, note, signed_at }: HeadRow): Promise<void> {
    await isInserted(this.#checkpoints.insertOne({ _id: size, note, signed_at }));
  }

  /** Each is written only over the form that was read. After a race with another writer it is read again. */
  async #putTiles(tiles: readonly ProofTile[]): Promise<void> {
    for (let open = tiles; open.length > 0;) {
      const stored = await this.tiles(open);
      const writes = open.flatMap((tile, at) => {
        const former = stored[at];
        const longest = grown(former, tile.hashes);
        if (longest === undefined) throw changedTile(tile);
        if (longest === former) return [];
        const row = { hashes: new Binary(longest), bytes: longest.length };
        return [
          former === undefined
            ? { insertOne: { document: { _id: tileId(tile), ...row } } }
            : { updateOne: { filter: { _id: tileId(tile), bytes: former.length }, update: { $set: row } } },
        ];
      });
      if (writes.length === 0) return;
      await operation('writing the proof log', 'unknown', () =>
        takenIn(this.#tiles.bulkWrite(writes, { ordered: false })),
      );
      open = tiles;
    }
  }
}

const tileId = ({ level, index }: TilePlace): string => `${level}/${index}`;

const treeOf = ({ size, note, signed_at }: Omit<HeadRow, '_id' | 'epoch'>): SignedTree => ({
  size,
  note,
  signedAt: signed_at,
});
