import { deliveryStream, type DeliveryEvent } from '../../events/webhooks/webhook.ts';
import { type WebhookEvent } from '../../events/webhooks/webhook-events.ts';
import { streamId } from '../../events/define.ts';
import { defined } from '../../ground/defined.ts';
import { projection } from '../engine/read-model.ts';

export interface DeliveryDocument {
  readonly delivery: string;
  readonly subscription: string;
  readonly team: string;
  readonly event: WebhookEvent;
  /** Absent in a test delivery. */
  readonly source?: { readonly stream: string; readonly revision: number; readonly event_id: string };
  readonly test?: true;
  readonly status: 'pending' | 'delivered' | 'failed' | 'discarded' | 'parked' | 'expired' | 'reversed';
  readonly scheduled_at: string;
  /** When the next attempt is due. After the last attempt: when that one was due. */
  readonly next_attempt_at: string;
  readonly attempts: number;
  readonly last_status?: number;
  readonly last_error?: string;
  /** Why it could not be attempted, while it is parked, and since when. */
  readonly parked_because?: string;
  readonly parked_at?: string;
}

export const deliveries = projection<DeliveryDocument, DeliveryEvent>({
  version: 3,
  awaited: false,
  events: [
    'DeliveryScheduled',
    'DeliverySucceeded',
    'DeliveryAttemptFailed',
    'DeliveryFailed',
    'DeliveryResent',
    'DeliveryDiscarded',
    'DeliveryParked',
    'DeliveryExpired',
    'DeliveryReversed',
  ],
  collection: {
    name: 'deliveries',
    fields: ['delivery', 'subscription', 'status', 'scheduled_at', 'next_attempt_at'],
    indexes: [
      ['status', 'next_attempt_at', 'delivery'],
      ['subscription', 'status', 'next_attempt_at', 'delivery'],
      ['subscription', 'scheduled_at', 'delivery'],
    ],
  },
  idOf: (event) => streamId(event, deliveryStream),
  fold(before, event) {
    const { at } = event.metadata;
    if (event.type === 'DeliveryScheduled') {
      const { delivery, subscription, team, source, test } = event.data;
      return {
        delivery,
        subscription,
        team,
        event: event.data.event,
        ...defined({ source }),
        ...(test && { test }),
        status: 'pending',
        scheduled_at: at,
        next_attempt_at: at,
        attempts: 0,
      };
    }
    if (!before) return undefined;
    const { parked_because: _because, parked_at: _at, ...doc } = before;
    const { last_status: _status, last_error: _error, ...rest } = doc;
    switch (event.type) {
      case 'DeliverySucceeded':
        return { ...rest, status: 'delivered', ...attempted(event.data) };
      case 'DeliveryAttemptFailed':
        return { ...rest, ...attempted(event.data), next_attempt_at: event.data.next_attempt_at };
      case 'DeliveryFailed':
        return {
          ...rest,
          status: withdrawn.includes(doc.status) ? doc.status : 'failed',
          ...attempted(event.data),
        };
      case 'DeliveryResent':
        return { ...doc, status: 'pending', next_attempt_at: at };
      case 'DeliveryDiscarded':
        return { ...doc, status: 'discarded' };
      case 'DeliveryParked':
        return { ...doc, status: 'parked', parked_because: event.data.reason, parked_at: at };
      case 'DeliveryExpired':
        return { ...doc, status: 'expired' };
      case 'DeliveryReversed':
        return { ...doc, status: 'reversed' };
    }
  },
});

/** An attempt may end after this. */
const withdrawn: readonly string[] = ['discarded', 'expired', 'reversed'];

function attempted(data: {
  readonly attempt: number;
  readonly status?: number | undefined;
  readonly error?: string;
}) {
  return {
    attempts: data.attempt,
    ...defined({ last_status: data.status, last_error: data.error }),
  };
}
