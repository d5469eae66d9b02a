import type { DeliveryEvent, SubscriptionEvent } from '../../events/webhooks/webhook.ts';
import { projection } from '../engine/read-model.ts';

/** Whether a subscription's receiver responds. The pause rule reads it. */
export interface SubscriptionHealthDocument {
  readonly subscription: string;
  /**
   * Since when all attempts have failed. Absent when the newest one succeeded, or none was made since the
   * subscription was resumed.
   */
  readonly failing_since?: string;
  /** The deliveries that have failed since then, up to `countedDeliveries`. */
  readonly failing: readonly string[];
}

/** More failing deliveries than any pause rule requires. */
const countedDeliveries = 100;

/** Events that tell whether a receiver works: attempts, and changes by the owner. */
export type HealthEvent =
  | Extract<DeliveryEvent, { type: 'DeliverySucceeded' | 'DeliveryAttemptFailed' | 'DeliveryFailed' }>
  | Extract<SubscriptionEvent, { type: 'SubscriptionResumed' | 'SubscriptionHealthConfirmed' }>;

export const subscriptionHealth = projection<SubscriptionHealthDocument, HealthEvent>({
  version: 3,
  awaited: false,
  events: [
    'DeliverySucceeded',
    'DeliveryAttemptFailed',
    'DeliveryFailed',
    'SubscriptionResumed',
    'SubscriptionHealthConfirmed',
  ],
  collection: { name: 'subscription-health', fields: ['subscription'], indexes: [['subscription']] },
  idOf: (event) => event.data.subscription,
  fold(doc, event) {
    const { subscription } = event.data;
    if (
      event.type === 'DeliverySucceeded' ||
      event.type === 'SubscriptionResumed' ||
      event.type === 'SubscriptionHealthConfirmed'
    )
      return { subscription, failing: [] };
    // An erased person says nothing about the receiver, and neither does a dispatcher that stopped.
    if ('reason' in event.data || event.data.interrupted) return doc;
    const failing = doc?.failing ?? [];
    return {
      subscription,
      failing_since: doc?.failing_since ?? event.metadata.at,
      failing:
        failing.includes(event.stream) || failing.length >= countedDeliveries
          ? failing
          : [...failing, event.stream],
    };
  },
});
