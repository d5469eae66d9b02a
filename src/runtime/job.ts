import { retry, type RetryOptions } from './retry.ts';

/** Work that goes on beside the requests for as long as the server runs. */
export interface Job {
  /** Rejects when the job has failed for good, so that the server must end. */
  readonly failed: Promise<never>;
  /** Tells the work to end, and resolves when it has. */
  stop(): Promise<void>;
}

/**
 * Starts work that must not end before it is told to. When it fails or ends all the same it is started again,
 * after ever longer waits; `onFault` is told each time why.
 */
export function startJob(
  work: (signal: AbortSignal) => Promise<void>,
  options: Pick<RetryOptions, 'onFault' | 'firstMs' | 'longestMs'>,
): Job {
  const stopping = new AbortController();
  const { signal } = stopping;
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  const ended = retry(() => work(signal), { ...options, signal }).catch(failure.reject);
  return {
    failed: failure.promise,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
