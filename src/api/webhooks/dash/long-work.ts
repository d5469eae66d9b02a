import type { TeamPageContext } from '../../pages/page-context.ts';

/** How long a person waits for work on many deliveries. Ten thousand take about this long. */
const waitMs = 5_000;

/**
 * Work on many deliveries. The page waits for it a few seconds. What takes longer goes on by itself, and the page says so:
 * undefined. If the service stops meanwhile, the person asks again, and what was done is not done twice.
 */
export async function withinReason<Result>(
  { request }: TeamPageContext,
  work: Promise<Result>,
): Promise<Result | undefined> {
  const { promise: waited, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    work.catch((error: unknown) => request.log.error(error, 'Work on deliveries ended early.'));
    resolve(undefined);
  }, waitMs);
  try {
    return await Promise.race([work, waited]);
  } finally {
    clearTimeout(timer);
  }
}
