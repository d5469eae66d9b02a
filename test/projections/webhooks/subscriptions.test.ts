import { describe, expect, it } from 'vitest';
import type { SubscriptionEvent } from '../../../src/events/webhooks/webhook.ts';
import type { WebhookEvent } from '../../../src/events/webhooks/webhook-events.ts';
import {
  hadChosen,
  subscriptions,
  type SubscriptionDocument,
} from '../../../src/projections/webhooks/subscriptions.ts';
import { at, given } from '../../support/fold.ts';
import { aStanding } from '../../support/samples.ts';

const standing = aStanding();
const { subscription, team, origin, url_sealed, events } = standing;

function after(...story: SubscriptionEvent[]): SubscriptionDocument {
  const steps = story.map((event) => [`webhook-subscription-${subscription}`, event] as const);
  const document = given(subscriptions, ...steps).get(subscription);
  if (!document) throw new Error('there is no document');
  return document;
}

const created: SubscriptionEvent = { type: 'SubscriptionCreated', data: standing };
const chose = (...chosen: WebhookEvent[]): SubscriptionEvent => ({
  type: 'SubscriptionEventsChosen',
  data: { ...standing, events: chosen },
});
const autoPaused: SubscriptionEvent = {
  type: 'SubscriptionAutoPaused',
  data: { ...standing, status: 'paused', paused_because: 'It answered 410.' },
};

describe('the read model of subscriptions', () => {
  it('shows where a subscription stands, and nothing of its secret but the version', () => {
    expect(after(created)).toEqual({
      subscription,
      team,
      status: 'active',
      origin,
      url_sealed,
      events,
      secret_version: 1,
      created_at: at(0),
      active_since: at(0),
      choices: [{ position: '0', events }],
    });
  });

  it('follows every change, and keeps since when there is the subscription', () => {
    const change = {
      ...standing,
      origin: 'https://example.net',
      secret_version: 2,
      status: 'paused',
    } as const;
    expect(after(created, { type: 'SubscriptionSecretRotated', data: change })).toMatchObject({
      origin: 'https://example.net',
      secret_version: 2,
      status: 'paused',
      created_at: at(0),
    });
  });

  it('says why it was paused for the receiver’s sake, until it is resumed', () => {
    expect(after(created, autoPaused)).toMatchObject({
      status: 'paused',
      paused_at: at(1),
      paused_because: 'It answered 410.',
    });
    expect(after(created, autoPaused, { type: 'SubscriptionResumed', data: standing })).not.toHaveProperty(
      'paused_because',
    );
    expect(
      after(created, { type: 'SubscriptionPaused', data: { ...standing, status: 'paused' } }),
    ).not.toHaveProperty('paused_because');
  });

  it('says since when it is paused, whatever else changes meanwhile, and not when it is active again', () => {
    const paused = { ...standing, status: 'paused' } as const;
    const moved = { ...paused, url: 'https://example.net/' };
    const story = [
      { type: 'SubscriptionPaused', data: paused },
      { type: 'SubscriptionUrlChanged', data: moved },
    ] as const satisfies SubscriptionEvent[];
    expect(after(created, ...story).paused_at).toBe(at(1));
    const active = { type: 'SubscriptionResumed', data: standing } as const;
    expect(after(created, ...story, active)).not.toHaveProperty('paused_at');
    expect(after(created, ...story, active, { type: 'SubscriptionPaused', data: paused }).paused_at).toBe(
      at(4),
    );
  });

  it('keeps a deleted subscription, so that its end is known', () => {
    expect(
      after(created, { type: 'SubscriptionDeleted', data: { ...standing, status: 'deleted' } }).status,
    ).toBe('deleted');
  });

  it('notes what was chosen from which position on, and nothing where the choice stayed', () => {
    const document = after(
      created,
      autoPaused,
      chose('resource.rejected'),
      chose('resource.rejected'),
      chose('resource.approved'),
    );
    expect(document.choices).toEqual([
      { position: '0', events: ['resource.approved'] },
      { position: '2', events: ['resource.rejected'] },
      { position: '4', events: ['resource.approved'] },
    ]);
  });
});

describe('who is told of an event', () => {
  // Created at 0 for approvals; from 3 on for rejections too; from 5 on for rejections alone.
  const moved = (...chosen: WebhookEvent[]): SubscriptionEvent => ({
    type: 'SubscriptionUrlChanged',
    data: { ...standing, origin: 'https://example.net', events: chosen },
  });
  const both = ['resource.approved', 'resource.rejected'] as const;
  const document = after(
    created,
    moved('resource.approved'),
    moved('resource.approved'),
    chose(...both),
    moved(...both),
    chose('resource.rejected'),
  );

  it.each([
    ['before there was the subscription', -1n, false, false],
    ['at the very position of its creation', 0n, true, false],
    ['just before another choice', 2n, true, false],
    ['at the very position of another choice', 3n, true, true],
    ['after that choice', 4n, true, true],
    ['at the newest choice', 5n, false, true],
    ['long after', 5_000_000_000_000n, false, true],
  ] as const)('is decided by what was chosen then: %s', (_, position, approved, rejected) => {
    expect(hadChosen(document, 'resource.approved', position)).toBe(approved);
    expect(hadChosen(document, 'resource.rejected', position)).toBe(rejected);
    expect(hadChosen(document, 'member.joined', position)).toBe(false);
  });

  it('compares positions as numbers, not as text', () => {
    const choices = [
      { position: '9', events: ['resource.approved'] },
      { position: '10', events: ['resource.rejected'] },
    ] as const;
    expect(hadChosen({ ...document, choices }, 'resource.approved', 9n)).toBe(true);
    expect(hadChosen({ ...document, choices }, 'resource.rejected', 100n)).toBe(true);
    expect(hadChosen({ ...document, choices }, 'resource.approved', 100n)).toBe(false);
    expect(hadChosen({ ...document, choices }, 'resource.approved', 8n)).toBe(false);
  });
});
