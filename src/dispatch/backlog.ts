import { deliveries } from '../projections/webhooks/deliveries.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore, RecordedEvent } from '../stores/event-store/port.ts';
import { fanOutGroup } from './fan-out/fan-out.ts';
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

/** Deliveries that are not settled, held ones included. */
export interface PendingWork {
  /** Counted up to `countedUpTo`. */
  readonly count: number;
  /** Since when the one that has waited longest is due (ISO 8601 UTC). Undefined when none is due. */
  readonly oldestDueAt: string | undefined;
}

export async function pendingWork(
  documents: Documents,
  now: Date,
  atMost = countedUpTo,
): Promise<PendingWork> {
  const collection = documents.collection(deliveries.collection);
  const where = { status: 'pending' } as const;
  const [count, [oldest]] = await Promise.all([
    collection.count({ where, atMost }),
    collection.page({ where, orderBy: ['next_attempt_at', 'delivery'], limit: 1 }),
  ]);
  const due = oldest?.next_attempt_at;
  return { count, oldestDueAt: due !== undefined && due <= now.toISOString() ? due : undefined };
}

/** The work of the dispatchers that is not done. Counted up to `countedUpTo`, what is due up to `dueCountedUpTo`. */
export interface Backlog {
  readonly pending: number;
  readonly oldest_due_at: string | null;
  /** Due deliveries of active and paused subscriptions: all, and those due for longer than so many seconds. */
  readonly due: Readonly<Record<'all' | '60' | '600' | '3600' | '86400', number>>;
  readonly failed: number;
  readonly parked: number;
  readonly parked_events: number;
  readonly parked_deliveries: number;
}

/** Due deliveries are read, oldest first, to tell their ages. */
export const dueCountedUpTo = 5_000;

/** `atMost`: how far what is pending and failed is counted, for a page that must not wait for a long backlog. */
export async function backlogOf(
  { store, documents }: { readonly store: EventStore; readonly documents: Documents },
  now: Date,
  atMost = countedUpTo,
): Promise<Backlog> {
  const collection = documents.collection(deliveries.collection);
  const [parked, pending, failed, due] = await Promise.all([
    parkedWork({ store, documents }),
    pendingWork(documents, now, atMost),
    collection.count({ where: { status: 'failed' }, atMost }),
    collection.select(
      {
        where: { status: 'pending' },
        orderBy: ['next_attempt_at', 'delivery'],
        upTo: [now.toISOString(), '\uffff'],
        limit: Math.min(dueCountedUpTo, atMost),
      },
      ['next_attempt_at'],
    ),
  ]);
  const longerThan = (seconds: number): number => {
    const before = new Date(now.getTime() - seconds * 1_000).toISOString();
    return due.filter(({ next_attempt_at: at }) => at < before).length;
  };
  return {
    pending: pending.count,
    oldest_due_at: pending.oldestDueAt ?? null,
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
