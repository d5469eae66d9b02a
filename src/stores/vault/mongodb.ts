import { createSecretKey, type KeyObject } from 'node:crypto';
import { Binary, MongoBulkWriteError, type Collection, type Db } from 'mongodb';
import { isDuplicateId, mongoError } from '../mongodb/errors.ts';
import { keyOf, textOf } from '../mongodb/keys.ts';
import { defaultTimeoutMs, withTimeout } from '../mongodb/timeout.ts';
import type { Vault } from './port.ts';
import { derivedKey, seal, unseal } from './seal.ts';

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
  readonly #key: KeyObject;

  constructor(db: Db, masterKey: Uint8Array) {
    this.#secrets = db.collection('vault');
    this.#key = createSecretKey(derivedKey(masterKey, 'vault'));
  }

  async put(name: string, secret: Uint8Array): Promise<void> {
    const { _id, sealed } = this.#sealed(name, secret);
    await work(`keeping the secret ${name}`, 'unknown', async () => {
      try {
        await this.#secrets.replaceOne({ _id }, { sealed }, { upsert: true });
      } catch (error) {
        if (!isDuplicateId(error as object)) throw error;
        // Two concurrent upserts can both insert. Not every server retries by itself.
        await this.#secrets.replaceOne({ _id }, { sealed }, { upsert: true });
      }
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
    await work('keeping secrets', 'unknown', async () => {
      try {
        await this.#secrets.insertMany(documents, { ordered: false });
      } catch (error) {
        if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
        if (![error.writeErrors].flat().every(isDuplicateId)) throw error;
      }
    });
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return work(`reading the secret ${name}`, 'none', async () => {
      const found = await this.#secrets.findOne({ _id: keyOf(name) });
      return found ? unseal(this.#key, name, found.sealed.value()) : undefined;
    });
  }

  async getMany(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return work('reading secrets', 'none', async () => {
      const found = await this.#secrets.find({ _id: { $in: names.map(keyOf) } }).toArray();
      return new Map(
        found.map(({ _id, sealed }) => {
          const name = textOf(_id);
          return [name, unseal(this.#key, name, sealed.value())];
        }),
      );
    });
  }

  async delete(name: string): Promise<void> {
    await work(`deleting the secret ${name}`, 'unknown', () => this.#secrets.deleteOne({ _id: keyOf(name) }));
  }

  async names(prefix: string): Promise<string[]> {
    return work('listing the names of secrets', 'none', async () => {
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

  /** Does nothing: the connection is closed by its owner. */
  async close(): Promise<void> {}

  /** True when no secret of that name existed. */
  async #insert(name: string, secret: Uint8Array): Promise<boolean> {
    return work(`keeping the secret ${name}`, 'unknown', async () => {
      try {
        await this.#secrets.insertOne(this.#sealed(name, secret));
        return true;
      } catch (error) {
        if (isDuplicateId(error as object)) return false;
        throw error;
      }
    });
  }

  #sealed(name: string, secret: Uint8Array): Secret {
    return { _id: keyOf(name), sealed: new Binary(seal(this.#key, name, secret)) };
  }
}

async function work<Result>(
  what: string,
  outcome: 'none' | 'unknown',
  doing: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withTimeout(defaultTimeoutMs, doing());
  } catch (error) {
    throw mongoError(error, what, outcome);
  }
}
