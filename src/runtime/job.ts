import type { Leases } from '../stores/leases/port.ts';
import type { SideStore } from '../stores/side/port.ts';
import { JobRecord } from './job-failures.ts';
import { retry, type RetryOptions } from './retry.ts';

/** What a job tells while it works, so that `status` and health know how it is. */
export interface JobProgress {
  readonly succeeded: () => void;
  /** For errors that the job handles itself, without ending. */
  readonly failed: (error: unknown) => void;
}

export interface JobOptions extends Pick<RetryOptions, 'firstMs' | 'longestMs'> {
  /** As `status` and health name it. */
  readonly name: string;
  /** Must not end before the signal aborts. When it fails or ends all the same, it is started again. */
  readonly work: (signal: AbortSignal, progress: JobProgress) => Promise<void>;
  /** Of all processes, only the holder of this lease works. */
  readonly lease?: string;
}

/** What jobs are run with. */
export interface Supervision {
  readonly side: SideStore;
  readonly leases: Leases;
  readonly onFault: (job: string, error: unknown) => void;
}

/** What has worked for so long without an error works. For jobs that never say that they succeeded. */
const workedMs = 60_000;

/**
 * Runs a background job until the signal aborts: starts it again after a failure, with backoff and jitter, and shows
 * in `status` and health that it keeps failing.
 *
 * @throws StoreError replaced, as whoever goes on would work with files that nobody else sees
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
      const run = (until: AbortSignal) => work(until, progress);
      await (lease === undefined ? run(signal) : whileHeld(leases, lease, signal, run));
    } finally {
      clearTimeout(working);
    }
  };
  try {
    await retry(once, { ...waits, signal, onFault: fault });
  } finally {
    // What this process does not run any more does not fail in it.
    record.succeeded();
    await record.written();
  }
}

async function whileHeld(
  leases: Leases,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lease = await leases.acquire(name, signal);
  if (!lease) return;
  try {
    await work(AbortSignal.any([signal, lease.lost]));
  } finally {
    await lease.release();
  }
}

/** A job that runs beside the requests for as long as the server does. */
export interface Job {
  /** Rejects when the job has failed for good, so that the server must end. */
  readonly failed: Promise<never>;
  /** Tells the work to end, and resolves when it has. */
  stop(): Promise<void>;
}

/** Starts a job that is told to stop by itself, not by a signal. */
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
