/** What can go wrong in any store, whichever adapter is behind the port. */
export type StoreErrorCode =
  | 'wrong_expected_revision'
  | 'stream_deleted'
  | 'event_too_large'
  /** The store is away, busy or failed; `outcome` says whether a write may have happened. */
  | 'unavailable'
  /** No room left on the device. Nothing was written. */
  | 'full'
  /** Written by another format version, damaged, or not ours. */
  | 'incompatible'
  /** The files were removed or exchanged under a running process, which must stop. */
  | 'replaced'
  /** The lease under which this was written has a new holder: whoever hears this must stop. */
  | 'fenced'
  | 'misuse';

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** For a failed write: `none` = certainly not written, `unknown` = look before repeating. */
  readonly outcome: 'none' | 'unknown';

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { cause?: unknown; outcome?: 'none' | 'unknown' } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'StoreError';
    this.code = code;
    this.outcome = options.outcome ?? 'none';
  }
}

/** Somebody else appended first, or the caller's view of the stream was never true. */
export class WrongExpectedRevision extends StoreError {
  readonly stream: string;
  readonly expected: number | 'no_stream';
  /** The newest revision found, or -1 where there is no stream. */
  readonly actual: number;

  constructor(stream: string, expected: number | 'no_stream', actual: number) {
    super(
      'wrong_expected_revision',
      `Wrong expected revision for ${stream}: expected ${expected === 'no_stream' ? 'no stream' : expected}, found ${actual === -1 ? 'no stream' : actual}`,
    );
    this.name = 'WrongExpectedRevision';
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}
