import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '../container.ts';
import { StoreError } from '../stores/errors.ts';

/** How often somebody who waits for a store is told so. */
const sayEveryMs = 10_000;
const retryMs = 500;

/**
 * Resolves when every store answers; says now and then for what it waits. False when the signal aborted first.
 * @throws StoreError incompatible, when waiting would not help: too old a server, credentials that are refused
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
