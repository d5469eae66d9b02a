import { StoreError } from '../ground/store-error.ts';

export { StoreError, type StoreErrorCode } from '../ground/store-error.ts';

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
