import { describe, expect, it } from 'vitest';
import {
  delivery,
  type DeliveryCommand,
  type DeliveryState,
} from '../../../src/commands/webhooks/delivery.ts';
import type { DeliveryEvent } from '../../../src/events/webhooks/webhook.ts';
import { given } from '../../support/decider.ts';
import { at } from '../../support/fold.ts';

const subscription = '5f0c1a52-6d3f-5c55-9a8e-3c8f2f0c7a11';
const data: Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>['data'] = {
  delivery: '0b9f3c53-2d6c-5c0e-8f7b-4f5f4f2b7a11',
  subscription,
  team: 'harbour',
  event: 'resource.approved',
  source: {
    stream: 'resource-r_5040000000000007',
    revision: 1,
    event_id: '0b9f3c53-2d6c-5c0e-8f7b-4f5f4f2b7a12',
  },
  occurred_at: at(0),
  payload_version: 1,
  body_sha256: '0'.repeat(64),
};
const attempt = (n: number) => ({ subscription, attempt: n, started_at: at(n), duration_ms: 12 });
const wrong = (n: number) => ({ ...attempt(n), status: 500, error: 'It answered 500.' });

const scheduled: DeliveryEvent = { type: 'DeliveryScheduled', data };
const retried = (n: number): DeliveryEvent => ({
  type: 'DeliveryAttemptFailed',
  data: { ...wrong(n), next_attempt_at: at(n + 5) },
});
const failed = (n: number): DeliveryEvent => ({ type: 'DeliveryFailed', data: wrong(n) });
const succeeded = (n: number): DeliveryEvent => ({ type: 'DeliverySucceeded', data: attempt(n) });
const resent: DeliveryEvent = { type: 'DeliveryResent', data: { subscription, asked_by: 'resend' } };
const discarded: DeliveryEvent = { type: 'DeliveryDiscarded', data: { subscription } };

const succeed = (n: number): DeliveryCommand => ({ kind: 'succeed', data: attempt(n) });
const fail = (n: number, nextAttemptAt: string | null): DeliveryCommand => ({
  kind: 'fail',
  data: wrong(n),
  nextAttemptAt,
});

