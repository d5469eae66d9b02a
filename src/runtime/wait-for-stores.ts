import type { System } from '../container.ts';
import { pause } from '../ground/back-off.ts';
import { StoreError } from '../stores/errors.ts';

/** How often the wait is reported. */
const sayEveryMs = 10_000;
const retryMs = 500;

/**
 * Resolves when every store answers, and reports from time to time what it waits for. False when the signal aborted
 * first.
 * @throws StoreError incompatible, when waiting will not help: the server is too old or refuses the credentials
 */
export async function waitForStores(
  system: Pick<System, 'ready'>,
  signal: AbortSignal,
  say: (sentence: string) => void,
): Promise<boolean> {
  return (await onceStoresAnswer(() => system.ready().then(() => true), signal, say)) ?? false;
}

/**
 * Does work that needs the stores. When one of them goes away meanwhile, waits and does it again from its beginning, so
 * the work must bear being repeated. Undefined when the signal aborted first.
 * @throws what the work throws, unless a store is unavailable
 */
export async function onceStoresAnswer<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  say: (sentence: string) => void,
): Promise<Result | undefined> {
  let reportedAt = -Infinity;
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'unavailable') throw error;
      if (performance.now() - reportedAt >= sayEveryMs) {
        say(`Waiting: ${error.message}`);
        reportedAt = performance.now();
      }
    }
    await pause(retryMs, signal);
  }
  return undefined;
}
