import { backOff, jittered, pause, type Waits } from './back-off.ts';
import { StoreError } from './store-error.ts';

/** Default waits: from 250 ms to 10 s. Jitter shortens each by up to half. */
export interface RetryOptions extends Partial<Waits> {
  readonly signal: AbortSignal;
  readonly onFault: (error: unknown) => void;
  /** After this many failures in a row, throws the last error. Default: never. */
  readonly maximumFailures?: number;
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
    wait = pause,
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
    await wait(jittered(backOff(failures, { firstMs, longestMs }), random), signal);
  }
}

const failuresAfter = (began: number, before: number): number =>
  performance.now() - began > workedMs ? 1 : before + 1;

export const isReplaced = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'replaced';

export const isFenced = (error: unknown): boolean => error instanceof StoreError && error.code === 'fenced';

/** A function, because TypeScript narrows `signal.aborted` across awaits. */
export const hasAborted = (signal: AbortSignal): boolean => signal.aborted;
