import {
  AccessDeniedError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionExistsError,
  StreamDeletedError,
  StreamNotFoundError,
  UnsupportedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { StoreError } from '../../errors.ts';

/** The errors of the client library, as this adapter handles them. */
export type Failure =
  /** The newest revision found, or -1 where there is no stream. */
  | { readonly kind: 'wrong_expected_revision'; readonly actual: number }
  | { readonly kind: 'no_stream' }
  | { readonly kind: 'stream_deleted' }
  | { readonly kind: 'too_large'; readonly limit: number }
  | { readonly kind: 'group_exists' }
  | { readonly kind: 'no_group' }
  /** The position lies between two entries of the log. */
  | { readonly kind: 'no_such_position' }
  | { readonly kind: 'unsupported'; readonly message: string }
  /** Permanent: wrong credentials, or a certificate that is not trusted. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Temporary. `arrived` says whether the request may have reached the server. */
  | { readonly kind: 'away'; readonly arrived: boolean; readonly message: string };

/** A request that was not answered in time. */
export class Unanswered extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = 'Unanswered';
  }
}

/** Messages that mean that the request was not sent, or that the server did not start it. */
const neverArrived =
  /no connection: |Name resolution failed|Failed to discover|Failed to connect|Server Is Not Ready|Server Is Busy|No leader info|Waiting for LB pick/i;

const untrusted = /certificate|unable to verify|self[- ]signed|altnames/i;
const notTls = /wrong version number|packet length too long|ERR_SSL|EPROTO/i;

export function failureOf(error: unknown): Failure {
  if (error instanceof WrongExpectedVersionError) {
    // Its message is empty; the data is in its fields.
    const { actualVersion } = error;
    return {
      kind: 'wrong_expected_revision',
      actual: actualVersion === 'no_stream' ? -1 : Number(actualVersion),
    };
  }
  if (error instanceof StreamNotFoundError) return { kind: 'no_stream' };
  if (error instanceof StreamDeletedError) return { kind: 'stream_deleted' };
  if (error instanceof MaxAppendSizeExceededError) return { kind: 'too_large', limit: error.maxAppendSize };
  if (error instanceof PersistentSubscriptionExistsError) return { kind: 'group_exists' };
  if (error instanceof PersistentSubscriptionDoesNotExistError) return { kind: 'no_group' };
  if (error instanceof UnsupportedError) return { kind: 'unsupported', message: error.message };
  if (error instanceof AccessDeniedError) return { kind: 'refused', message: denied(error) };
  if (error instanceof NotLeaderError)
    return { kind: 'away', arrived: false, message: 'the leader has changed' };
  const message = oneLine(error);
  if (/Unexpected ReadAllResult/.test(message)) return { kind: 'no_such_position' };
  if (untrusted.test(message)) {
    return {
      kind: 'refused',
      message: `its certificate is not trusted; name its authority's file by tlsCaFile=<path> (${message})`,
    };
  }
  if (notTls.test(message)) {
    return { kind: 'refused', message: `it does not speak TLS; say tls=false if that is right (${message})` };
  }
  return { kind: 'away', arrived: !neverArrived.test(message), message };
}

/** A temporary failure as an error of the port, after retries. */
export function unavailable(
  failure: Failure & { kind: 'away' },
  cause: unknown,
  outcome: 'none' | 'unknown' = 'none',
): StoreError {
  return new StoreError('unavailable', `EventStoreDB is not available (${failure.message}).`, {
    cause,
    outcome,
  });
}

/** A permanent failure as an error of the port. `subject` is the stream or group. */
export function storeErrorOf(failure: Exclude<Failure, { kind: 'away' }>, subject: string, cause: unknown) {
  switch (failure.kind) {
    case 'stream_deleted':
      return new StoreError('stream_deleted', `The stream ${subject} was deleted for good.`, { cause });
    case 'too_large':
      return new StoreError(
        'event_too_large',
        `The server takes ${failure.limit} bytes in one append; for ${subject} there are more.`,
        { cause },
      );
    case 'unsupported':
      return new StoreError(
        'incompatible',
        `${failure.message} Commonweal needs EventStoreDB 22.10 or newer.`,
        {
          cause,
        },
      );
    case 'refused':
      return new StoreError('misuse', `EVENTSTORE_URL: ${failure.message}.`, { cause });
    case 'no_such_position':
      return new StoreError('misuse', `No event of the log stands at the position ${subject}.`, { cause });
    case 'wrong_expected_revision':
    case 'no_stream':
    case 'group_exists':
    case 'no_group':
      return new StoreError('misuse', `Not expected of ${subject}: ${failure.kind}.`, { cause });
  }
}

/** Code 16 (unauthenticated) means a wrong user or password. Without permission the server sends 7 or no code. */
const denied = ({ code }: AccessDeniedError): string =>
  Number(code) === 16
    ? 'the server refuses the user or password (access denied)'
    : 'the server lets this user do too little; it must name one of $admins (access denied)';

function oneLine(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: 'error', message: String(error) };
  return (message === '' ? name : message)
    .replace(/\s+/g, ' ')
    .replace(/^14 UNAVAILABLE: No connection established\. Last error: (?:Error: )?/, 'no connection: ')
    .replace(/\.? Resolution note:.*$/, '')
    .replace(
      /^(no connection: Failed to connect).*$/,
      '$1; does it speak TLS, and the address says tls=false?',
    )
    .replace(/^(Failed to discover).*$/, '$1 a node that answers: are hosts, ports and TLS right?')
    .replace(/[. ]+$/, '')
    .slice(0, 300);
}

/** How long a request may wait for an answer. */
export const silenceMs = 3_000;

/** @throws Unanswered when the work takes longer */
export function answered<Result>(withinMs: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Unanswered(withinMs)), withinMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** For what may fail without harm. */
export const ignored = () => undefined;
