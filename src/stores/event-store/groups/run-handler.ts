import type { ConsumedEvent, ConsumeOptions, HandlerResult } from '../port.ts';

/** Runs a handler and returns one result for each event. When it throws, all events are retried with backoff. */
export async function runHandler(
  consumed: readonly ConsumedEvent[],
  handle: ConsumeOptions['handle'],
): Promise<readonly HandlerResult[]> {
  try {
    const verdicts = await handle(consumed);
    return consumed.map((_, index) => verdicts[index] ?? { kind: 'ack' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return consumed.map(({ attempt }) => ({
      kind: 'retry',
      afterMs: Math.min(250 * 2 ** attempt, 30_000),
      reason,
    }));
  }
}

/** Parks an event that wants a retry after its last attempt. */
export const parkAfterLastAttempt = (
  verdict: HandlerResult,
  attempt: number,
  maximumAttempts: number,
): HandlerResult =>
  verdict.kind === 'retry' && attempt >= maximumAttempts ? { kind: 'park', reason: verdict.reason } : verdict;
