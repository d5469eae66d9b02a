import { describe, expect, it } from 'vitest';
import { subscription, type SubscriptionCommand } from '../../../src/commands/webhooks/subscription.ts';
import type { SubscriptionEvent } from '../../../src/events/webhooks/webhook.ts';
import { given } from '../../support/decider.ts';
import { aStanding } from '../../support/samples.ts';

const snapshot = aStanding();
const otherSecret = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a02';

const created: SubscriptionEvent = { type: 'SubscriptionCreated', data: snapshot };
const paused: SubscriptionEvent = { type: 'SubscriptionPaused', data: { ...snapshot, status: 'paused' } };
const autoPaused: SubscriptionEvent = {
  type: 'SubscriptionAutoPaused',
  data: { ...snapshot, status: 'paused', paused_because: 'It answered 410.' },
};
const resumed: SubscriptionEvent = { type: 'SubscriptionResumed', data: snapshot };
/** A test delivery as it has to be. */
const accepted = {
  delivery: '0b9f3c53-2d6c-5c0e-8f7b-4f5f4f2b7a11',
  subscription: snapshot.subscription,
  isTest: true,
  isCurrent: true,
  status: 'delivered',
} as const;
const confirmed: SubscriptionEvent = {
  type: 'SubscriptionHealthConfirmed',
  data: { ...snapshot, delivery: accepted.delivery },
};
const { url_sealed: _, ...withoutAddress } = snapshot;
const deleted: SubscriptionEvent = {
  type: 'SubscriptionDeleted',
  data: { ...withoutAddress, status: 'deleted' },
};
const address = { origin: 'https://example.net', url_sealed: 'b3RoZXI' };

const every: readonly SubscriptionCommand[] = [
  { kind: 'choose-events', events: ['resource.rejected'] },
  { kind: 'change-url', address },
  { kind: 'pause' },
  { kind: 'auto-pause', reason: 'It answered 410.' },
  { kind: 'resume' },
  { kind: 'confirm', test: accepted },
  { kind: 'rotate-secret', secretId: otherSecret },
  { kind: 'delete' },
];

