import { pause } from '../../ground/back-off.ts';
import type { SideStore } from '../../stores/side/port.ts';
import { nameOf, type AnyProjection } from './read-model.ts';

interface RetryRequest {
  /** ISO 8601 UTC. */
  readonly asked_at: string;
}

const table = (side: SideStore) => side.table<RetryRequest>('projection-retries');

/** A request that no projector has seen by then is forgotten. It would hurry a later failure. */
const forgottenAfterMs = 60_000;

/**
 * Asks the projector to try a failing projection at once, instead of after its wait. It may run in another process,
 * which sees the request within `lookEveryMs`. Without a failure nothing happens.
 */
export const askForRetry = (side: SideStore, projection: AnyProjection, now: Date): Promise<void> =>
  table(side).put(
    nameOf(projection),
    { asked_at: now.toISOString() },
    new Date(now.getTime() + forgottenAfterMs),
  );

const lookEveryMs = 500;

interface WatchOptions {
  readonly side: SideStore;
  readonly signal: AbortSignal;
  /** Whether any projection is failing. While none is, the side store is not read. */
  readonly isFailing: () => boolean;
  /** Ends the wait of this projection, by its stored name. */
  readonly onRequest: (name: string) => void;
}

/** Looks for requests until the signal aborts. */
export async function watchRetryRequests({
  side,
  signal,
  isFailing,
  onRequest,
}: WatchOptions): Promise<void> {
  for (;;) {
    await pause(lookEveryMs, signal);
    if (signal.aborted) return;
    if (!isFailing()) continue;
    try {
      for (const { id } of await table(side).list()) {
        await table(side).delete(id);
        onRequest(id);
      }
    } catch {
      // The side store is down, perhaps for the reason that projections fail. The next look reads the same requests.
    }
  }
}