describe('a delivery', () => {
  it('is scheduled once, whatever has become of it', () => {
    given(delivery).when({ kind: 'schedule', data }).then(scheduled);
    for (const end of [retried(1), succeeded(1), failed(1), discarded]) {
      given(delivery, scheduled, end).when({ kind: 'schedule', data }).thenNothing();
    }
  });

  it('that was never scheduled can be asked nothing', () => {
    const commands: readonly DeliveryCommand[] = [
      succeed(1),
      fail(1, null),
      { kind: 'resend', requestedBy: 'resend' },
      { kind: 'discard' },
    ];
    for (const command of commands) given(delivery).when(command).thenRefused('not_found');
  });

  it('is reversed or expires only while it waits', () => {
    const reversed: DeliveryEvent = { type: 'DeliveryReversed', data: { subscription } };
    const expired: DeliveryEvent = { type: 'DeliveryExpired', data: { subscription } };
    for (const waiting of [[scheduled], [scheduled, retried(1)]]) {
      given(delivery, ...waiting)
        .when({ kind: 'reverse' })
        .then(reversed);
      given(delivery, ...waiting)
        .when({ kind: 'expire' })
        .then(expired);
    }
    for (const end of [succeeded(1), failed(1), discarded, reversed, expired])
      for (const kind of ['reverse', 'expire'] as const)
        given(delivery, scheduled, end).when({ kind }).thenNothing();
  });

  it('is tried again while there is a next time, and has failed when there is none', () => {
    given(delivery, scheduled)
      .when(fail(1, at(6)))
      .then(retried(1));
    given(delivery, scheduled, retried(1)).when(fail(2, null)).then(failed(2));
    given(delivery, scheduled, retried(1)).when(succeed(2)).then(succeeded(2));
  });

  it('keeps its place in the schedule when an attempt is interrupted, three times in a row at most', () => {
    const interrupted = (n: number): DeliveryEvent => ({
      type: 'DeliveryAttemptFailed',
      data: { ...attempt(n), error: 'Interrupted.', interrupted: true, next_attempt_at: at(n + 5) },
    });
    const after = (...events: readonly DeliveryEvent[]) =>
      [scheduled, ...events].reduce<DeliveryState | undefined>(delivery.evolve, undefined);
    expect(after(retried(1), interrupted(2))).toMatchObject({ attempts: 2, sinceRequest: 1 });
    const three = [interrupted(1), interrupted(2), interrupted(3)];
    expect(after(...three)).toMatchObject({ attempts: 3, sinceRequest: 0, interruptedInRow: 3 });
    expect(after(...three, interrupted(4))).toMatchObject({ attempts: 4, sinceRequest: 1 });
    // An attempt with an outcome ends the row.
    expect(after(...three, retried(4), interrupted(5))).toMatchObject({ attempts: 5, sinceRequest: 1 });
    expect(after(...three, failed(4), resent)).toMatchObject({ sinceRequest: 0, interruptedInRow: 0 });
  });

  it('has every attempt recorded that a receiver saw, but is not tried again against a decision', () => {
    given(delivery, scheduled, discarded).when(succeed(1)).then(succeeded(1));
    given(delivery, scheduled, discarded)
      .when(fail(1, at(6)))
      .then(failed(1));
  });

  it('is sent again once it is over, and not while it is under way', () => {
    for (const end of [succeeded(1), failed(1), discarded]) {
      given(delivery, scheduled, end).when({ kind: 'resend', requestedBy: 'resend' }).then(resent);
    }
    given(delivery, scheduled).when({ kind: 'resend', requestedBy: 'resend' }).thenNothing();
    given(delivery, scheduled, failed(1), resent)
      .when({ kind: 'resend', requestedBy: 'resend' })
      .thenNothing();
  });

  it('is sent now when it waits for its next attempt, unless a replay meets it', () => {
    given(delivery, scheduled, retried(1)).when({ kind: 'resend', requestedBy: 'resend' }).then(resent);
    given(delivery, scheduled, retried(1)).when({ kind: 'resend', requestedBy: 'replay' }).thenNothing();
  });

  it('says whether a replay asked for it', () => {
    given(delivery, scheduled, succeeded(1))
      .when({ kind: 'resend', requestedBy: 'replay' })
      .then({ type: 'DeliveryResent', data: { subscription, asked_by: 'replay' } });
  });

  it('fails at once when the person whom it is about is erased, and counts no attempt', () => {
    const erased: DeliveryEvent = {
      type: 'DeliveryFailed',
      data: {
        subscription,
        attempt: 1,
        started_at: at(9),
        duration_ms: 0,
        error: 'The person whom the event is about was erased.',
        reason: 'erased',
      },
    };
    given(delivery, scheduled, retried(1))
      .when({ kind: 'fail-erased', at: at(9) })
      .then(erased);
    given(delivery, scheduled, succeeded(1))
      .when({ kind: 'fail-erased', at: at(9) })
      .thenNothing();
  });

  it('expires only while it is under way, and an attempt that ends later does not change that', () => {
    const expired: DeliveryEvent = { type: 'DeliveryExpired', data: { subscription } };
    given(delivery, scheduled, retried(1)).when({ kind: 'expire' }).then(expired);
    given(delivery, scheduled, succeeded(1)).when({ kind: 'expire' }).thenNothing();
    given(delivery, scheduled, expired).when({ kind: 'discard' }).thenNothing();
  });

  it('is parked while it is pending, and is then asked for again or discarded, and does not expire', () => {
    const parked: DeliveryEvent = {
      type: 'DeliveryParked',
      data: { subscription, tries: 10, reason: 'Its source event is gone.' },
    };
    const park = { kind: 'park', tries: 10, reason: 'Its source event is gone.' } as const;
    given(delivery, scheduled).when(park).then(parked);
    given(delivery, scheduled, succeeded(1)).when(park).thenNothing();
    given(delivery, scheduled, parked).when(park).thenNothing();
    given(delivery, scheduled, parked).when({ kind: 'discard' }).then(discarded);
    given(delivery, scheduled, parked).when({ kind: 'expire' }).thenNothing();
    given(delivery, scheduled, parked).when({ kind: 'resend', requestedBy: 'resend' }).then(resent);
  });

  it('is discarded only while it is under way', () => {
    given(delivery, scheduled, retried(1)).when({ kind: 'discard' }).then(discarded);
    for (const end of [succeeded(1), failed(1), discarded]) {
      given(delivery, scheduled, end).when({ kind: 'discard' }).thenNothing();
    }
  });

  it('counts all attempts, and those since it was last asked for apart', () => {
    expect(given(delivery, scheduled, retried(1), retried(2)).state).toMatchObject({
      status: 'pending',
      attempts: 2,
      sinceRequest: 2,
      dueAt: at(7),
    });
    const again = given(delivery, scheduled, retried(1), failed(2), resent).state;
    expect(again).toMatchObject({ status: 'pending', attempts: 2, sinceRequest: 0 });
    expect(again).not.toHaveProperty('dueAt');
    expect(given(delivery, scheduled, retried(1), failed(2), resent, retried(3)).state).toMatchObject({
      attempts: 3,
      sinceRequest: 1,
    });
  });
});
