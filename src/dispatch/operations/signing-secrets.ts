import { randomBytes } from 'node:crypto';
import {
  createSubscription,
  prepareSecret,
  rotateSecret,
  type NewSubscription,
  type WithSecret,
} from '../../commands/webhooks/subscription.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { DispatchContext } from '../context.ts';
import { newSigningSecret } from '../signature.ts';
import { requireRoomForSubscription } from './subscription-limit.ts';

type Part = Pick<DispatchContext, 'store' | 'documents' | 'vault' | 'personal'>;

/**
 * Subscribes a URL, which the caller has checked with `checkDestination`, or our test receiver, if the team has room for it. Answers the new
 * signing secret, which is shown once. `most`: the most subscriptions of a team; default: see policy.ts.
 *
 * @throws CommandRefused conflict
 */
export async function subscribe(
  dispatching: Part,
  wanted: NewSubscription,
  context: CommandContext,
  most?: number,
): Promise<WithSecret> {
  await requireRoomForSubscription(dispatching, wanted.team, most);
  return createSubscription(dispatching, wanted, newSigningSecret(randomBytes), context);
}

/** Replaces the signing secret of a subscription at once. Answers the new one, which is shown once. */
export const renewSecret = (
  dispatching: Part,
  subscriptionId: string,
  context: CommandContext,
): Promise<WithSecret> => rotateSecret(dispatching, subscriptionId, newSigningSecret(randomBytes), context);

/** Prepares the next signing secret. Answers it; it is shown once. */
export const prepareNextSecret = (
  dispatching: Part,
  subscriptionId: string,
  context: CommandContext,
): Promise<WithSecret> => prepareSecret(dispatching, subscriptionId, newSigningSecret(randomBytes), context);
