import { pause } from '../../ground/back-off.ts';
import { StoreError } from '../errors.ts';
import type { Leases } from '../leases/port.ts';
import type { ConsumedEvent, ConsumeOptions, Position } from './port.ts';
import { isAfterStart, startingPosition, isTooOld, type GroupStart, type Progress } from './group-start.ts';
import type { FeedWatch } from './feed-watch.ts';
import type { FollowedEvent, GroupState, GroupSource } from './group-source.ts';
import { parkAfterLastAttempt, runHandler } from './run-handler.ts';
import { hasAborted } from '../../ground/retry.ts';

export interface ReconcilerTimings {
  /** How far it stays behind the feed. Events that the feed delivers within this time are not handled twice. */
  readonly behindMs: number;
  /** The pause between two checks of events that the feed still has, and after an outage of a store. */
  readonly retryMs: number;
}

export const reconcilerTimings: ReconcilerTimings = { behindMs: 10_000, retryMs: 1_000 };

export interface Reconciling {
  readonly source: GroupSource;
  readonly start: GroupStart;
  readonly watch: FeedWatch;
  readonly state: GroupState;
  readonly leases: Leases;
  readonly timings: ReconcilerTimings;
  readonly options: Required<
    Pick<ConsumeOptions, 'filter' | 'where' | 'handle' | 'batchSize' | 'maximumAttempts'>
  > &
    Pick<ConsumeOptions, 'onRepaired'>;
  readonly signal: AbortSignal;
}

/** Events in one page. The checkpoint is saved after each page. */
const pageSize = 500;

/**
 * Makes delivery reliable. One process of the group at a time reads every event of the group, some seconds behind
 * the feed, and handles those that the feed has lost. A server may lose events when it restarts. EventStoreDB's
 * persistent subscriptions to `$all` with a filter do (23.10 and KurrentDB alike): their checkpoint runs ahead of
 * events that are buffered and not delivered, and the first match after a loaded checkpoint is dropped.
 *
 * The checkpoint is saved after handling, so a crash repeats events and loses none. Handlers are idempotent. Parked
 * events are skipped, and a `park` result parks the event.
 *
 * Cost: one process reads each event of the group once more, in pages. While events arrive, it reads the head and
 * writes the checkpoint every `behindMs`. Events that this process's feed has acknowledged are skipped. The others
 * go to the handler; for each delivery that another node has scheduled, the fan-out reads one short stream.
 */
export async function reconcile(reconciling: Reconciling): Promise<void> {
  const { source, leases, timings, signal } = reconciling;
  while (!signal.aborted) {
    try {
      const lease = await leases.acquire(reconcilerLease(source.key), signal);
      if (!lease) return;
      try {
        await reconcileUntil(reconciling, AbortSignal.any([signal, lease.lost]));
      } finally {
        await lease.release();
      }
    } catch (error) {
      if (hasAborted(signal)) return;
      if (!isPassing(error)) throw error;
      await pause(timings.retryMs, signal);
    }
  }
}

/** The lease of a group's reconciler. `key` is that of the group's source. */
export const reconcilerLease = (key: string): string => `reconciler-${key}`;

/** Errors that pass by themselves. */
export const isPassing = (error: unknown): boolean =>
  error instanceof StoreError && (error.code === 'unavailable' || error.code === 'full');

