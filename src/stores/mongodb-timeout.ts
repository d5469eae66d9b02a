import { StoreError } from './errors.ts';

/** The limit for operations that have none of their own. */
export const defaultTimeoutMs = 30_000;

/**
 * Waits for an answer of the server, with a limit. After that the caller stops waiting, but the driver does not: it
 * waits until its monitor finds the server silent (10 to 15 s) and closes the connection, or for ever (see
 * `monitor.ts`). The driver has no usable limit: its `timeoutMS` has no effect here, and `socketTimeoutMS` would
 * apply to every operation.
 *
 * @throws StoreError unavailable, outcome unknown
 */
export async function withTimeout<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new StoreError('unavailable', `MongoDB gave no answer within ${ms} ms.`, { outcome: 'unknown' }),
      );
    }, ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
