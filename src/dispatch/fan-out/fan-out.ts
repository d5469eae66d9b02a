import { ConcurrencyConflict } from '../../commands/errors.ts';
import { upcast } from '../../events/catalogue.ts';
import { StoreError } from '../../stores/errors.ts';
import {
  beginning,
  type ConsumedEvent,
  type HandlerResult,
  type Position,
  type RecordedEvent,
} from '../../stores/event-store/port.ts';
import type { JobProgress } from '../../runtime/job.ts';
import { isReplaced } from '../../runtime/retry.ts';
import type { DispatchContext } from '../context.ts';
import { announcedTypes, type PayloadSource } from '../payload.ts';
import { triesUntilParked } from '../policy.ts';
import { OwnFailures } from './own-failures.ts';
import { schedule } from './schedule.ts';
import { subscribersKnown, subscribersOf, type SubscriberPage } from './subscribers.ts';
import { TeamTurns } from './team-turns.ts';

/** The consumer group that every dispatcher competes in. */
export const fanOutGroup = 'webhook-fan-out';

/** The event types of the group before it recorded since when each type counts. */
const firstAnnounced = ['ResourceApproved', 'ResourceRejected'];

/**
 * A store counts deliveries as attempts. Stopped processes, a stalled projector and outages use them up too, so the
 * fan-out decides itself when an event is parked.
 */
const neverParkedByStore = 1_000_000_000;

/**
 * The most events that this process fans out at a time. Each is in memory, and C waits for A when A has more than this
 * many that are not done. A batch is what is read at once.
 */
const batchSize = 100;
const eventsUnderWay = 1_000;

/**
 * One step of an event: its appends are one group commit, and a page of subscriptions is in memory. 100 take some 20 ms,
 * which is what another team waits for its turn.
 */
const subscriptionsPerStep = 100;
/** Steps that run together, so that one renders while another is written. A team has two: it can follow itself. */
const stepsAtOnce = { stepsAtOnce: 6, stepsPerTeam: 2 };

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
  const turns = new TeamTurns(stepsAtOnce);
  const results = new Results(dispatching);
  const replaced = new AbortController();
  const ends = AbortSignal.any([signal, replaced.signal]);
  const told = (what: string, error: unknown) => {
    dispatching.onFault(what)(error);
    if (isReplaced(error)) replaced.abort(error);
  };
  await dispatching.store.consume(fanOutGroup, {
    filter: { types: announcedTypes },
    formerParts: firstAnnounced,
    onRepaired: dispatching.onRepaired,
    signal: ends,
    batchSize,
    underWay: eventsUnderWay,
    maximumAttempts: neverParkedByStore,
    handle: async (consumed) => {
      try {
        if (!(await subscribersKnown(dispatching, newestOf(consumed), ends)))
          return consumed.map(() => later(ends));
      } catch (error) {
        told('webhook-fan-out', error);
        progress.failed(error);
        return consumed.map(() => later(ends));
      }
      const firstPageOf = rememberedByTeam((team) => subscribersOf(dispatching, team, subscriptionsPerStep));
      return consumed.map(async (each) => {
        try {
          const scheduled = await scheduleAll(dispatching, each.event, firstPageOf, turns, ends);
          progress.succeeded();
          return await results.succeeded(each, scheduled);
        } catch (error) {
          if (ends.aborted) return later(ends);
          told(`fan-out of event ${each.event.id}`, error);
          progress.failed(error);
          return results.failed(each, error);
        }
      });
    },
  });
  if (replaced.signal.aborted) throw replaced.signal.reason;
}

/** Schedules all deliveries of an event, step by step when its team has the turn. Returns how many are new. */
async function scheduleAll(
  dispatching: DispatchContext,
  event: RecordedEvent,
  firstPageOf: (team: string) => Promise<SubscriberPage>,
  turns: TeamTurns,
  ends: AbortSignal,
): Promise<number> {
  const { team } = (upcast(event) as PayloadSource).data;
  let page = () => firstPageOf(team);
  let scheduled = 0;
  await turns.run(team, async () => {
    ends.throwIfAborted();
    const { subscribers, next } = await page();
    const outcomes = await Promise.allSettled(subscribers.map((each) => schedule(dispatching, each, event)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
      if (outcome.value) scheduled += 1;
    }
    if (next) page = next;
    return next !== undefined;
  });
  return scheduled;
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
    const reason = error instanceof Error ? error.message : String(error);
    const again: HandlerResult = { kind: 'retry', afterMs: Math.min(250 * 2 ** attempt, 30_000), reason };
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

/** Caches by team: the events of one batch often belong to one team. */
function rememberedByTeam<Found>(find: (team: string) => Promise<Found>): (team: string) => Promise<Found> {
  const found = new Map<string, Promise<Found>>();
  return (team) => {
    const known = found.get(team) ?? find(team);
    found.set(team, known);
    return known;
  };
}
