import { JobRecord, type FailureStore } from './job-failures.ts';
import { retry, type RetryOptions } from './retry.ts';

/** How a job reports its state to `status` and health. */
export interface JobProgress {
  readonly succeeded: () => void;
  /** For errors that do not end the job. */
  readonly failed: (error: unknown) => void;
}

export interface JobOptions extends Pick<RetryOptions, 'firstMs' | 'longestMs'> {
  /** The name in `status` and health. */
  readonly name: string;
  /**
   * Runs until the signal aborts. When it fails or ends earlier, it is restarted. `epoch` is that of the lease, or 0
   * without one.
   */
  readonly work: (signal: AbortSignal, progress: JobProgress, epoch: number) => Promise<void>;
  /** Only the holder of this lease runs the job. */
  readonly lease?: string;
}

/** Leases, as far as jobs need them: of several processes only the holder runs the job. */
export interface JobLeases {
  /** Waits for the lease until the signal aborts. */
  acquire(name: string, signal: AbortSignal): Promise<JobLease | undefined>;
}

interface JobLease {
  readonly epoch: number;
  /** Aborts when the lease is lost. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** The dependencies of jobs. */
export interface Supervision {
  readonly side: FailureStore;
  readonly leases: JobLeases;
  readonly onFault: (job: string, error: unknown) => void;
}

/** A run without error for this long counts as success, for jobs that do not report it. */
const workedMs = 60_000;

/**
 * Runs a background job until the signal aborts. Restarts it after a failure, with backoff and jitter, and reports
 * repeated failures in `status` and health.
 *
 * @throws StoreError replaced: the files were replaced, and continuing would write to deleted ones
 */
export async function runJob(
  { side, leases, onFault }: Supervision,
  { name, work, lease, ...waits }: JobOptions,
  signal: AbortSignal,
): Promise<void> {
  const record = new JobRecord(name, side);
  const progress: JobProgress = {
    succeeded: () => record.succeeded(),
    failed: (error) => record.failed(error),
  };
  const fault = (error: unknown) => {
    record.failed(error);
    onFault(name, error);
  };
  const once = async () => {
    const working = setTimeout(() => record.succeeded(), workedMs);
    try {
      const run = (until: AbortSignal, epoch: number) => work(until, progress, epoch);
      await (lease === undefined ? run(signal, 0) : whileHeld(leases, lease, signal, run));
    } finally {
      clearTimeout(working);
    }
  };
  try {
    await retry(once, { ...waits, signal, onFault: fault });
  } finally {
    // Clears the failure: this process no longer runs the job.
    record.succeeded();
    await record.written();
  }
}

async function whileHeld(
  leases: JobLeases,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal, epoch: number) => Promise<void>,
): Promise<void> {
  const lease = await leases.acquire(name, signal);
  if (!lease) return;
  try {
    await work(AbortSignal.any([signal, lease.lost]), lease.epoch);
  } finally {
    await lease.release();
  }
}

/** A running background job of the server. */
export interface Job {
  /** Rejects when the job has failed permanently. The server must then stop. */
  readonly failed: Promise<never>;
  /** Stops the job and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts a job that is stopped with `stop` instead of a signal. */
export function startJob(supervision: Supervision, options: JobOptions): Job {
  const stopping = new AbortController();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  const ended = runJob(supervision, options, stopping.signal).catch(failure.reject);
  return {
    failed: failure.promise,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
