import type { FastifyRequest } from 'fastify';

/** How long a request waits for work that goes on by itself. Ten thousand deliveries take about this long. */
const waitMs = 5_000;

/** The result of work, or undefined when the request no longer waits. What fails after that is logged. */
export async function withinReason<Result>(
  { log }: Pick<FastifyRequest, 'log'>,
  working: Promise<Result>,
): Promise<Result | undefined> {
  const { promise: waited, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    working.catch((error: unknown) => log.error(error, 'Work ended early.'));
    resolve(undefined);
  }, waitMs);
  try {
    return await Promise.race([working, waited]);
  } finally {
    clearTimeout(timer);
  }
}
