import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pause } from '../../ground/back-off.ts';
import { StoreError } from '../errors.ts';
import { isBusy, storeError } from '../sqlite.ts';
import type { AcquireOptions, Lease, Leases } from './port.ts';

/** How often a waiting process tries to take the lease. */
const retryMs = 100;

/**
 * A lease is an exclusive SQLite transaction held open on its own file. The kernel frees the lock when the process
 * ends, however it ends, so nobody waits for a timeout. The journal mode is DELETE: in WAL mode an exclusive
 * transaction does not keep other writers out while it lasts.
 */
export class EmbeddedLeases implements Leases {
  readonly #directory: string;
  /** Strong references: a garbage-collected handle would free its lock silently. */
  readonly #held = new Map<string, DatabaseSync>();

  constructor(directory: string) {
    this.#directory = join(directory, 'leases');
    if (existsSync(this.#directory) && !statSync(this.#directory).isDirectory()) {
      throw new StoreError(
        'unavailable',
        `${this.#directory}: is a file where a folder must be; move it away. Nothing is lost: the folder only says who projects and who dispatches.`,
      );
    }
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
      // On a read-only file SQLite's exclusive transaction excludes nobody.
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
      // No fencing token needed: the kernel frees the lock only when the holder is gone.
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
      await pause(retryMs, signal);
    }
    return undefined;
  }

  async close(): Promise<void> {
    for (const [name, db] of [...this.#held]) this.#release(name, db);
  }

  /** Releases only this handle. A second release does not affect a later holder. */
  #release(name: string, db: DatabaseSync): void {
    if (this.#held.get(name) === db) this.#held.delete(name);
    if (db.isOpen) db.close();
  }
}

function notWritable(path: string, what: 'made' | 'held', cause: unknown): StoreError {
  const message = `${path}: cannot be ${what}; is the data folder there and writable?`;
  return new StoreError('unavailable', message, { cause });
}
