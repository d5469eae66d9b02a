import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '../container.ts';
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
  let saidAt = -Infinity;
  while (!signal.aborted) {
    try {
      await system.ready();
      return true;
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'unavailable') throw error;
      if (performance.now() - saidAt >= sayEveryMs) {
        say(`Waiting: ${error.message}`);
        saidAt = performance.now();
      }
    }
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  }
  return false;
}
