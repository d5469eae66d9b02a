import { channel } from 'node:diagnostics_channel';

/** An attempt to sign in, when it has ended. Says nothing of who it was. */
export interface MeasuredSignIn {
  /** `confirmation`: the password once more, before a change of the account. */
  readonly method: 'password' | 'passkey' | 'confirmation';
  readonly outcome: 'succeeded' | 'failed' | 'throttled';
}

/** For metrics. While nobody listens, nothing is published. */
export const signIns = channel('commonweal:sign-in');
