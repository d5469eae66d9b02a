import { StoreError } from '../errors.ts';

/** For what has no limit of its own: nobody waits for ever. */
export const defaultTimeoutMs = 30_000;

/**
 * What the server answers in this time. After that nobody waits any longer, while the driver does: until its
 * monitor finds the server silent (10 to 15 s) and breaks the connection, or for ever (see `monitor.ts`). Of
 * itself it has no such limit: its `timeoutMS` does nothing, a `socketTimeoutMS` would be that of every operation.
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