async function reconcileUntil(reconciling: Reconciling, ends: AbortSignal): Promise<void> {
  const { source, start, state, options, timings } = reconciling;
  let progress = await progressOf(state, source.key);
  const horizon = new Horizon(source, timings.behindMs);
  const isWanted = wanted(start, options);
  const after = startingPosition(start, progress, options.filter);
  for await (const { events, position } of source.follow({ after, batchSize: pageSize, signal: ends })) {
    await horizon.passed(position, ends);
    const missing = events.filter(
      (each) => isWanted(each) && !reconciling.watch.wasAcknowledged(each.event.id),
    );
    const repaired = await handleMissing(reconciling, missing, ends);
    // Stopped, or the lease is lost: the next holder begins at the last saved checkpoint.
    if (ends.aborted) return;
    const last = events.findLast(({ event, replayed }) => replayed !== true && options.where(event))?.event;
    progress = {
      ...progress,
      ...(last ? { last_event: { position: last.position.toString(), id: last.id } } : {}),
      checkpoint: position.toString(),
      covers: options.filter,
      repaired: (progress?.repaired ?? 0) + repaired,
      ...(repaired > 0 ? { repaired_at: new Date().toISOString() } : {}),
    };
    await state.put(progressId(source.key), progress);
  }
}

const wanted = (
  announced: GroupStart,
  { filter, where }: Pick<Reconciling['options'], 'filter' | 'where'>,
) => {
  const isAnnounced = isAfterStart(announced, filter);
  return ({ event, replayed }: FollowedEvent): boolean =>
    where(event) && (replayed === true || (isAnnounced(event) && !isTooOld(announced, event)));
};

/** Handles every event that the feed has not delivered. Returns for how many the handler had something to do. */
async function handleMissing(
  { source, watch, options, timings }: Reconciling,
  missing: readonly FollowedEvent[],
  ends: AbortSignal,
): Promise<number> {
  let repaired = 0;
  let left = missing.map(({ event, replayed }) => ({ event, replayed, attempt: 1, notBefore: 0 }));
  while (!ends.aborted) {
    left = left.filter(({ event }) => !watch.wasAcknowledged(event.id));
    if (left.length === 0) break;
    const setAside = await source.setAsideIds();
    left = left.filter(({ event }) => !setAside.has(event.id));
    const now = performance.now();
    const due = left
      .filter(({ event, replayed, notBefore }) => {
        const isOver = replayed === true || watch.hasPassed(event.position);
        return notBefore <= now && isOver && !watch.has(event.id);
      })
      .slice(0, options.batchSize);
    if (due.length === 0) {
      if (left.length > 0) await pause(timings.retryMs, ends);
      continue;
    }
    const verdicts = await Promise.all(runHandler(due.map(asConsumed), options.handle));
    for (const [index, each] of due.entries()) {
      const verdict = parkAfterLastAttempt(
        verdicts[index] ?? { kind: 'ack' },
        each.attempt,
        options.maximumAttempts,
      );
      if (verdict.kind === 'retry') {
        each.attempt += 1;
        each.notBefore = performance.now() + verdict.afterMs;
        continue;
      }
      if (verdict.kind === 'park') await source.park(each.event, each.attempt, verdict.reason);
      else if (verdict.changed !== false) repaired += 1;
      left.splice(left.indexOf(each), 1);
    }
  }
  if (repaired > 0) options.onRepaired?.(repaired);
  return repaired;
}

const asConsumed = ({ event, attempt }: ConsumedEvent): ConsumedEvent => ({ event, attempt });

/** Waits until events up to a position are at least `behindMs` old. One read of the head serves many positions. */
class Horizon {
  readonly #source: GroupSource;
  readonly #behindMs: number;
  #head: Position | undefined;
  #seenAt = 0;

  constructor(source: GroupSource, behindMs: number) {
    this.#source = source;
    this.#behindMs = behindMs;
  }

  async passed(position: Position, signal: AbortSignal): Promise<void> {
    if (this.#head === undefined || position > this.#head) {
      const head = await this.#source.head();
      this.#head = head > position ? head : position;
      this.#seenAt = performance.now();
    }
    const left = this.#seenAt + this.#behindMs - performance.now();
    if (left > 0) await pause(left, signal);
  }
}

export const progressId = (group: string): string => group;

export const progressOf = async (state: GroupState, group: string): Promise<Progress | undefined> =>
  (await state.get(progressId(group))) as Progress | undefined;
