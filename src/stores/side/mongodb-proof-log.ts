import type { Collection, Db } from 'mongodb';
import { isInserted, operation } from '../mongodb-operation.ts';
import { endedName, MongoSignedLog, type EndedRow } from './mongodb-signed-log.ts';
import type { EndedLog, ProofLog } from './proof-log-port.ts';
import { endedAlready } from './proof-log-rules.ts';

/** The log that is signed at the time of each call, and those that ended, of which `proof.ended` tells. */
export class MongoProofLog implements ProofLog {
  readonly #db: Db;
  readonly #ended: Collection<EndedRow>;
  readonly #logs = new Map<number, MongoSignedLog>();

  constructor(db: Db) {
    this.#db = db;
    this.#ended = db.collection(endedName, { useBigInt64: false });
  }

  newest = async () => (await this.#current()).newest();
  checkpoints: ProofLog['checkpoints'] = async (options) => (await this.#current()).checkpoints(options);
  add: ProofLog['add'] = async (tree, options) => (await this.#current()).add(tree, options);
  putTiles: ProofLog['putTiles'] = async (tiles) => (await this.#current()).putTiles(tiles);
  tiles: ProofLog['tiles'] = async (tiles) => (await this.#current()).tiles(tiles);
  putBundles: ProofLog['putBundles'] = async (bundles) => (await this.#current()).putBundles(bundles);
  bundleAtOrBefore = async (index: number) => (await this.#current()).bundleAtOrBefore(index);
  addCosignatures: ProofLog['addCosignatures'] = async (cosignatures) =>
    (await this.#current()).addCosignatures(cosignatures);
  cosignatures: ProofLog['cosignatures'] = async (options) => (await this.#current()).cosignatures(options);

  async ended(): Promise<readonly EndedLog[]> {
    const rows = await operation('reading the proof logs that ended', 'none', () =>
      this.#ended.find().sort({ _id: 1 }).toArray(),
    );
    return rows.map(({ facts }) => facts);
  }

  log(number: number): MongoSignedLog {
    const log = this.#logs.get(number) ?? new MongoSignedLog(this.#db, number);
    this.#logs.set(number, log);
    return log;
  }

  async end(
    log: EndedLog,
    { number, epoch }: { readonly number: number; readonly epoch: number },
  ): Promise<void> {
    if (endedAlready(await this.ended(), number, log)) return;
    await operation('ending a proof log', 'unknown', async () => {
      await this.log(number).stop(epoch);
      await isInserted(this.#ended.insertOne({ _id: number, facts: log }));
    });
    endedAlready(await this.ended(), number, log);
  }

  /** The connection is closed by its owner. */
  async close(): Promise<void> {}

  async #current(): Promise<MongoSignedLog> {
    const newest = await operation('reading which proof log is signed', 'none', () =>
      this.#ended.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } }),
    );
    return this.log((newest?._id ?? -1) + 1);
  }
}
