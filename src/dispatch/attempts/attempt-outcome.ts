import {
  commandDelivery,
  commandLoadedDelivery,
  interruptionsWithoutPlace,
  type DeliveryState,
} from '../../commands/webhooks/delivery.ts';
import { streamName } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import { eventIdOf } from '../../events/new-event.ts';
import { deliveryStream } from '../../events/webhooks/webhook.ts';
import { defined } from '../../ground/defined.ts';
import type { Position } from '../../stores/event-store/port.ts';
import { attemptId, attemptJournal, type AttemptEntry, type AttemptOutcome } from './attempt-journal.ts';
import { dispatcherContext, type Because, type DispatchContext, type HeldShard } from '../context.ts';
import type { ReceiverState } from '../lanes/pace.ts';
import { attemptsKeptMs } from '../delivery-policy.ts';
import { nextAfterInterruption, nextAttempt, parseRetryAfter } from '../retry-schedule.ts';
import { isSuccess, type SendOutcome } from './sender.ts';

/** The result of an attempt for its lane. */
export type AttemptResult =
  /** `position`: of the event that has settled it, when that was appended here. */
  | { readonly kind: 'settled'; readonly position?: Position; readonly receiver?: ReceiverState }
  /** The event at `position` has made it due again. */
  | {
      readonly kind: 'due';
      readonly at: Date;
      readonly position: Position;
      readonly receiver?: ReceiverState;
    }
  /** The subscription is paused: its deliveries wait until it is resumed. */
  | { readonly kind: 'held' }
  /** The subscription is deleted, and the delivery discarded. */
  | { readonly kind: 'gone' }
  /** The lease was lost. The next owner of the shard settles the journal entry. */
  | { readonly kind: 'lost' };

/** A delivery as its stream has it. */
export interface LoadedDelivery {
  readonly state: DeliveryState;
  readonly revision: number;
  /** What its next events are recorded to have been caused by. */
  readonly because: Because;
}

/** An attempt that is open in the journal. */
export interface OpenAttempt {
  readonly delivery: string;
  readonly group: string;
  readonly entry: AttemptEntry;
}

/** An append that takes longer than this may never end. Its outcome is then stored in the journal as well. */
const slowAppendMs = 250;

/**
 * Appends the outcome of an attempt, and then completes its journal entry. While the event is not there, the entry is
 * open: whoever finds it appends the outcome that it holds. A crash before that leaves it without one, as interrupted.
 */
export async function recordOutcome(
  dispatching: DispatchContext,
  loaded: LoadedDelivery,
  open: OpenAttempt,
  outcome: AttemptOutcome,
  shard: HeldShard,
): Promise<AttemptResult> {
  const entry: AttemptEntry = { ...open.entry, outcome };
  let storing: Promise<void> | undefined;
  /** Not when the lease is lost: the entry then belongs to the next holder, who may have settled it. */
  const store = async () => {
    if (shard.lost.aborted) return;
    const id = attemptId(open.delivery, entry.attempt);
    storing ??= attemptJournal(dispatching.side).open(open.group, id, entry);
    await storing.catch(dispatching.onFault('attempt journal'));
  };
  const slow = setTimeout(() => shard.trailing(store()), slowAppendMs);
  let result: AttemptResult;
  try {
    result = await appendOutcome(dispatching, loaded, entry, outcome);
  } catch (error) {
    await store();
    throw error;
  } finally {
    clearTimeout(slow);
  }
  // An entry that outlives its event is harmless, so its completion is not awaited.
  if (!shard.lost.aborted)
    shard.trailing(complete(dispatching, open, entry).catch(dispatching.onFault('attempt journal')));
  return result;
}

/** An entry whose outcome is an event. */
export function complete(
  { side, now }: DispatchContext,
  { delivery, group }: OpenAttempt,
  entry: AttemptEntry,
): Promise<void> {
  const until = new Date(now().getTime() + attemptsKeptMs);
  return attemptJournal(side).complete(group, attemptId(delivery, entry.attempt), entry, until);
}

/**
 * Fails a pending delivery whose body cannot be rendered, because the person whom its event is about was erased.
 * Somebody may ask for the delivery again, and it then fails again.
 */
