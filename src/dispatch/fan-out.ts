import { ConcurrencyConflict } from '../ground/refusals.ts';
import { StoreError } from '../stores/errors.ts';
import type { SideStore, SideTable } from '../stores/side/port.ts';
import {
  beginning,
  type ConsumedEvent,
  type HandlerResult,
  type Position,
} from '../stores/event-store/port.ts';
import { backOff } from '../ground/back-off.ts';
import type { JobProgress } from '../ground/job.ts';
import { isReplaced } from '../ground/retry.ts';
import type { DispatchContext } from './context.ts';
import { announcedTypes } from './payload-of-event.ts';
import { triesUntilParked } from './delivery-policy.ts';
import { scheduleAll } from './schedule-all.ts';
import { subscribersAreCurrent } from './subscribers.ts';
import { FairShare } from '../ground/fair-share.ts';
import { messageOf } from '../ground/store-error.ts';

/** Between tries of an event that could not be scheduled. */
const waits = { firstMs: 500, longestMs: 30_000 };

/** The consumer group that every dispatcher competes in. */
export const fanOutGroup = 'webhook-fan-out';

/**
 * A store counts deliveries as attempts. Stopped processes, a stalled projector and outages use them up too, so the
 * fan-out decides itself when an event is parked.
 */
const neverParkedByStore = 1_000_000_000;

/**
 * The most events that this process fans out at a time. All of them are in memory. A team with more unfinished events
 * than this delays the events of the others. A batch is what is read at once.
 */
const batchSize = 100;
const eventsUnderWay = 1_000;

/** Steps that run together, so that one renders while another is written. A team has two: it can follow itself. */
const stepsAtOnce = { atOnce: 6, ofOneAtOnce: 2 };

const laterMs = 1_000;

/**
 * Schedules one delivery of each announced event for each subscription of its team that had selected it when it
 * happened and is not deleted now. Idempotent: the delivery's id is derived from event and subscription, and its
 * stream must not exist. So a crash or several dispatchers at once neither duplicate nor lose a delivery.
 *
 * Large events are fanned out in steps, and teams take turns. An event is acknowledged when all its deliveries are
 * scheduled.
 */
export async function fanOut(
  dispatching: DispatchContext,
  signal: AbortSignal,
  progress: JobProgress,
): Promise<void> {
  const turns = new FairShare(stepsAtOnce);
  const results = new Results(dispatching);
  const replaced = new AbortController();
  const ends = AbortSignal.any([signal, replaced.signal]);
  const report = (what: string, error: unknown) => {
    dispatching.onFault(what)(error);
    if (isReplaced(error)) replaced.abort(error);
  };
  await dispatching.store.consume(fanOutGroup, {
    filter: { types: announcedTypes },
    onRepaired: dispatching.onRepaired,
    signal: ends,
    batchSize,
    underWay: eventsUnderWay,
    maximumAttempts: neverParkedByStore,
    handle: async (consumed) => {
      try {
        if (!(await subscribersAreCurrent(dispatching, newestOf(consumed), ends)))
          return consumed.map(() => later(ends));
      } catch (error) {
        report('webhook-fan-out', error);
        progress.failed(error);
        return consumed.map(() => later(ends));
      }
      const events = consumed.map(({ event }) => event);
      const scheduled = scheduleAll(dispatching, events, turns, ends);
      return consumed.map(async (each, index) => {
        try {
          const isNew = (await scheduled[index]) ?? 0;
          progress.succeeded();
          return await results.succeeded(each, isNew);
        } catch (error) {
          if (ends.aborted) return later(ends);
          report(`fan-out of event ${each.event.id}`, error);
          progress.failed(error);
          return results.failed(each, error);
        }
      });
    },
  });
  if (replaced.signal.aborted) throw replaced.signal.reason;
}

/** Decides the result of each event, so that one that fails does not affect others in its batch. */
class Results {
  readonly #now: () => Date;
  readonly #failures: OwnFailures;

  constructor({ side, now }: Pick<DispatchContext, 'side' | 'now'>) {
    this.#now = now;
    this.#failures = new OwnFailures(side);
  }

  async succeeded({ event, attempt }: ConsumedEvent, scheduled: number): Promise<HandlerResult> {
    // When it cannot be forgotten, it expires.
    if (attempt > 1) await this.#failures.forget(event.id).catch(() => undefined);
    return { kind: 'ack', changed: scheduled > 0 };
  }

  async failed({ event, attempt }: ConsumedEvent, error: unknown): Promise<HandlerResult> {
    const reason = messageOf(error);
    const again: HandlerResult = { kind: 'retry', afterMs: backOff(attempt, waits), reason };
    if (isTransient(error)) return again;
    try {
      if ((await this.#failures.count(event.id, this.#now())) < triesUntilParked) return again;
      await this.#failures.forget(event.id);
    } catch {
      // The side store is down, which passes.
      return again;
    }
    return { kind: 'park', reason };
  }
}

/** A stopping process gives unfinished events back at once, for other processes. */
const later = (signal: AbortSignal): HandlerResult => ({
  kind: 'retry',
  afterMs: signal.aborted ? 0 : laterMs,
  reason: signal.aborted
    ? 'The dispatcher was stopped.'
    : 'The subscriptions read model does not show the event yet.',
});

/** Errors that pass by themselves and are not caused by the event. */
const isTransient = (error: unknown): boolean =>
  error instanceof ConcurrencyConflict ||
  (error instanceof StoreError && ['unavailable', 'full', 'replaced'].includes(error.code));

const newestOf = (consumed: readonly ConsumedEvent[]): Position =>
  consumed.reduce((newest, { event }) => (event.position > newest ? event.position : newest), beginning);

/** An event that failed and is not tried again for this long is gone: parked events have a reason of their own. */
const keptMs = 30 * 24 * 3_600_000;

/**
 * How often the fan-out of an event has failed for reasons of our own, in all processes and across restarts. A failure
 * that ends the process counts from the next start on only if it was written before, so an event is written when it
 * fails, and forgotten when it succeeds.
 */
class OwnFailures {
  readonly #table: SideTable<number>;

  constructor(side: SideStore) {
    this.#table = side.table<number>('webhook-fan-out-failures');
  }

  /** Counts a failure. Returns how many there are now. */
  async count(eventId: string, now: Date): Promise<number> {
    const failures = ((await this.#table.get(eventId)) ?? 0) + 1;
    await this.#table.put(eventId, failures, new Date(now.getTime() + keptMs));
    return failures;
  }

  forget(eventId: string): Promise<void> {
    return this.#table.delete(eventId);
  }
}
