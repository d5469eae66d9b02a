import { backOff } from '../../ground/back-off.ts';
import type { ConsumedEvent, ConsumeOptions, HandlerResult } from './port.ts';
import { messageOf } from '../../ground/store-error.ts';

const waits = { firstMs: 500, longestMs: 30_000 };

/** Runs a handler and returns a result for each event. Where the handler throws, events are retried with backoff. */
export function runHandler(
  consumed: readonly ConsumedEvent[],
  handle: ConsumeOptions['handle'],
): readonly Promise<HandlerResult>[] {
  const results = (async () => handle(consumed))();
  return consumed.map(async ({ attempt }, index): Promise<HandlerResult> => {
    try {
      return (await (await results)[index]) ?? { kind: 'ack' };
    } catch (error) {
      const reason = messageOf(error);
      return { kind: 'retry', afterMs: backOff(attempt, waits), reason };
    }
  });
}

/** Parks an event that wants a retry after its last attempt. */
export const parkAfterLastAttempt = (
  verdict: HandlerResult,
  attempt: number,
  maximumAttempts: number,
): HandlerResult =>
  verdict.kind === 'retry' && attempt >= maximumAttempts ? { kind: 'park', reason: verdict.reason } : verdict;
