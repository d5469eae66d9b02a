import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from './store-error.ts';

export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly onFault: (error: unknown) => void;
  /** After this many failures in a row, throws the last error. Default: never. */
  readonly maximumFailures?: number;
  /** The first wait. It doubles up to `longestMs`. Jitter shortens each wait by up to half. */
  readonly firstMs?: number;
  readonly longestMs?: number;
  readonly random?: () => number;
  /** Waits for so long between two attempts. Default: a timer. It may end early, also when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** After working for this long, a failure counts as the first. Longer than a driver takes to report an outage. */
const workedMs = 60_000;

/**
 * Repeats work that fails or ends early, with backoff and jitter, until the signal aborts. So nothing must be
 * restarted after an outage of a store.
 *
 * @throws StoreError replaced: the files were replaced, and continuing would write to deleted ones
 */
export async function retry(
  work: () => Promise<void>,
  {
    signal,
    onFault,
    maximumFailures = Infinity,
    firstMs = 250,
    longestMs = 10_000,
    random = Math.random,
    wait = slept,
  }: RetryOptions,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const began = performance.now();
    try {
      await work();
      failures = failuresAfter(began, failures);
    } catch (error) {
      if (isReplaced(error)) throw error;
      if (hasAborted(signal)) return;
      failures = failuresAfter(began, failures);
      if (failures >= maximumFailures) throw error;
      // A lost lease is not an error: another process holds it now.
      if (!isFenced(error)) onFault(error);
    }
    const longest = Math.min(firstMs * 2 ** (failures - 1), longestMs);
    await wait(longest * (1 - random() / 2), signal);
  }
}

const slept = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

const failuresAfter = (began: number, before: number): number =>
  performance.now() - began > workedMs ? 1 : before + 1;

export const isReplaced = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'replaced';

export const isFenced = (error: unknown): boolean => error instanceof StoreError && error.code === 'fenced';

/** A function, because TypeScript narrows `signal.aborted` across awaits. */
const hasAborted = (signal: AbortSignal): boolean => signal.aborted;
