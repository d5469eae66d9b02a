import { randomUUID } from 'node:crypto';
import type { SideStore, SideTable } from '../stores/side/port.ts';

/** A background job that keeps failing in some process. */
export interface JobFailure {
  readonly job: string;
  /** ISO 8601 UTC: it has not succeeded since. */
  readonly since: string;
  /** The newest error, for operators. */
  readonly error: string;
}

/** A single failure may be a store that restarts. From the second in a row on, operators are told. */
const toldAfter = 2;

/** Renewed with every failure: a process that is killed leaves no failure behind for longer. */
const keptMs = 10 * 60_000;

const tableOf = (side: SideStore): SideTable<JobFailure> => side.table<JobFailure>('job-failures');

/** Every job that keeps failing, of all processes that share the stores. */
export const jobFailures = async (side: SideStore): Promise<readonly JobFailure[]> =>
  (await tableOf(side).list()).map(({ value }) => value);

/** The failures of one job in this process, as `status` and health show them. */
export class JobRecord {
  readonly #job: string;
  readonly #side: SideStore;
  readonly #id: string;
  #failures = 0;
  #since = '';
  /** Writes one after the other, so that a success is not overtaken by the failure before it. */
  #written: Promise<void> = Promise.resolve();

  constructor(job: string, side: SideStore) {
    this.#job = job;
    this.#side = side;
    this.#id = `${job} ${randomUUID()}`;
  }

  failed(error: unknown): void {
    const now = new Date();
    this.#failures += 1;
    if (this.#failures === 1) this.#since = now.toISOString();
    if (this.#failures < toldAfter) return;
    const message = error instanceof Error ? error.message : String(error);
    const failure: JobFailure = { job: this.#job, since: this.#since, error: message };
    this.#write(() => tableOf(this.#side).put(this.#id, failure, new Date(now.getTime() + keptMs)));
  }

  succeeded(): void {
    const wasTold = this.#failures >= toldAfter;
    this.#failures = 0;
    if (wasTold) this.#write(() => tableOf(this.#side).delete(this.#id));
  }

  /** Resolves when all of it is written down. */
  written(): Promise<void> {
    return this.#written;
  }

  #write(write: () => Promise<void>): void {
    // Where the side store is away, health says so by itself, and the entry expires.
    this.#written = this.#written.then(write).catch(() => undefined);
  }
}
