import { z } from 'zod';
import { CommandRefused } from '../../commands/errors.ts';
import { subscriptions, type SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import type { Listing } from '../listing.ts';

/** The webhook subscriptions of a team, deleted ones too. */
export const subscriptionList: Listing<SubscriptionDocument, SubscriptionDocument> = {
  name: 'subscriptions',
  right: 'change webhooks',
  scope: 'webhooks:read',
  readModel: subscriptions,
  orderBy: ['subscription'],
  id: z.uuid(),
  none: () => new CommandRefused('not_found', 'There is no such subscription.'),
  open: async (_, docs) => docs,
};
