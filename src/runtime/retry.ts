import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../stores/errors.ts';

export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly onFault: (error: unknown) => void;
  /** Gives up, with the last error, after so many failures in a row. Never when absent. */
  readonly maximumFailures?: number;
  /** The first wait; it doubles up to the longest. Up to a half is left out, so that many do not come at once. */
  readonly firstMs?: number;
  readonly longestMs?: number;
  readonly random?: () => number;
}

/** What has worked for so long fails for a new reason: longer than a driver takes to say that a store is away. */
const workedMs = 60_000;

/**
 * Repeats work that fails or ends early, after ever longer waits, until the signal aborts: a store that is away
 * comes back, and then nobody must have to start anything anew.
 *
 * @throws StoreError replaced, as whoever goes on would work with files that nobody else sees
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
      // A lost lease is no fault: somebody else has it now.
      if (!isFenced(error)) onFault(error);
    }
    const wait = Math.min(firstMs * 2 ** (failures - 1), longestMs);
    await sleep(wait * (1 - random() / 2), undefined, { signal }).catch(() => undefined);
  }
}

const failuresAfter = (began: number, before: number): number =>
  performance.now() - began > workedMs ? 1 : before + 1;

export const isReplaced = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'replaced';

export const isFenced = (error: unknown): boolean => error instanceof StoreError && error.code === 'fenced';

/** Asked anew: the compiler takes what it saw before the work for what is true after it. */
const hasAborted = (signal: AbortSignal): boolean => signal.aborted;
