import { upcast } from '../../events/catalogue.ts';
import { streamId } from '../../events/define.ts';
import {
  subscriptionStream,
  type DeliveryEvent,
  type SubscriptionEvent,
} from '../../events/webhooks/webhook.ts';
import { deliveries } from '../../projections/webhooks/deliveries.ts';
import { subscriptions } from '../../projections/webhooks/subscriptions.ts';
import { paginate } from '../../projections/engine/paginate.ts';
import { beginning, pagesOf, type Position } from '../../stores/event-store/port.ts';
import type { DispatchContext } from '../context.ts';

/** A subscription that may have pending deliveries. */
export interface LookAt {
  readonly subscription: string;
  readonly team?: string;
  readonly position: Position;
}

/** Events after which a subscription may have something to send. */
const wakingTypes = ['SubscriptionResumed', 'SubscriptionHealthConfirmed', 'SubscriptionDeleted'];

/**
 * Every subscription that may have had something due at position `upTo`: those that the read model shows and that are
 * not paused, and those of events that the read models do not show yet, so that a projection that stands still hides
 * nothing. One query each then finds their earliest pending delivery; what is held is not read.
 */
export async function* firstLook(
  { store, documents }: DispatchContext,
  upTo: Position,
): AsyncGenerator<LookAt> {
  const progress = await documents.progress();
  const of = (name: string) => progress.get(name)?.checkpoint ?? beginning;
  const checkpoints = [of(subscriptions.collection.name), of(deliveries.collection.name)];
  const all = { orderBy: ['subscription'] } as const;
  for await (const { subscription, team, status } of paginate(
    documents.collection(subscriptions.collection),
    all,
  ))
    if (status !== 'paused') yield { subscription, team, position: beginning };
  const filter = { types: [...wakingTypes, ...deliveries.events] };
  // When the generation was switched during the read, its checkpoint is unknown: reads the whole log instead.
  const { name } = subscriptions.collection;
  const same = (await documents.progress()).get(name)?.generation === progress.get(name)?.generation;
  const after = same ? checkpoints.reduce((one, other) => (one < other ? one : other)) : beginning;
  for await (const { events } of pagesOf(store, { after, upTo, filter, limit: 1_000 })) {
    for (const recorded of events) {
      const event = upcast(recorded) as DeliveryEvent | SubscriptionEvent;
      const subscription = wakingTypes.includes(event.type)
        ? streamId(recorded, subscriptionStream)
        : event.data.subscription;
      const team = 'team' in event.data ? { team: event.data.team } : {};
      yield { subscription, ...team, position: recorded.position };
    }
  }
}
