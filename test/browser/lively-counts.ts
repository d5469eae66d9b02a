import { RecentRefusals } from '../../src/api/oauth/recent-refusals.ts';
import type { RequestKind } from '../../src/audit/request-kinds.ts';
import { KeyUsageCounts } from '../../src/audit/key-usage-counts.ts';
import { OAuthRefused } from '../../src/commands/oauth/errors.ts';
import type { System } from '../../src/container.ts';
import { newEvent } from '../../src/events/new-event.ts';
import { streamName } from '../../src/events/define.ts';
import { uuidOf } from '../../src/events/ids.ts';
import { deliveryStream, type DeliveryEvent } from '../../src/events/webhooks/webhook.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import type { SideStore } from '../../src/stores/side/port.ts';
import { until } from '../support/until.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface Sent {
  readonly team: string;
  readonly subscriptionId: string;
  /** The approved record that they tell of. */
  readonly record: string;
  /** In Unix milliseconds. */
  readonly now: number;
}

/** Deliveries of the last day and their attempts: a receiver that had an hour of trouble, and is well again. */
export async function seedAttempts(store: EventStore, sent: Sent): Promise<void> {
  const stream = `resource-${sent.record}`;
  const approved = (await store.readStream(stream)).find(({ type }) => type === 'ResourceApproved');
  if (!approved) throw new Error('The record was approved.');
  const source = { stream, revision: approved.revision, event_id: approved.id };
  for (let hour = 23; hour >= 0; hour--) {
    const isTrouble = hour === 9 || hour === 8;
    for (let index = 0; index < 2 + ((hour * 5) % 6); index++) {
      const at = new Date(sent.now - hour * hourMs - index * 400_000 - 30_000);
      const id = uuidOf('lively', sent.subscriptionId, String(hour), String(index));
      const delivery = streamName(deliveryStream, id);
      const events = deliveryEvents(id, sent, source, at, isTrouble);
      const made = events.map(([event, when], place) =>
        newEvent(delivery, event, place, {
          actor: { kind: 'system', id: 'webhooks' },
          commandId: uuidOf(id, String(place)),
          at: when,
        }),
      );
      await store.append(delivery, made, 'no_stream');
    }
  }
}

function deliveryEvents(
  delivery: string,
  { team, subscriptionId: subscription }: Sent,
  source: { readonly stream: string; readonly revision: number; readonly event_id: string },
  at: Date,
  isTrouble: boolean,
): [DeliveryEvent, Date][] {
  const scheduled: DeliveryEvent = {
    type: 'DeliveryScheduled',
    data: {
      delivery,
      subscription,
      team,
      event: 'resource.approved',
      source,
      occurred_at: at.toISOString(),
      payload_version: 1,
      body_sha256: '0'.repeat(64),
    },
  };
  const attempt = { subscription, attempt: 1, started_at: at.toISOString(), duration_ms: 120 };
  if (!isTrouble)
    return [
      [scheduled, at],
      [{ type: 'DeliverySucceeded', data: { ...attempt, status: 204 } }, at],
    ];
  const error = 'The receiver answered 503.';
  const again = new Date(at.getTime() + 300_000);
  const failed = { ...attempt, status: 503, error, next_attempt_at: again.toISOString() };
  const second = { ...attempt, attempt: 2, started_at: again.toISOString() };
  return [
    [scheduled, at],
    [{ type: 'DeliveryAttemptFailed', data: failed }, at],
    [
      at.getMinutes() % 2 === 0
        ? { type: 'DeliverySucceeded', data: { ...second, status: 204 } }
        : { type: 'DeliveryFailed', data: { ...second, status: 503, error } },
      again,
    ],
  ];
}

/** A month in which a key was used, less on weekends. Some of it was refused, and in its first days it used the old address. */
export async function seedUsage(side: SideStore, key: string, now: number): Promise<void> {
  for (let day = 29; day >= 0; day--) {
    const at = new Date(now - day * dayMs);
    const counts = new KeyUsageCounts(side, { now: () => at });
    const busy = [0, 6].includes(at.getUTCDay()) ? 6 : 30 + ((day * 7) % 23);
    const use = (kind: RequestKind, times: number) => {
      for (let time = 0; time < times; time++) counts.count(key, kind, 'accepted');
    };
    use('list', busy);
    use('read', Math.round(busy / 3));
    use('legacy', day > 24 ? 4 : 0);
    if (day % 9 === 0) counts.count(key, 'submit', 'insufficient_scope');
    await counts.flush();
  }
}

/** A site asked with an address that it has not registered. */
export async function seedRefusal({ store, side }: System, client: string): Promise<void> {
  const at = new Date(Date.now() - 5 * hourMs);
  const refusals = new RecentRefusals({ store, side, now: () => at });
  const refused = new OAuthRefused(
    'invalid_request',
    'redirect_uri is not one of those that the site has registered',
  );
  await refusals.note(refused, { client, redirectUri: 'https://news.example/old-callback' });
  // Written within a second.
  await until(() => side.table('sign-in-refusals').get(client));
}
