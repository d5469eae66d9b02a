import { NotYetVisible, visible } from '../projections/engine/read-your-writes.ts';
import { subscriptions, type SubscriptionDocument } from '../projections/webhooks/subscriptions.ts';
import type { Position } from '../stores/event-store/port.ts';
import type { DispatchContext } from './context.ts';

type Stores = Pick<DispatchContext, 'store' | 'documents'>;

/** Shorter than the time after which a store delivers a consumer's events to another. */
const longestWaitMs = 10_000;
/** How long the read model is awaited before the log is asked again. */
const againMs = 250;

/**
 * Resolves when the read model shows all subscriptions as they were at a position. It need not have reached the
 * position: it suffices that no subscription has changed since. So a backlog of other events, such as the deliveries of
 * a large event, does not hold up the fan-out.
 *
 * Returns false after a limit or when the signal aborts: a slow projection must not count as a failure of an event.
 */
export async function subscribersAreCurrent(
  stores: Stores,
  position: Position,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + longestWaitMs;
  while (!signal.aborted && performance.now() < deadline) {
    if (await unchangedSince(stores)) return true;
    try {
      await visible(stores.documents, [subscriptions.collection.name], position, againMs);
      return true;
    } catch (error) {
      if (!(error instanceof NotYetVisible)) throw error;
    }
  }
  return false;
}

/** Whether the read model shows every subscription event of the log. */
async function unchangedSince({ store, documents }: Stores): Promise<boolean> {
  const shown = (await documents.progress()).get(subscriptions.collection.name);
  if (!shown) return false;
  const filter = { types: subscriptions.events };
  return (await store.count({ after: shown.checkpoint, filter, atMost: 1 })) === 0;
}

/** Some subscriptions of a team, in the order of their ids. */
export interface SubscriberPage {
  readonly subscribers: readonly SubscriptionDocument[];
  /** Undefined on the last page. */
  readonly next: (() => Promise<SubscriberPage>) | undefined;
}

/** The subscriptions of a team, in pages: all of them together may be many. */
export async function subscribersOf(
  { documents }: Pick<Stores, 'documents'>,
  team: string,
  pageSize: number,
  after?: string,
): Promise<SubscriberPage> {
  const subscribers = await documents.collection(subscriptions.collection).page({
    where: { team },
    orderBy: ['subscription'],
    limit: pageSize,
    ...(after === undefined ? {} : { after: [after] }),
  });
  const last = subscribers.at(-1);
  const next =
    last && subscribers.length === pageSize
      ? () => subscribersOf({ documents }, team, pageSize, last.subscription)
      : undefined;
  return { subscribers, next };
}
