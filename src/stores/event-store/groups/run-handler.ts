import type { ConsumedEvent, ConsumeOptions, HandlerResult } from '../port.ts';

/** The verdicts of a handler, one an event; one that throws wants all of them again, after ever longer waits. */
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

/** A retry after the last attempt means that the event is set aside. */
export const parkAfterLastAttempt = (
  verdict: HandlerResult,
  attempt: number,
  maximumAttempts: number,
): HandlerResult =>
  verdict.kind === 'retry' && attempt >= maximumAttempts ? { kind: 'park', reason: verdict.reason } : verdict;
