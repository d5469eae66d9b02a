import { describe, expect, it } from 'vitest';
import {
  subscriptionHealth,
  type HealthEvent,
} from '../../../src/projections/webhooks/subscription-health.ts';
import { at, given } from '../../support/fold.ts';
import { aStanding } from '../../support/samples.ts';

const subscription = '5f0c1a52-6d3f-5c55-9a8e-3c8f2f0c7a11';
const attempt = { subscription, attempt: 1, started_at: at(0), duration_ms: 12 };
const retried: HealthEvent = {
  type: 'DeliveryAttemptFailed',
  data: { ...attempt, error: 'No.', next_attempt_at: at(9) },
};
const failed: HealthEvent = { type: 'DeliveryFailed', data: { ...attempt, error: 'No.' } };
const succeeded: HealthEvent = { type: 'DeliverySucceeded', data: attempt };

const after = (...story: (readonly [delivery: string, event: HealthEvent])[]) =>
  given(subscriptionHealth, ...story.map(([id, event]) => [`webhook-delivery-${id}`, event] as const)).get(
    subscription,
  );

describe('the read model of a receiver’s health', () => {
  it('says since when every attempt has failed, and of how many deliveries', () => {
    expect(after(['a', retried], ['b', failed], ['a', retried])).toEqual({
      subscription,
      failing_since: at(0),
      failing: ['webhook-delivery-a', 'webhook-delivery-b'],
    });
  });

  it('begins anew with every success', () => {
    expect(after(['a', retried], ['b', succeeded])).toEqual({ subscription, failing: [] });
    expect(after(['a', retried], ['b', succeeded], ['a', failed])).toEqual({
      subscription,
      failing_since: at(2),
      failing: ['webhook-delivery-a'],
    });
  });

  it('begins anew when the owner resumes, so that one failure does not pause it again', () => {
    const resumed: HealthEvent = { type: 'SubscriptionResumed', data: aStanding({ subscription }) };
    expect(after(['a', retried], ['b', resumed])).toEqual({ subscription, failing: [] });
  });

  it('counts no further than any rule asks', () => {
    const many = Array.from({ length: 150 }, (_, n) => [`${n}`, retried] as const);
    expect(after(...many)?.failing).toHaveLength(100);
  });
});
