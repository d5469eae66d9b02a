import { channel } from 'node:diagnostics_channel';
import type { SendOutcome } from './sending/sender.ts';

/** An attempt that was sent, or that failed. */
export interface MeasuredAttempt {
  readonly sent: SendOutcome;
  /** From the event to its first attempt, in seconds. Undefined for other attempts, tests and replays. */
  readonly firstAfterSeconds: number | undefined;
}

/** For metrics. While nobody listens, nothing is published. */
export const attempts = channel('commonweal:webhook-attempt');