export async function recordErased(
  { store, now }: Pick<DispatchContext, 'store' | 'now'>,
  deliveryId: string,
  { revision, because }: Pick<LoadedDelivery, 'revision' | 'because'>,
): Promise<void> {
  const at = now();
  const context = dispatcherContext(uuidOf('erased', deliveryId, String(revision)), at, because);
  await commandDelivery(store, deliveryId, { kind: 'fail-erased', at: at.toISOString() }, context);
}

const commandIdOf = (deliveryId: string, attempt: number): string =>
  uuidOf('attempt', deliveryId, String(attempt));

/** What happens because of an attempt, by the event that records its outcome. */
export const becauseOfAttempt = (
  deliveryId: string,
  attempt: number,
  { correlationId }: Because,
): Because => ({
  ...defined({ correlationId }),
  causationId: eventIdOf(streamName(deliveryStream, deliveryId), 0, {
    commandId: commandIdOf(deliveryId, attempt),
  }),
});

/**
 * Appends the event of an attempt. Without an outcome it was interrupted: it may or may not have been sent, so the log
 * accounts for it.
 */
export async function appendOutcome(
  dispatching: DispatchContext,
  loaded: LoadedDelivery,
  entry: AttemptEntry,
  outcome: AttemptOutcome | undefined,
): Promise<AttemptResult> {
  const { store, now } = dispatching;
  const { state } = loaded;
  const deliveryId = state.scheduled.delivery;
  const context = dispatcherContext(commandIdOf(deliveryId, entry.attempt), now(), loaded.because);
  const data = {
    subscription: state.scheduled.subscription,
    attempt: entry.attempt,
    started_at: entry.started_at,
    duration_ms: Math.round(outcome?.duration_ms ?? 0),
    ...(outcome?.response ? { status: outcome.response.status } : {}),
  };
  if (outcome?.response && isSuccess(outcome.response.status)) {
    const succeed = { kind: 'succeed', data } as const;
    const { position } = await commandLoadedDelivery(store, deliveryId, loaded, succeed, context);
    return { kind: 'settled', position };
  }
  const next = nextOf(dispatching, state, outcome);
  const { state: after, position } = await commandLoadedDelivery(
    store,
    deliveryId,
    loaded,
    {
      kind: 'fail',
      data: { ...data, error: errorOf(outcome), ...(outcome ? {} : { interrupted: true }) },
      nextAttemptAt: next?.toISOString() ?? null,
    },
    context,
  );
  return after?.status === 'pending' && next
    ? { kind: 'due', at: next, position }
    : { kind: 'settled', position };
}

/** When the next attempt is due. Null when this was the last; a test is attempted once, unless it is interrupted. */
function nextOf(
  { now, random, delays }: DispatchContext,
  { scheduled, sinceRequest, interruptedInRow }: DeliveryState,
  outcome: AttemptOutcome | undefined,
): Date | null {
  if (!outcome) {
    const inRow = interruptedInRow + 1;
    if (scheduled.test && inRow > interruptionsWithoutPlace) return null;
    const schedule = defined({ delays });
    return nextAfterInterruption({ place: sinceRequest, inRow, at: now(), random: random(), ...schedule });
  }
  if (scheduled.test) return null;
  const at = new Date(outcome.ended_at);
  const retryAfter = [outcome.response?.headers['retry-after']].flat()[0];
  return nextAttempt({
    failedAttempt: sinceRequest + 1,
    at,
    random: random(),
    retryAfterSeconds: parseRetryAfter(retryAfter, at),
    ...defined({ delays }),
  });
}

function errorOf(outcome: AttemptOutcome | undefined): string {
  if (!outcome) return 'Interrupted: the dispatcher stopped before the outcome was known.';
  if (outcome.response) return `The receiver answered ${outcome.response.status}.`;
  return outcome.failure?.message ?? 'The attempt failed.';
}

/** The outcome of sending as the journal has it. */
export function outcomeOf(sent: SendOutcome, headers: Record<string, string>, endedAt: Date): AttemptOutcome {
  const about = {
    ended_at: endedAt.toISOString(),
    duration_ms: sent.durationMs,
    request_headers: headers,
  };
  if (sent.kind === 'failed') return { ...about, failure: { reason: sent.reason, message: sent.message } };
  const { status, responseHeaders, responseText, truncated } = sent;
  return { ...about, response: { status, headers: responseHeaders, text: responseText, truncated } };
}
