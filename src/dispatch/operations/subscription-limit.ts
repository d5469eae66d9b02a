import { counted } from '../../ground/counted.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { pages } from '../../projections/engine/paginate.ts';
import { subscriptions } from '../../projections/webhooks/subscriptions.ts';
import type { DispatchContext } from '../context.ts';
import { subscribersAreCurrent } from '../subscribers.ts';
import { subscriptionsPerTeam } from '../delivery-policy.ts';

/** The most subscriptions of one team, unless the operator has set another number. */
export const mostSubscriptions = (configured: number | undefined): number =>
  configured ?? subscriptionsPerTeam;

/** How long a creation waits for the read model that it counts in. */
const waitMs = 10_000;

/**
 * Refuses a creation when the team has its most subscriptions. Deleted ones do not count. Counts in the read model, once
 * that shows every subscription event of the log.
 *
 * This bounds the work of one event and protects no other rule, so nothing is locked: creations at the same moment do not see
 * each other, and a team can have as many more than the limit as were created at once. No subscription is lost by that,
 * and the next creation is refused.
 *
 * @throws CommandRefused conflict
 */
export async function requireRoomForSubscription(
  stores: Pick<DispatchContext, 'store' | 'documents'>,
  team: string,
  most: number = subscriptionsPerTeam,
): Promise<void> {
  // Without the read model's answer in time, what it shows decides: it can be off by what happened last.
  await subscribersAreCurrent(stores, await stores.store.head(), AbortSignal.timeout(waitMs));
  const query = { where: { team }, orderBy: ['subscription'] } as const;
  let count = 0;
  for await (const page of pages(stores.documents.collection(subscriptions.collection), query)) {
    count += page.filter(({ status }) => status !== 'deleted').length;
    if (count < most) continue;
    throw new CommandRefused(
      'conflict',
      `The team ${team} has ${counted(count, 'webhook')}, and ${most} are the most. Delete one that is no longer needed, or send to one address that passes the events on.`,
    );
  }
}
