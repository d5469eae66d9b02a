import type { Leases } from '../../leases/port.ts';
import type { ConsumeOptions, ConsumerGroup, EventStore, RecordedEvent } from '../port.ts';
import { announcedWith, counts, handledUpTo, partsOf, type Announced } from './announced.ts';
import { FeedWatch } from './feed-watch.ts';
import {
  isPassing,
  pause,
  progressOf,
  reconcile,
  reconcilerTimings,
  type ReconcilerTimings,
} from './reconciler.ts';
import type { GroupNotes, GroupSource } from './source.ts';
import { verdictsOf } from './verdicts.ts';

/** What consumer groups need beside the log. */
export interface GroupOptions {
  readonly notes: GroupNotes;
  readonly leases: () => Leases;
  readonly timings?: Partial<ReconcilerTimings>;
}

/**
 * Consumes as the port promises, over whatever an adapter has: the feed brings events at once and shares them out,
 * the reconciler has handled what the feed lost.
 */
export async function consumeCertainly(
  source: GroupSource,
  { notes, leases, timings: given }: GroupOptions,
  {
    filter,
    where = () => true,
    signal,
    batchSize = 100,
    maximumAttempts = 10,
    handle,
    formerParts,
    onRepaired,
  }: ConsumeOptions,
): Promise<void> {
  const timings = { ...reconcilerTimings, ...given };
  const parts = partsOf(filter);
  const announced = await untilAnswered(signal, timings, () =>
    announce(source, { notes, leases: leases() }, { parts, signal, ...(formerParts ? { formerParts } : {}) }),
  );
  if (!announced) return;
  const isAnnounced = counts(announced, filter);
  const watch = new FeedWatch(timings.behindMs);
  const failed = new AbortController();
  const ends = AbortSignal.any([signal, failed.signal]);
  const work = [
    source.feed({
      signal: ends,
      batchSize,
      maximumAttempts,
      begin: async () => handledUpTo(announced, await progressOf(notes, source.key), filter),
      handle: async (consumed) => {
        watch.handedOver(consumed);
        const known = consumed.filter(({ event }) => where(event) && isAnnounced(event));
        const verdicts = known.length === 0 ? [] : await verdictsOf(known, handle);
        const byEvent = new Map(known.map((each, index) => [each, verdicts[index]]));
        const all = consumed.map((each) => byEvent.get(each) ?? ({ kind: 'ack', changed: false } as const));
        watch.settled(consumed, all);
        return all;
      },
    }),
    reconcile({
      source,
      announced,
      watch,
      notes,
      leases: leases(),
      timings,
      options: { filter, where, handle, batchSize, maximumAttempts, ...(onRepaired ? { onRepaired } : {}) },
      signal: ends,
    }),
  ];
  try {
    await Promise.all(work);
  } finally {
    failed.abort();
    await Promise.allSettled(work);
  }
}

/** Seconds and events that a reconciler may be behind are counted no further than this. */
const countedUpTo = 100_000;

/** How far the reconciler of a group is; undefined before its first checkpoint. */
export async function consumerGroupOf(
  store: Pick<EventStore, 'count'>,
  notes: GroupNotes,
  key: string,
  where: (event: RecordedEvent) => boolean = () => true,
): Promise<ConsumerGroup | undefined> {
  const progress = await progressOf(notes, key);
  if (!progress) return undefined;
  const after = BigInt(progress.checkpoint);
  const filter = progress.covers;
  // The first of those that are counted is the oldest.
  let oldest: RecordedEvent | undefined;
  const counted = (event: RecordedEvent) => where(event) && ((oldest ??= event), true);
  const events = await store.count({ after, filter, atMost: countedUpTo, where: counted });
  const at = Date.parse(String(oldest?.metadata['at']));
  return {
    checkpoint: after,
    lag: { events, seconds: Number.isNaN(at) ? 0 : Math.max(0, (Date.now() - at) / 1_000) },
    repaired: progress.repaired,
    ...(progress.repaired_at === undefined ? {} : { repairedAt: progress.repaired_at }),
  };
}

/** Notes since when each part of the filter counts, unless it stands there; one node at a time. */
async function announce(
  source: GroupSource,
  { notes, leases }: { readonly notes: GroupNotes; readonly leases: Leases },
  {
    parts,
    formerParts,
    signal,
  }: {
    readonly parts: readonly string[];
    readonly formerParts?: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<Announced | undefined> {
  const read = async () => (await notes.get(announcedId(source.key))) as Announced | undefined;
  const isComplete = (known: Announced | undefined) =>
    known !== undefined && parts.every((part) => part in known.since);
  const known = await read();
  if (isComplete(known)) return known;
  const lease = await leases.acquire(`announcing-${source.key}`, signal);
  if (!lease) return undefined;
  try {
    const newest = await read();
    if (isComplete(newest)) return newest;
    const announced = announcedWith({
      known: newest,
      parts,
      ...(formerParts ? { formerParts } : {}),
      existed: newest === undefined && (await source.existed()),
      head: await source.head(),
      now: new Date(),
    });
    await notes.put(announcedId(source.key), announced);
    return announced;
  } finally {
    await lease.release();
  }
}

const announcedId = (group: string): string => `${group}.announced`;

async function untilAnswered<Result>(
  signal: AbortSignal,
  { retryMs }: ReconcilerTimings,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await pause(retryMs, signal);
    }
  }
  return undefined;
}
