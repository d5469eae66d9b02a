import { laneConcurrency, slowStart } from '../delivery-policy.ts';
import { isAcknowledged, type SendOutcome } from '../attempts/sender.ts';

/** The state of a receiver after an attempt. Undefined when it answered and refused only this delivery. */
export type ReceiverState = 'well' | 'unwell' | undefined;

const TOO_MANY_REQUESTS = 429;

/** No answer, a server error or 429 mean that the receiver is overloaded. */
export function receiverStateOf(outcome: SendOutcome): ReceiverState {
  if (isAcknowledged(outcome)) return 'well';
  if (outcome.kind === 'failed' || outcome.status >= 500 || outcome.status === TOO_MANY_REQUESTS)
    return 'unwell';
  return undefined;
}

/**
 * The concurrency after one more attempt. An overloaded receiver gets one request at a time. Each success doubles
 * the number, so that a recovered receiver does not get the whole backlog at once.
 */
export function nextPace(pace: number, receiver: ReceiverState, most: number = laneConcurrency): number {
  switch (receiver) {
    case 'well':
      return Math.min(pace * slowStart.growth, most);
    case 'unwell':
      return slowStart.concurrency;
    case undefined:
      return pace;
  }
}
