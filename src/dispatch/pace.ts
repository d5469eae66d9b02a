import { isAcknowledged, type SendOutcome } from './sender.ts';

/** Attempts that one subscription may have under way: enough for a fast receiver, no flood for a slow one. */
export const fullPace = 10;

/** What an attempt says of its receiver. Nothing, where it answered but does not want this delivery. */
export type ReceiverState = 'well' | 'unwell' | undefined;

const TOO_MANY_REQUESTS = 429;

/** No answer, a server error or "too many requests" mean that the receiver has trouble with the load it has. */
export function receiverStateOf(outcome: SendOutcome): ReceiverState {
  if (isAcknowledged(outcome)) return 'well';
  if (outcome.kind === 'failed' || outcome.status >= 500 || outcome.status === TOO_MANY_REQUESTS)
    return 'unwell';
  return undefined;
}

/**
 * How many attempts may be under way after one more has ended. A receiver in trouble is asked one thing at a
 * time, and with each success twice as much: one that has just come back is not met by all that has piled up.
 */
export function nextPace(pace: number, receiver: ReceiverState, most: number = fullPace): number {
  switch (receiver) {
    case 'well':
      return Math.min(pace * 2, most);
    case 'unwell':
      return 1;
    case undefined:
      return pace;
  }
}
