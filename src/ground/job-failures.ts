import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { messageOf } from './store-error.ts';

/** A background job that keeps failing in some process. */
export interface JobFailure {
  readonly job: string;
  /** ISO 8601 UTC. The first failure since the last success. */
  readonly since: string;
  /** The newest error, for operators. */
  readonly error: string;
}

/** Where the failures of all processes are kept: a store of small data, of which this is the part that is used. */
export interface FailureStore {
  table<Value>(name: string): FailureTable<Value>;
}

interface FailureTable<Value> {
  put(id: string, value: Value, expiresAt: Date): Promise<void>;
  delete(id: string): Promise<void>;
  list(): Promise<{ id: string; value: Value }[]>;
}

/** Each failure, for metrics. While nobody listens, nothing is published. */
export const failures = channel('commonweal:job-failure');

/** A single failure may be a restart of a store. Reported from the second in a row on. */
const reportedAfter = 2;

/** Renewed with every failure. The entry of a killed process expires after this. */
const keptMs = 10 * 60_000;

const tableOf = (side: FailureStore): FailureTable<JobFailure> => side.table<JobFailure>('job-failures');

/** Failing jobs of all processes. */
export const jobFailures = async (side: FailureStore): Promise<readonly JobFailure[]> =>
  (await tableOf(side).list()).map(({ value }) => value);

/** The failures of one job in this process, as `status` and health show them. */
export class JobRecord {
  readonly #job: string;
  readonly #side: FailureStore;
  readonly #id: string;
  #failures = 0;
  #since = '';
  /** Writes are sequential, so that a failure cannot overwrite a later success. */
  #written: Promise<void> = Promise.resolve();

  constructor(job: string, side: FailureStore) {
    this.#job = job;
    this.#side = side;
    this.#id = `${job} ${randomUUID()}`;
  }

  failed(error: unknown): void {
    const now = new Date();
    this.#failures += 1;
    failures.publish({ job: this.#job });
    if (this.#failures === 1) this.#since = now.toISOString();
    if (this.#failures < reportedAfter) return;
    const message = messageOf(error);
    const failure: JobFailure = { job: this.#job, since: this.#since, error: message };
    this.#write(() => tableOf(this.#side).put(this.#id, failure, new Date(now.getTime() + keptMs)));
  }

  succeeded(): void {
    const wasReported = this.#failures >= reportedAfter;
    this.#failures = 0;
    if (wasReported) this.#write(() => tableOf(this.#side).delete(this.#id));
  }

  /** Resolves when all writes are done. */
  written(): Promise<void> {
    return this.#written;
  }

  #write(write: () => Promise<void>): void {
    // When the side store is down, health reports it, and the entry expires.
    this.#written = this.#written.then(write).catch(() => undefined);
  }
}
