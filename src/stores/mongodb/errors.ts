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
import { StoreError } from '../errors.ts';

/** Codes of the server (src/mongo/base/error_codes.yml) that tell what a person can do about it. */
const codes = {
  credentials: new Set([11, 18, 8000]),
  permission: new Set([13]),
  unknownCommand: new Set([59, 115, 238]),
  tooLarge: new Set([10334, 17419, 17420]),
  noRoom: new Set([14031]),
  notThere: new Set([26]),
  duplicateKey: 11000,
};

/** What the driver says when it refuses a document before it is sent. */
const tooLargeBeforeSending = /larger than the maximum size|BSON size limit/i;

/**
 * Turns an error of the driver into one of ours that says what was being done and what a person can do.
 * `outcome` is what a failed write may have left behind where the error itself does not tell: `unknown` for
 * writes. Never repeats the address: a malformed one may show its password anywhere.
 */
export function mongoError(error: unknown, what: string, outcome: 'none' | 'unknown' = 'none'): StoreError {
  if (error instanceof StoreError) return error;
  // The driver quotes the address in these; so they are neither shown nor passed on.
  if (isUnreadableAddress(error)) return new StoreError('incompatible', malformed(error.message));

  const options = { cause: error, outcome };
  const message = `MongoDB, ${what}: ${describe(error)}`;
  if (isTooLarge(error)) {
    return new StoreError(
      'misuse',
      `MongoDB, ${what}: a document is larger than the 16 MB that one may be.`,
      {
        cause: error,
        outcome: 'none',
      },
    );
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

/** The driver and its parser of addresses have a class of this name each. */
const isUnreadableAddress = (error: unknown): error is Error =>
  error instanceof MongoParseError || (error instanceof Error && error.name === 'MongoParseError');

/** Whether the server has refused the user, the password or what the user may do: waiting will not help. */
export const isRefused = (error: unknown): boolean =>
  isAbout(error, codes.credentials) ||
  isAbout(error, codes.permission) ||
  error instanceof MongoMissingCredentialsError;

/** Whether a write was refused because a document of that `_id` is there already, and for nothing else. */
export function isDuplicateId(error: { readonly code?: unknown; readonly keyPattern?: unknown }): boolean {
  if (error.code !== codes.duplicateKey) return false;
  const { keyPattern } = error;
  // Servers that do not say which index it was: none of our collections has a unique one beside `_id`.
  return typeof keyPattern !== 'object' || keyPattern === null || Object.keys(keyPattern).join() === '_id';
}

/** Whether a collection was asked about, or to be dropped, that is not there. */
export function isNamespaceNotFound(error: unknown): boolean {
  return (
    isAbout(error, codes.notThere) || (error instanceof MongoServerError && error.message === 'ns not found')
  );
}

function isAbout(error: unknown, some: ReadonlySet<number>): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (error instanceof MongoError && typeof code === 'number' && some.has(code)) return true;
  // A refused handshake comes wrapped in the error of whoever waited for a connection.
  const cause = error instanceof Error ? error.cause : undefined;
  return cause !== undefined && isAbout(cause, some);
}

function isTooLarge(error: unknown): boolean {
  if (isAbout(error, codes.tooLarge)) return true;
  if (error instanceof MongoBulkWriteError) {
    const errors = [error.writeErrors].flat() as { readonly code: number }[];
    if (errors.some(({ code }) => codes.tooLarge.has(code))) return true;
  }
  // A document that does not even fit into the driver's buffer for one.
  if (error instanceof RangeError && (error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE') return true;
  const ofServer = error instanceof MongoServerError || error instanceof MongoNetworkError;
  return !ofServer && error instanceof Error && tooLargeBeforeSending.test(error.message);
}

function malformed(message: string): string {
  const option = /^options? ([\w, ]+) (?:is|are) not supported/i.exec(message);
  return option
    ? `MONGODB_URL has an option that is not known: ${option[1] ?? ''}.`
    : 'MONGODB_URL cannot be read. It looks like mongodb://user:password@host:27017/database; in the user and the password, characters such as @ : / % are written %40 %3A %2F %25.';
}

/** The sentence of an error, without whatever stands before a host in an address. */
function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\/\/[^\s"'/]*@/g, '//');
}
