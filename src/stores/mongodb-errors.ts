import {
  MongoBulkWriteError,
  MongoCompatibilityError,
  MongoError,
  MongoMissingCredentialsError,
  MongoNetworkError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { StoreError } from './errors.ts';
import { messageOf } from '../ground/store-error.ts';

/** Error codes of the server (src/mongo/base/error_codes.yml) for which we know what to do. */
const codes = {
  credentials: new Set([11, 18, 8000]),
  permission: new Set([13]),
  unknownCommand: new Set([59, 115, 238]),
  tooLarge: new Set([10334, 17419, 17420]),
  noRoom: new Set([14031]),
  notThere: new Set([26]),
  duplicateKey: 11000,
};

/** The driver's message when it refuses a document before sending it. */
const tooLargeBeforeSending = /larger than the maximum size|BSON size limit/i;

/**
 * Turns an error of the driver into a StoreError that says what failed and what to do. `outcome` applies where the
 * error itself does not tell whether a write happened: pass `unknown` for writes. Never repeats the address: a
 * malformed one may show its password anywhere.
 */
export function mongoError(error: unknown, what: string, outcome: 'none' | 'unknown' = 'none'): StoreError {
  if (error instanceof StoreError) return error;
  // The driver quotes the address in these errors, so they are not passed on.
  if (isUnreadableAddress(error)) return new StoreError('incompatible', malformed(error.message));

  const options = { cause: error, outcome };
  const message = `MongoDB, ${what}: ${describe(error)}`;
  if (isTooLarge(error)) {
    return new StoreError('misuse', `MongoDB, ${what}: a document is larger than the limit of 16 MB.`, {
      cause: error,
      outcome: 'none',
    });
  }
  if (isAbout(error, codes.credentials) || error instanceof MongoMissingCredentialsError) {
    return new StoreError(
      'unavailable',
      `MongoDB, ${what}: the server does not accept the user or the password that MONGODB_URL names (is authSource right?).`,
      options,
    );
  }
  if (isAbout(error, codes.permission)) {
    return new StoreError(
      'unavailable',
      `MongoDB, ${what}: the user that MONGODB_URL names may not do this; it needs readWrite on its database.`,
      options,
    );
  }
  if (isAbout(error, codes.noRoom)) return new StoreError('full', message, options);
  if (isAbout(error, codes.unknownCommand) || error instanceof MongoCompatibilityError) {
    return new StoreError(
      'incompatible',
      `${message} (the server that MONGODB_URL names cannot do this)`,
      options,
    );
  }
  if (error instanceof MongoServerSelectionError) {
    return new StoreError(
      'unavailable',
      `MongoDB, ${what}: no server that takes writes answers at the address in MONGODB_URL (${describe(error)})`,
      options,
    );
  }
  return new StoreError('unavailable', message, options);
}

/** The driver and its address parser each have a class of this name. */
const isUnreadableAddress = (error: unknown): error is Error =>
  error instanceof MongoParseError || (error instanceof Error && error.name === 'MongoParseError');

/** Whether the server has refused the user, the password or the permission. Waiting will not help. */
export const isRefused = (error: unknown): boolean =>
  isAbout(error, codes.credentials) ||
  isAbout(error, codes.permission) ||
  error instanceof MongoMissingCredentialsError;

/** Whether a write failed only because a document with that `_id` exists. */
export function isDuplicateId(error: { readonly code?: unknown; readonly keyPattern?: unknown }): boolean {
  if (error.code !== codes.duplicateKey) return false;
  const { keyPattern } = error;
  // Some servers do not name the index. These collections have no unique index but `_id`.
  return typeof keyPattern !== 'object' || keyPattern === null || Object.keys(keyPattern).join() === '_id';
}

/** Whether a command named a collection that does not exist. */
export function isNamespaceNotFound(error: unknown): boolean {
  return (
    isAbout(error, codes.notThere) || (error instanceof MongoServerError && error.message === 'ns not found')
  );
}

function isAbout(error: unknown, some: ReadonlySet<number>): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (error instanceof MongoError && typeof code === 'number' && some.has(code)) return true;
  // A refused handshake is the cause of the error that the waiting operation gets.
  const cause = error instanceof Error ? error.cause : undefined;
  return cause !== undefined && isAbout(cause, some);
}

function isTooLarge(error: unknown): boolean {
  if (isAbout(error, codes.tooLarge)) return true;
  if (error instanceof MongoBulkWriteError) {
    const errors = [error.writeErrors].flat() as { readonly code: number }[];
    if (errors.some(({ code }) => codes.tooLarge.has(code))) return true;
  }
  // The document does not fit into the driver's buffer.
  if (error instanceof RangeError && (error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE') return true;
  const ofServer = error instanceof MongoServerError || error instanceof MongoNetworkError;
  return !ofServer && error instanceof Error && tooLargeBeforeSending.test(error.message);
}

function malformed(message: string): string {
  const option = /^options? ([\w, ]+) (?:is|are) not supported/i.exec(message);
  return option
    ? `MONGODB_URL has an unknown option: ${option[1] ?? ''}.`
    : 'MONGODB_URL cannot be read. It looks like mongodb://user:password@host:27017/database; in the user and the password, characters such as @ : / % are written %40 %3A %2F %25.';
}

/** The message of an error, without user and password of an address in it. */
function describe(error: unknown): string {
  const message = messageOf(error);
  return message.replace(/\/\/[^\s"'/]*@/g, '//');
}
