import { subscriptionStream, type SubscriptionEvent } from '../../events/webhooks/webhook.ts';
import { type WebhookEvent } from '../../events/webhooks/webhook-events.ts';
import { streamId } from '../../events/define.ts';
import { defined } from '../../ground/defined.ts';
import { projection } from '../engine/read-model.ts';

export interface SubscriptionDocument {
  readonly subscription: string;
  readonly team: string;
  readonly status: 'active' | 'paused' | 'deleted';
  /** Scheme, host and port of where deliveries go. */
  readonly origin: string;
  /** The whole address, sealed for the subscription. Absent when it is deleted. */
  readonly url_sealed?: string | undefined;
  /** Deliveries are handed to the test receiver of this installation. */
  readonly test_receiver?: true;
  /** What its owner calls it. */
  readonly name?: string;
  readonly events: readonly WebhookEvent[];
  readonly secret_version: number;
  /** The next signing secret, when one is prepared, and since when. */
  readonly next_secret_id?: string;
  readonly next_secret_prepared_at?: string;
  readonly created_at: string;
  /** Since when it is active. */
  readonly active_since?: string;
  /** Since when it is paused. */
  readonly paused_at?: string;
  /** Why the service paused it. Absent when its owner did. */
  readonly paused_because?: string;
  /** The chosen events from each position on (decimal), oldest first. They decide which events are sent. */
  readonly choices: readonly { readonly position: string; readonly events: readonly WebhookEvent[] }[];
}

export const subscriptions = projection<SubscriptionDocument, SubscriptionEvent>({
  version: 4,
  events: [
    'SubscriptionCreated',
    'SubscriptionEventsChosen',
    'SubscriptionUrlChanged',
    'SubscriptionNamed',
    'SubscriptionPaused',
    'SubscriptionAutoPaused',
    'SubscriptionResumed',
    'SubscriptionHealthConfirmed',
    'SubscriptionSecretRotated',
    'SubscriptionSecretPrepared',
    'SubscriptionSecretActivated',
    'SubscriptionDeleted',
  ],
  collection: {
    name: 'subscriptions',
    fields: ['subscription', 'team', 'status'],
    indexes: [['subscription'], ['team', 'subscription'], ['status', 'subscription']],
  },
  idOf: (event) => streamId(event, subscriptionStream),
  fold(doc, event) {
    const { subscription, team, status, origin, url_sealed, events, secret_version, paused_because } =
      event.data;
    const { test_receiver, name } = event.data;
    const next = event.data.next_secret_id;
    const preparedAt = doc?.next_secret_id === next ? doc?.next_secret_prepared_at : undefined;
    const choices = doc?.choices ?? [];
    const chosen = choices.at(-1)?.events.join() === events.join();
    return {
      subscription,
      team,
      status,
      origin,
      ...defined({ url_sealed, test_receiver, name }),
      events,
      secret_version,
      ...(next === undefined
        ? {}
        : { next_secret_id: next, next_secret_prepared_at: preparedAt ?? event.metadata.at }),
      created_at: doc?.created_at ?? event.metadata.at,
      ...(status === 'active' ? { active_since: doc?.active_since ?? event.metadata.at } : {}),
      ...(status === 'paused' ? { paused_at: doc?.paused_at ?? event.metadata.at } : {}),
      ...defined({ paused_because }),
      choices: chosen ? choices : [...choices, { position: event.position.toString(), events }],
    };
  },
});

/** Whether the subscription existed and had chosen an event when it happened. */
export function hadChosen(doc: SubscriptionDocument, event: WebhookEvent, position: bigint): boolean {
  const choice = doc.choices.findLast((each) => BigInt(each.position) <= position);
  return choice?.events.includes(event) ?? false;
}
