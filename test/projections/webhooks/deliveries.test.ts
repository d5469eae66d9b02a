import { describe, expect, it } from 'vitest';
import type { DeliveryEvent } from '../../../src/events/webhooks/webhook.ts';
import { deliveries } from '../../../src/projections/webhooks/deliveries.ts';
import { at, given } from '../../support/fold.ts';

const delivery = '0b9f3c53-2d6c-5c0e-8f7b-4f5f4f2b7a11';
const subscription = '5f0c1a52-6d3f-5c55-9a8e-3c8f2f0c7a11';
const source = {
  stream: 'resource-r_5040000000000007',
  revision: 1,
  event_id: '0b9f3c53-2d6c-5c0e-8f7b-4f5f4f2b7a12',
};

const scheduled: DeliveryEvent = {
  type: 'DeliveryScheduled',
  data: {
    delivery,
    subscription,
    team: 'harbour',
    event: 'resource.approved',
    source,
    occurred_at: at(0),
    payload_version: 1,
    body_sha256: '0'.repeat(64),
  },
};
const attempt = (n: number) => ({ subscription, attempt: n, started_at: at(n), duration_ms: 12 });
const retried = (n: number, rest: { status?: number }, due: number): DeliveryEvent => ({
  type: 'DeliveryAttemptFailed',
  data: { ...attempt(n), ...rest, error: `Attempt ${n} failed.`, next_attempt_at: at(due) },
});
const succeeded = (n: number): DeliveryEvent => ({
  type: 'DeliverySucceeded',
  data: { ...attempt(n), status: 204 },
});
const failed = (n: number): DeliveryEvent => ({
  type: 'DeliveryFailed',
  data: { ...attempt(n), error: 'Given up.' },
});
const resent: DeliveryEvent = { type: 'DeliveryResent', data: { subscription } };
const discarded: DeliveryEvent = { type: 'DeliveryDiscarded', data: { subscription } };

const after = (...story: DeliveryEvent[]) =>
  given(deliveries, ...story.map((event) => [`webhook-delivery-${delivery}`, event] as const)).get(delivery);

describe('the read model of deliveries', () => {
  it('shows a scheduled delivery as due at once', () => {
    expect(after(scheduled)).toEqual({
      delivery,
      subscription,
      team: 'harbour',
      event: 'resource.approved',
      source,
      status: 'pending',
      scheduled_at: at(0),
      next_attempt_at: at(0),
      attempts: 0,
    });
  });

  it('shows a failed attempt: how often, how, and when the next is due', () => {
    expect(after(scheduled, retried(1, { status: 500 }, 30))).toMatchObject({
      status: 'pending',
      attempts: 1,
      last_status: 500,
      last_error: 'Attempt 1 failed.',
      next_attempt_at: at(30),
    });
  });

  it('shows the newest attempt alone', () => {
    const document = after(scheduled, retried(1, { status: 500 }, 30), retried(2, {}, 40));
    expect(document).toMatchObject({ attempts: 2, last_error: 'Attempt 2 failed.', next_attempt_at: at(40) });
    expect(document).not.toHaveProperty('last_status');
  });

  it('shows a success without the errors before it', () => {
    const document = after(scheduled, retried(1, { status: 500 }, 30), succeeded(2));
    expect(document).toMatchObject({ status: 'delivered', attempts: 2, last_status: 204 });
    expect(document).not.toHaveProperty('last_error');
  });

  it('shows the last failure as the end', () => {
    expect(after(scheduled, failed(1))).toMatchObject({
      status: 'failed',
      attempts: 1,
      last_error: 'Given up.',
    });
  });

  it('shows a delivery that is sent again as due at once, and keeps counting its attempts', () => {
    expect(after(scheduled, failed(1), resent)).toMatchObject({
      status: 'pending',
      next_attempt_at: at(2),
      attempts: 1,
    });
    expect(after(scheduled, failed(1), resent, succeeded(2))).toMatchObject({
      status: 'delivered',
      attempts: 2,
    });
  });

  it('shows a discarded delivery as such', () => {
    expect(after(scheduled, discarded)?.status).toBe('discarded');
  });

  it('shows why a delivery is parked, until it is asked for again', () => {
    const parked: DeliveryEvent = {
      type: 'DeliveryParked',
      data: { subscription, tries: 10, reason: 'Its source event is gone.' },
    };
    expect(after(scheduled, parked)).toMatchObject({
      status: 'parked',
      parked_because: 'Its source event is gone.',
      parked_at: at(1),
    });
    const again = after(scheduled, parked, resent);
    expect(again).toMatchObject({ status: 'pending', next_attempt_at: at(2) });
    expect(again).not.toHaveProperty('parked_because');
    expect(again).not.toHaveProperty('parked_at');
  });

  it('knows nothing of what was never scheduled', () => {
    for (const event of [retried(1, {}, 2), succeeded(1), failed(1), resent, discarded])
      expect(after(event)).toBeUndefined();
  });
});
