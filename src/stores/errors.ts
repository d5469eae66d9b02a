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
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'StoreError';
    this.code = code;
    this.outcome = options.outcome ?? 'none';
  }
}

/** The stream is not at the expected revision: somebody else has appended first, or the caller was wrong. */
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

/** An event whose row can be read, and whose content cannot: it was changed outside the store. */
export class DamagedEvent extends StoreError {
  readonly position: bigint;
  readonly id: string;
  readonly stream: string;
  readonly revision: number;

  constructor(event: Pick<DamagedEvent, 'position' | 'id' | 'stream' | 'revision'>) {
    super(
      'incompatible',
      `The event ${event.id} (${event.stream}, revision ${event.revision}) at position ${event.position.toString()} is damaged: its content is not JSON`,
    );
    this.name = 'DamagedEvent';
    this.position = event.position;
    this.id = event.id;
    this.stream = event.stream;
    this.revision = event.revision;
  }
}
