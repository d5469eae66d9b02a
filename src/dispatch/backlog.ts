import { pages } from '../projections/engine/paginate.ts';
import { deliveries } from '../projections/webhooks/deliveries.ts';
import { subscriptions, type SubscriptionDocument } from '../projections/webhooks/subscriptions.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore, RecordedEvent } from '../stores/event-store/port.ts';
import { fanOutGroup } from './fan-out.ts';
import { countParkedDeliveries } from './operations/parked-deliveries.ts';

/** Counts end here, so that asking costs little however much there is. */
export const countedUpTo = 100_000;

/** What was set aside for reasons of our own. */
export interface ParkedWork {
  /** Events that could not be fanned out. */
  readonly events: number;
  /** Deliveries that could not be attempted, counted up to `countedUpTo`. */
  readonly deliveries: number;
}

export async function parkedWork({
  store,
  documents,
}: {
  readonly store: EventStore;
  readonly documents: Documents;
}): Promise<ParkedWork> {
  const [events, count] = await Promise.all([
    store.countParked(fanOutGroup),
    countParkedDeliveries(documents, countedUpTo),
  ]);
  return { events, deliveries: count };
}

/** Paused webhooks are looked at up to here. */
export const pausedCountedUpTo = 1_000;

/** How many webhooks the service has paused: those that their teams have paused are left out. */
export async function pausedByService({ documents }: { readonly documents: Documents }): Promise<number> {
  const paused = await documents
    .collection(subscriptions.collection)
    .page({ where: { status: 'paused' }, orderBy: ['subscription'], limit: pausedCountedUpTo });
  return paused.filter(({ paused_because: because }) => because !== undefined).length;
}

/** The work of the dispatchers that is not done. Counted up to `countedUpTo`, what is due up to `dueCountedUpTo`. */
export interface Backlog {
  /** Held deliveries included. */
  readonly pending: number;
  /** Since when the one that has waited longest is due (ISO 8601 UTC). Null when none is due. */
  readonly oldest_due_at: string | null;
  /** Due deliveries of active subscriptions: all, and those due for longer than so many seconds. */
  readonly due: Readonly<Record<'all' | '60' | '600' | '3600' | '86400', number>>;
  readonly failed: number;
  readonly parked: number;
  readonly parked_events: number;
  readonly parked_deliveries: number;
}

/** Due deliveries are read, oldest first, to tell their ages. */
export const dueCountedUpTo = 5_000;

/**
 * `atMost`: how far what is pending and failed is counted, for a page that must not wait for a long backlog. `due`: how far
 * what is due is read; 0: not at all, and none is told.
 */
export async function backlogOf(
  { store, documents }: { readonly store: EventStore; readonly documents: Documents },
  now: Date,
  { deliveries: atMost, due: dueAtMost } = { deliveries: countedUpTo, due: dueCountedUpTo },
): Promise<Backlog> {
  const collection = documents.collection(deliveries.collection);
  const [parked, pending, failed, due] = await Promise.all([
    parkedWork({ store, documents }),
    collection.count({ where: { status: 'pending' }, atMost }),
    collection.count({ where: { status: 'failed' }, atMost }),
    dueAtMost === 0 ? [] : dueTimes(documents, now, dueAtMost),
  ]);
  const longerThan = (seconds: number): number => {
    const before = new Date(now.getTime() - seconds * 1_000).toISOString();
    return due.filter((at) => at < before).length;
  };
  return {
    pending,
    oldest_due_at: due.reduce<string | null>(
      (oldest, at) => (oldest === null || at < oldest ? at : oldest),
      null,
    ),
    due: {
      all: due.length,
      60: longerThan(60),
      600: longerThan(600),
      3600: longerThan(3_600),
      86400: longerThan(86_400),
    },
    failed,
    parked: parked.events + parked.deliveries,
    parked_events: parked.events,
    parked_deliveries: parked.deliveries,
  };
}

/**
 * Since when due deliveries are due, at most `limit`. What a paused subscription holds is not due, and what it held becomes
 * due when it is resumed.
 */
async function dueTimes(documents: Documents, now: Date, limit: number): Promise<readonly string[]> {
  const oldest = await documents.collection(deliveries.collection).select(
    {
      where: { status: 'pending' },
      orderBy: ['next_attempt_at', 'delivery'],
      upTo: [now.toISOString(), '\uffff'],
      limit,
    },
    ['subscription', 'next_attempt_at'],
  );
  const subscribed = await documents
    .collection(subscriptions.collection)
    .getMany([...new Set(oldest.map(({ subscription }) => subscription))]);
  const dueAt = (subscription: string, attemptAt: string): string[] => {
    const doc = subscribed.get(subscription);
    if (doc && doc.status !== 'active') return [];
    const since = doc?.active_since ?? attemptAt;
    return [since > attemptAt ? since : attemptAt];
  };
  const due = oldest.flatMap(({ subscription, next_attempt_at: at }) => dueAt(subscription, at));
  if (oldest.length < limit || due.length === oldest.length) return due;
  // What is held takes the places of what is due.
  return dueTimesByActive(documents, now, limit);
}

/** The same, subscription by subscription. */
async function dueTimesByActive(documents: Documents, now: Date, limit: number): Promise<readonly string[]> {
  const due: string[] = [];
  const active = { where: { status: 'active' }, orderBy: ['subscription'] } as const;
  for await (const page of pages(documents.collection(subscriptions.collection), active)) {
    for (let at = 0; at < page.length && due.length < limit; at += subscriptionsAtOnce) {
      const some = page.slice(at, at + subscriptionsAtOnce);
      due.push(...(await Promise.all(some.map((each) => dueTimesOf(documents, each, now, limit)))).flat());
    }
    if (due.length >= limit) break;
  }
  return due.sort().slice(0, limit);
}

const subscriptionsAtOnce = 20;

async function dueTimesOf(
  documents: Documents,
  { subscription, active_since: since = '' }: SubscriptionDocument,
  now: Date,
  limit: number,
): Promise<string[]> {
  const pending = await documents.collection(deliveries.collection).select(
    {
      where: { subscription, status: 'pending' },
      orderBy: ['next_attempt_at', 'delivery'],
      upTo: [now.toISOString(), '\uffff'],
      limit,
    },
    ['next_attempt_at'],
  );
  return pending.map(({ next_attempt_at: at }) => (since > at ? since : at));
}

/**
 * The age in seconds of the oldest announced event that is not known to be fanned out: at most some 20 s while a
 * dispatcher works. 0 when there is none, undefined when no dispatcher has ever run.
 */
export async function fanOutLag(store: EventStore, now: Date): Promise<number | undefined> {
  const places = await store.groupPlaces(fanOutGroup);
  const reconciled = places.find(({ filter }) => filter !== undefined);
  if (!reconciled) return undefined;
  const { checkpoint: after, filter } = reconciled;
  let oldest: RecordedEvent | undefined;
  const first = (event: RecordedEvent) => ((oldest ??= event), true);
  await store.count({ after, ...(filter ? { filter } : {}), atMost: 1, where: first });
  const at = Date.parse(String(oldest?.metadata['at']));
  return Number.isNaN(at) ? 0 : Math.max(0, (now.getTime() - at) / 1_000);
}
