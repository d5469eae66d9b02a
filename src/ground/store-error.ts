import { defined } from './defined.ts';

/** The errors of all stores, the same for every adapter. */
export type StoreErrorCode =
  | 'wrong_expected_revision'
  | 'stream_deleted'
  | 'event_too_large'
  /** The store is unreachable, busy or has failed. `outcome` says whether a write may have happened. */
  | 'unavailable'
  /** No room left on the device. Nothing was written. */
  | 'full'
  /** Written in another format version, damaged, or not a file of ours. */
  | 'incompatible'
  /** The files were removed or replaced while in use. The process must stop. */
  | 'replaced'
  /** Fencing: the lease has a new holder with a newer epoch. The old holder must stop. */
  | 'fenced'
  | 'misuse';

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** For a failed write: `none` = certainly not written, `unknown` = check before repeating. */
  readonly outcome: 'none' | 'unknown';

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { cause?: unknown; outcome?: 'none' | 'unknown' } = {},
  ) {
    super(message, defined({ cause: options.cause }));
    this.name = 'StoreError';
    this.code = code;
    this.outcome = options.outcome ?? 'none';
  }
}

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
