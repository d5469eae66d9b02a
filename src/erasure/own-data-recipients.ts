import { deliveryIdOf } from '../commands/webhooks/delivery.ts';
import { hostOf } from '../events/webhooks/webhook.ts';
import { streamName } from '../events/define.ts';
import { paymentStream } from '../events/payments.ts';
import { deliveries } from '../projections/webhooks/deliveries.ts';
import { subscriptionsOfTeam } from '../projections/webhooks/delivery-list.ts';
import { eventsConcerning } from './own-data-concerning.ts';
import type { OwnDataParts } from './parts.ts';

/**
 * The webhooks that told others of a person, or will: to which host, what and when. A delivery has the id that follows
 * from its event and its subscription, so none is searched for.
 */
export async function* recipientsOf(parts: OwnDataParts, user: string): AsyncGenerator {
  const { store, documents } = parts;
  const announcedTypes = ['MemberJoined', 'MemberRoleChanged', 'MemberLeft', 'PaymentRecorded'] as const;
  for await (const { event, isAbout } of eventsConcerning(parts, user, announcedTypes)) {
    if (!isAbout || !('team' in event.data)) continue;
    const subscribed = await subscriptionsOfTeam(documents, String(event.data.team));
    const sources =
      event.type === 'PaymentRecorded'
        ? await store.readStream(streamName(paymentStream, event.data.payment))
        : [event];
    for (const { id: source } of sources) {
      const bySubscription = new Map(
        subscribed.map((each) => [deliveryIdOf(source, each.subscription), each] as const),
      );
      const found = await documents.collection(deliveries.collection).getMany([...bySubscription.keys()]);
      for (const [delivery, doc] of found) {
        const to = bySubscription.get(delivery);
        yield {
          delivery,
          because_of: source,
          event: doc.event,
          team: doc.team,
          to: to && hostOf(to),
          status: doc.status,
          scheduled_at: doc.scheduled_at,
          attempts: doc.attempts,
          newest_answer: doc.last_status,
        };
      }
    }
  }
}
