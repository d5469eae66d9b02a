import type { DeliveryEvent, SubscriptionEvent } from '../../events/webhooks/webhook.ts';
import { projection } from '../engine/define.ts';

/** Whether a subscription's receiver answers: what the pause rule looks at. */
export interface SubscriptionHealthDocument {
  readonly subscription: string;
  /** Since when every attempt has failed; absent while the newest one succeeded, or none was made since resuming. */
  readonly failing_since?: string;
  /** Different deliveries that have failed since then, as far as the rule counts. */
  readonly failing: readonly string[];
}

/** More failing deliveries than any pause rule asks for need not be told apart. */
const countedDeliveries = 100;

/** What tells of a receiver: how attempts went, and that the owner believes in it again. */
export type HealthEvent =
  | Extract<DeliveryEvent, { type: 'DeliverySucceeded' | 'DeliveryAttemptFailed' | 'DeliveryFailed' }>
  | Extract<SubscriptionEvent, { type: 'SubscriptionResumed' }>;

export const subscriptionHealth = projection<SubscriptionHealthDocument, HealthEvent>({
  version: 1,
  awaited: false,
  events: ['DeliverySucceeded', 'DeliveryAttemptFailed', 'DeliveryFailed', 'SubscriptionResumed'],
  collection: { name: 'subscription-health', fields: ['subscription'], indexes: [['subscription']] },
  idOf: (event) => event.data.subscription,
  fold(doc, event) {
    const { subscription } = event.data;
    if (event.type === 'DeliverySucceeded' || event.type === 'SubscriptionResumed') {
      return { subscription, failing: [] };
    }
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
