import { Binary, type Collection, type Db } from 'mongodb';
import { keyOf, textOf } from '../mongodb-keys.ts';
import { isInserted, operation, takenIn } from '../mongodb-operation.ts';
import { resealedAtOnce, type Resealed, type ResealOptions, type Vault } from './port.ts';
import type { MasterKey } from '../../ground/master-key.ts';
import { Sealer } from '../../ground/seal.ts';

interface Secret {
  /** Its name, as a key. */
  readonly _id: string;
  readonly sealed: Binary;
}

/**
 * Secrets in the collection `vault`, one document each. A deleted secret leaves the collection at once. Its sealed
 * bytes remain in the oplog for its window, in the server's files until their pages are overwritten, and in
 * backups. Without the master key they cannot be opened.
 */
export class MongoVault implements Vault {
  readonly #secrets: Collection<Secret>;
  readonly #sealer: Sealer;

  constructor(db: Db, masterKey: MasterKey) {
    this.#secrets = db.collection('vault');
    this.#sealer = new Sealer(masterKey, 'vault');
  }

  async put(name: string, secret: Uint8Array): Promise<void> {
    const { _id, sealed } = this.#sealed(name, secret);
    const replace = () => this.#secrets.replaceOne({ _id }, { sealed }, { upsert: true });
    await operation(`keeping the secret ${name}`, 'unknown', async () => {
      // Two concurrent upserts can both insert. Not every server retries by itself.
      if (!(await isInserted(replace()))) await replace();
    });
  }

  async putIfAbsent(name: string, secret: Uint8Array): Promise<Uint8Array> {
    for (;;) {
      if (await this.#insert(name, secret)) return secret;
      const kept = await this.get(name);
      // Otherwise it was deleted in between: try to insert again.
      if (kept) return kept;
    }
  }

  async putAllIfAbsent(secrets: ReadonlyMap<string, Uint8Array>): Promise<void> {
    if (secrets.size === 0) return;
    const documents = [...secrets].map(([name, secret]) => this.#sealed(name, secret));
    await operation('keeping secrets', 'unknown', () =>
      takenIn(this.#secrets.insertMany(documents, { ordered: false })),
    );
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return operation(`reading the secret ${name}`, 'none', async () => {
      const found = await this.#secrets.findOne({ _id: keyOf(name) });
      return found ? this.#sealer.unseal(name, found.sealed.value()) : undefined;
    });
  }

  async getMany(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return operation('reading secrets', 'none', async () => {
      const found = await this.#secrets.find({ _id: { $in: names.map(keyOf) } }).toArray();
      return new Map(
        found.map(({ _id, sealed }) => {
          const name = textOf(_id);
          return [name, this.#sealer.unseal(name, sealed.value())];
        }),
      );
    });
  }

  async delete(name: string): Promise<void> {
    await operation(`deleting the secret ${name}`, 'unknown', () =>
      this.#secrets.deleteOne({ _id: keyOf(name) }),
    );
  }

  async names(prefix: string): Promise<string[]> {
    return operation('listing the names of secrets', 'none', async () => {
      const names: string[] = [];
      const from = { _id: { $gte: keyOf(prefix) } };
      // Names with the same prefix are adjacent, so the first other name ends the list.
      for await (const { _id } of this.#secrets.find(from, { projection: { _id: 1 } }).sort({ _id: 1 })) {
        const name = textOf(_id);
        if (!name.startsWith(prefix)) break;
        names.push(name);
      }
      return names;
    });
  }

  async reseal({ signal, onSecrets }: ResealOptions): Promise<Resealed> {
    let [checked, resealed] = [0, 0];
    for (let after: Secret['_id'] | undefined; ;) {
      signal.throwIfAborted();
      const page = await operation('reading secrets', 'none', () =>
        this.#secrets
          .find(after === undefined ? {} : { _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(resealedAtOnce)
          .toArray(),
      );
      const last = page.at(-1);
      if (!last) return { checked, resealed };
      after = last._id;
      const anew = page.flatMap(({ _id, sealed }) => {
        const under = this.#sealer.resealed(textOf(_id), sealed.value());
        // Only what is still as it was read: a secret that was replaced or destroyed meanwhile stays so.
        return under
          ? [{ updateOne: { filter: { _id, sealed }, update: { $set: { sealed: new Binary(under) } } } }]
          : [];
      });
      if (anew.length > 0)
        await operation('sealing secrets anew', 'unknown', () =>
          this.#secrets.bulkWrite(anew, { ordered: false }),
        );
      checked += page.length;
      resealed += anew.length;
      onSecrets?.(checked);
    }
  }

  /** Does nothing: the connection is closed by its owner. */
  async close(): Promise<void> {}

  /** True when no secret of that name existed. */
  async #insert(name: string, secret: Uint8Array): Promise<boolean> {
    return operation(`keeping the secret ${name}`, 'unknown', () =>
      isInserted(this.#secrets.insertOne(this.#sealed(name, secret))),
    );
  }

  #sealed(name: string, secret: Uint8Array): Secret {
    return { _id: keyOf(name), sealed: new Binary(this.#sealer.seal(name, secret)) };
  }
}
