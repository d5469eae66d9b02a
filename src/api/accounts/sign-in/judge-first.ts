import { TooManyRequests } from '../../../ground/refusals.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import type { VisitorPageContext } from '../../pages/action-form.ts';
import { EarlyAnswer, type View } from '../../pages/page-context.ts';

/**
 * Counts one estimate of a password of somebody without an account: it takes CPU time.
 * @throws EarlyAnswer, the view with what is wrong, when there were too many
 */
export async function countEstimate(
  { throttle }: PageDependencies,
  { visitor }: VisitorPageContext<unknown>,
  view: (refused: TooManyRequests) => View | Promise<View>,
): Promise<void> {
  const seconds = await throttle.judge(visitor.networks);
  if (seconds === 0) return;
  const refused = new TooManyRequests('Too many requests came from your network.', seconds);
  throw new EarlyAnswer({
    ...(await view(refused)),
    status: refused.status,
    headers: { 'retry-after': String(seconds) },
  });
}
