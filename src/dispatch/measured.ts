import { channel } from 'node:diagnostics_channel';
import type { SendOutcome } from './attempts/sender.ts';

/** An attempt that was sent, or that failed. */
export interface MeasuredAttempt {
  readonly sent: SendOutcome;
  /**
   * From the event to its first attempt, in seconds. Undefined for other attempts, tests, replays, and what was held
   * while its subscription was paused.
   */
  readonly firstAfterSeconds: number | undefined;
}

/** For metrics. While nobody listens, nothing is published. */
export const attempts = channel('commonweal:webhook-attempt');