describe('a subscription', () => {
  it('is created once', () => {
    given(subscription).when({ kind: 'create', snapshot }).then(created);
    given(subscription, created).when({ kind: 'create', snapshot }).thenRefused('conflict');
    given(subscription, created, deleted).when({ kind: 'create', snapshot }).thenRefused('conflict');
  });

  it('that does not exist can be asked nothing', () => {
    for (const command of every) given(subscription).when(command).thenRefused('not_found');
  });

  it('that is deleted can be asked nothing, but to be deleted', () => {
    for (const command of every) {
      const asked = given(subscription, created, deleted).when(command);
      if (command.kind === 'delete') asked.thenNothing();
      else asked.thenRefused('not_found');
    }
  });

  it('chooses other events, each once, and not the same again', () => {
    given(subscription, created)
      .when({ kind: 'choose-events', events: ['resource.rejected', 'member.joined', 'resource.rejected'] })
      .then({
        type: 'SubscriptionEventsChosen',
        data: { ...snapshot, events: ['resource.rejected', 'member.joined'] },
      });
    given(subscription, created)
      .when({ kind: 'choose-events', events: ['resource.approved'] })
      .thenNothing();
  });

  it('goes to another URL, and not to the same again', () => {
    given(subscription, created)
      .when({ kind: 'change-url', address })
      .then({ type: 'SubscriptionUrlChanged', data: { ...snapshot, ...address } });
    given(subscription, created).when({ kind: 'change-url', address: undefined }).thenNothing();
  });

  it('is paused and resumed, each once', () => {
    given(subscription, created).when({ kind: 'pause' }).then(paused);
    given(subscription, created, paused).when({ kind: 'pause' }).thenNothing();
    given(subscription, created, paused).when({ kind: 'resume' }).then(resumed);
    given(subscription, created).when({ kind: 'resume' }).thenNothing();
    given(subscription, created, paused, resumed).when({ kind: 'pause' }).then(paused);
  });

  it('is paused for the receiver’s sake with the reason, and not on top of the owner’s pause', () => {
    given(subscription, created).when({ kind: 'auto-pause', reason: 'It answered 410.' }).then(autoPaused);
    given(subscription, created, paused)
      .when({ kind: 'auto-pause', reason: 'It answered 410.' })
      .thenNothing();
    given(subscription, created, autoPaused).when({ kind: 'auto-pause', reason: 'Again.' }).thenNothing();
    expect(given(subscription, created, autoPaused).state?.paused_because).toBe('It answered 410.');
  });

  it('does not carry the reason of its pause into what comes after it', () => {
    given(subscription, created, autoPaused).when({ kind: 'confirm', test: accepted }).then(confirmed);
    expect(given(subscription, created, autoPaused, confirmed).state).toStrictEqual(snapshot);
  });

  it('that the service paused is not resumed unchecked, and the refusal says what to do', () => {
    given(subscription, created, autoPaused).when({ kind: 'resume' }).thenRefused('conflict');
    expect(() =>
      subscription.decide({ kind: 'resume' }, given(subscription, created, autoPaused).state),
    ).toThrow(`subscriptions confirm ${snapshot.subscription}`);
    const moved: SubscriptionEvent = {
      type: 'SubscriptionUrlChanged',
      data: { ...autoPaused.data, ...address },
    };
    given(subscription, created, autoPaused, moved).when({ kind: 'resume' }).thenRefused('conflict');
    given(subscription, created, autoPaused).when({ kind: 'pause' }).thenNothing();
  });

  it('is confirmed by a test delivery to it that was accepted after its newest change, and by nothing else', () => {
    const lacking = [
      { ...accepted, status: 'failed' },
      { ...accepted, status: 'pending' },
      { ...accepted, isTest: false },
      { ...accepted, isCurrent: false },
      { ...accepted, subscription: '5f0c1a52-6d3f-5c55-9a8e-3c8f2f0c7a12' },
      { delivery: accepted.delivery, isTest: false, isCurrent: false },
    ] as const;
    for (const test of lacking)
      given(subscription, created, autoPaused).when({ kind: 'confirm', test }).thenRefused('conflict');
    given(subscription, created, paused).when({ kind: 'confirm', test: accepted }).thenRefused('conflict');
    given(subscription, created).when({ kind: 'confirm', test: accepted }).thenNothing();
    given(subscription, created, autoPaused, confirmed).when({ kind: 'pause' }).then(paused);
  });

  it('gets another secret, of the next version, as often as it is asked', () => {
    const rotated: SubscriptionEvent = {
      type: 'SubscriptionSecretRotated',
      data: { ...snapshot, secret_version: 2, secret_id: otherSecret },
    };
    given(subscription, created).when({ kind: 'rotate-secret', secretId: otherSecret }).then(rotated);
    given(subscription, created, rotated)
      .when({ kind: 'rotate-secret', secretId: snapshot.secret_id })
      .then({ type: 'SubscriptionSecretRotated', data: { ...snapshot, secret_version: 3 } });
  });

  it('prepares the next secret beside the present one, which goes when it is activated, and not before', () => {
    const prepared: SubscriptionEvent = {
      type: 'SubscriptionSecretPrepared',
      data: { ...snapshot, next_secret_id: otherSecret },
    };
    given(subscription, created).when({ kind: 'prepare-secret', secretId: otherSecret }).then(prepared);
    given(subscription, created).when({ kind: 'activate-secret' }).thenRefused('conflict');
    const activated: SubscriptionEvent = {
      type: 'SubscriptionSecretActivated',
      data: { ...snapshot, secret_version: 2, secret_id: otherSecret },
    };
    given(subscription, created, prepared).when({ kind: 'activate-secret' }).then(activated);
    given(subscription, created, prepared)
      .when({ kind: 'activate-secret', secretId: otherSecret })
      .then(activated);
    // Somebody has prepared another one than is meant.
    given(subscription, created, prepared)
      .when({ kind: 'activate-secret', secretId: snapshot.secret_id })
      .thenRefused('conflict');
    given(subscription, created, prepared, activated)
      .when({ kind: 'activate-secret' })
      .thenRefused('conflict');
    const third = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a03';
    given(subscription, created, prepared)
      .when({ kind: 'rotate-secret', secretId: third })
      .then({
        type: 'SubscriptionSecretRotated',
        data: { ...snapshot, secret_version: 2, secret_id: third },
      });
    given(subscription, created, prepared).when({ kind: 'delete' }).then(deleted);
  });

  it('is deleted from any state', () => {
    given(subscription, created).when({ kind: 'delete' }).then(deleted);
    given(subscription, created, paused).when({ kind: 'delete' }).then(deleted);
    given(subscription, created, autoPaused).when({ kind: 'delete' }).then(deleted);
  });

  it('repeats in every event all that an attempt needs to know, and no address once it is deleted', () => {
    const busy = aStanding({ origin: 'https://example.com', events: ['member.joined'], secret_version: 4 });
    const starts: readonly SubscriptionEvent[] = [
      { type: 'SubscriptionCreated', data: busy },
      {
        type: 'SubscriptionAutoPaused',
        data: { ...busy, status: 'paused', paused_because: 'It answered 410.' },
      },
    ];
    const changes: Partial<Record<SubscriptionCommand['kind'], object>> = {
      'choose-events': { events: ['resource.rejected'] },
      'change-url': address,
      pause: { status: 'paused' },
      'auto-pause': { status: 'paused', paused_because: 'It answered 410.' },
      confirm: { status: 'active', delivery: accepted.delivery },
      'rotate-secret': { secret_version: 5, secret_id: otherSecret },
      'prepare-secret': { next_secret_id: otherSecret },
      delete: { status: 'deleted' },
    };
    for (const [start, state] of starts.map((each) => [each, given(subscription, each).state] as const)) {
      for (const command of every.filter(({ kind }) => kind !== 'resume')) {
        for (const event of subscription.decide(command, state)) {
          const { paused_because, ...rest } = start.data;
          const ended = command.kind === 'confirm' || command.kind === 'delete';
          const { url_sealed: _, ...withoutUrl } = rest;
          const kept = command.kind === 'delete' ? withoutUrl : rest;
          const data = ended || paused_because === undefined ? kept : { ...kept, paused_because };
          expect(event.data, `${command.kind} after ${start.type}`).toStrictEqual({
            ...data,
            ...changes[command.kind],
          });
        }
      }
    }
  });
});
