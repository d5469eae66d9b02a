import { MongoBulkWriteError } from 'mongodb';
import { isDuplicateId, mongoError } from './mongodb-errors.ts';
import { defaultTimeoutMs, withTimeout } from './mongodb-timeout.ts';

/** Runs work on the server. @throws StoreError that says what failed; `outcome`: of a write */
export async function onServer<Result>(
  what: string,
  outcome: 'none' | 'unknown',
  doing: () => Promise<Result>,
): Promise<Result> {
  try {
    return await doing();
  } catch (error) {
    throw mongoError(error, what, outcome);
  }
}

/** Runs one operation on the server, in limited time. @throws StoreError that says what failed */
export const operation = <Result>(
  what: string,
  outcome: 'none' | 'unknown',
  doing: () => Promise<Result>,
): Promise<Result> => onServer(what, outcome, () => withTimeout(defaultTimeoutMs, doing()));

/** False when the id of what is inserted is taken. */
export async function isInserted(inserting: Promise<unknown>): Promise<boolean> {
  try {
    await inserting;
    return true;
  } catch (error) {
    if (isDuplicateId(error as object)) return false;
    throw error;
  }
}

/** Makes several writes, in any order. Resolves with the indexes of those whose id is taken. */
export async function takenIn(writing: Promise<unknown>): Promise<number[]> {
  try {
    await writing;
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
    const errors = [error.writeErrors].flat();
    if (errors.length === 0 || !errors.every(isDuplicateId)) throw error;
    return errors.map(({ index }) => index);
  }
}
