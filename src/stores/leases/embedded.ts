import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../errors.ts';
import { isBusy, storeError } from '../sqlite.ts';
import type { AcquireOptions, Lease, Leases } from './port.ts';

/** How often a lease that somebody else holds is asked for again. */
const retryMs = 100;

/**
 * A lease is an exclusive transaction held open on a file of its own: the kernel frees the lock when its holder
 * dies, however it dies, so nobody ever waits for a time-out. The journal is DELETE because in WAL an exclusive
 * transaction does not keep other writers' locks away for as long as it lasts.
 */
export class EmbeddedLeases implements Leases {
  readonly #directory: string;
  /** Held strongly: a collected handle would free its lock without a word. */
  readonly #held = new Map<string, DatabaseSync>();

  constructor(directory: string) {
    this.#directory = join(directory, 'leases');
    try {
      mkdirSync(this.#directory, { recursive: true });
    } catch (cause) {
      throw notWritable(this.#directory, 'made', cause);
    }
  }

  async tryAcquire(name: string): Promise<Lease | undefined> {
    if (this.#held.has(name)) return undefined;
    const path = join(this.#directory, `${name}.lease`);
    let db: DatabaseSync | undefined;
    try {
      db = new DatabaseSync(path, { timeout: 0 });
      db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
      // Of a file that it may only read SQLite makes an exclusive transaction that excludes nobody.
      accessSync(path, constants.W_OK);
    } catch (error) {
      db?.close();
      if (isBusy(error)) return undefined;
      if ((error as NodeJS.ErrnoException).syscall === 'access') throw notWritable(path, 'held', error);
      throw storeError(error, path);
    }
    this.#held.set(name, db);
    return {
      name,
      // The kernel lets nobody in before the holder is gone, so there is no earlier one to be told from.
      epoch: 0,
      lost: new AbortController().signal,
      release: async () => this.#release(name, db),
    };
  }

  async acquire(
    name: string,
    signal: AbortSignal,
    { when = () => true }: AcquireOptions = {},
  ): Promise<Lease | undefined> {
    while (!signal.aborted) {
      const lease = when() ? await this.tryAcquire(name) : undefined;
      if (lease) return lease;
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }

  async close(): Promise<void> {
    for (const [name, db] of [...this.#held]) this.#release(name, db);
  }

  /** Only the lease that this handle is: released twice, it leaves a later holder's alone. */
  #release(name: string, db: DatabaseSync): void {
    if (this.#held.get(name) === db) this.#held.delete(name);
    if (db.isOpen) db.close();
  }
}

function notWritable(path: string, what: 'made' | 'held', cause: unknown): StoreError {
  const message = `${path}: cannot be ${what}; is the data folder there and writable?`;
  return new StoreError('unavailable', message, { cause });
}
