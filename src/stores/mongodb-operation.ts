import { mongoError } from './mongodb-errors.ts';
import { defaultTimeoutMs, withTimeout } from './mongodb-timeout.ts';

/** Runs one operation on the server, in limited time. @throws StoreError that says what failed */
export async function operation<Result>(
  what: string,
  outcome: 'none' | 'unknown',
  doing: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withTimeout(defaultTimeoutMs, doing());
  } catch (error) {
    throw mongoError(error, what, outcome);
  }
}
