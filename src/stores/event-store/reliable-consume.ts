import type { Leases } from '../leases/port.ts';
import { pause } from '../../ground/back-off.ts';
import { defined } from '../../ground/defined.ts';
import type { ConsumeOptions, ConsumerGroup, EventStore, RecordedEvent } from './port.ts';
import { groupStartWith, isAfterStart, startingPosition, partsOf, type GroupStart } from './group-start.ts';
import { FeedWatch } from './feed-watch.ts';
import { isPassing, progressOf, reconcile, reconcilerTimings, type ReconcilerTimings } from './reconciler.ts';
import type { GroupState, GroupSource } from './group-source.ts';
import { runHandler } from './run-handler.ts';

/** What consumer groups need in addition to the log. */
export interface GroupOptions {
  readonly state: GroupState;
  readonly leases: () => Leases;
  readonly timings?: Partial<ReconcilerTimings>;
}

/**
 * Consumes with the port's guarantees, over the adapter's own consumer groups. The feed delivers events at once, to
 * competing consumers. The reconciler finds the events that the feed has lost.
 */
export async function consumeReliably(
  source: GroupSource,
  { state, leases, timings: overrides }: GroupOptions,
  {
    filter,
    where = () => true,
    signal,
    batchSize = 100,
    underWay = batchSize,
    maximumAttempts = 10,
    handle,
    onRepaired,
  }: ConsumeOptions,
): Promise<void> {
  const timings = { ...reconcilerTimings, ...overrides };
  const parts = partsOf(filter);
  const start = await untilAnswered(signal, timings, () =>
    ensureGroupStart(source, { state, leases: leases() }, { parts, signal }),
  );
  if (!start) return;
  const countsForGroup = isAfterStart(start, filter);
  const watch = new FeedWatch(timings.behindMs);
  const failed = new AbortController();
  const ends = AbortSignal.any([signal, failed.signal]);
  const work = [
    source.feed({
      signal: ends,
      batchSize,
      underWay,
      maximumAttempts,
      begin: async () => startingPosition(start, await progressOf(state, source.key), filter),
      handle: (consumed) => {
        watch.handedOver(consumed);
        const counted = consumed.filter(({ event }) => where(event) && countsForGroup(event));
        const results = counted.length === 0 ? [] : runHandler(counted, handle);
        const byEvent = new Map(counted.map((each, index) => [each, results[index]]));
        return consumed.map(async (each) => {
          const result = (await byEvent.get(each)) ?? ({ kind: 'ack', changed: false } as const);
          watch.settled(each, result);
          return result;
        });
      },
    }),
    reconcile({
      source,
      start,
      watch,
      state,
      leases: leases(),
      timings,
      options: { filter, where, handle, batchSize, maximumAttempts, ...defined({ onRepaired }) },
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

/** The lag of a reconciler is counted up to this. */
const countedUpTo = 100_000;

/** The progress of a group's reconciler. Undefined before its first checkpoint. */
export async function consumerGroupOf(
  store: Pick<EventStore, 'count'>,
  state: GroupState,
  key: string,
  where: (event: RecordedEvent) => boolean = () => true,
): Promise<ConsumerGroup | undefined> {
  const progress = await progressOf(state, key);
  if (!progress) return undefined;
  const after = BigInt(progress.checkpoint);
  const filter = progress.covers;
  // The first counted event is the oldest.
  let oldest: RecordedEvent | undefined;
  const counted = (event: RecordedEvent) => where(event) && ((oldest ??= event), true);
  const events = await store.count({ after, filter, atMost: countedUpTo, where: counted });
  const at = Date.parse(String(oldest?.metadata['at']));
  return {
    checkpoint: after,
    lag: { events, seconds: Number.isNaN(at) ? 0 : Math.max(0, (Date.now() - at) / 1_000) },
    repaired: progress.repaired,
    ...defined({ repairedAt: progress.repaired_at }),
  };
}

/** Records since when each part of the filter counts, unless it is recorded. One node at a time. */
async function ensureGroupStart(
  source: GroupSource,
  { state, leases }: { readonly state: GroupState; readonly leases: Leases },
  {
    parts,
    signal,
  }: {
    readonly parts: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<GroupStart | undefined> {
  const read = async () => (await state.get(groupStartId(source.key))) as GroupStart | undefined;
  const isComplete = (stored: GroupStart | undefined) =>
    stored !== undefined && parts.every((part) => part in stored.since);
  const stored = await read();
  if (isComplete(stored)) return stored;
  const lease = await leases.acquire(`announcing-${source.key}`, signal);
  if (!lease) return undefined;
  try {
    const newest = await read();
    if (isComplete(newest)) return newest;
    const announced = groupStartWith({
      stored: newest,
      parts,
      existed: newest === undefined && (await source.existed()),
      head: await source.head(),
      now: new Date(),
    });
    await state.put(groupStartId(source.key), announced);
    return announced;
  } finally {
    await lease.release();
  }
}

const groupStartId = (group: string): string => `${group}.announced`;

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
