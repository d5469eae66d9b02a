import {
  commandDelivery,
  commandKnownDelivery,
  delivery,
  type DeliveryState,
} from '../commands/webhooks/delivery.ts';
import { load } from '../commands/command-handler.ts';
import { uuidOf } from '../events/ids.ts';
import type { SideStore } from '../stores/side/port.ts';
import { attemptJournal, type StartedAttempt } from './attempt-journal.ts';
import { dispatcherContext, type DispatchContext, type HeldShard } from './context.ts';
import { receiverStateOf, type ReceiverState } from './pace.ts';
import { attemptsKeptMs } from './policy.ts';
import { nextAttempt, parseRetryAfter } from './retry-schedule.ts';
import { isAcknowledged, type Answered, type SendOutcome } from './sending/sender.ts';

/** The result of an attempt for its lane. */
export type AttemptResult =
  | { readonly kind: 'settled'; readonly receiver?: ReceiverState }
  | { readonly kind: 'due'; readonly at: Date; readonly receiver?: ReceiverState }
  /** The subscription is paused: the delivery waits until it is resumed. */
  | { readonly kind: 'held' }
  /** The lease was lost. The next owner of the shard settles the journal entry. */
  | { readonly kind: 'lost' };

/** A receiver's response, kept for 30 days outside the log because it may contain anything. */
export interface CapturedResponse {
  readonly headers: Answered['responseHeaders'];
  readonly text: string;
  readonly truncated: boolean;
}
export const responsesTable = 'webhook-responses';

/** Appends the outcome of an attempt, and stores the response. */
export async function recordOutcome(
  dispatching: DispatchContext,
  known: { readonly state: DeliveryState; readonly revision: number },
  number: number,
  startedAt: Date,
  outcome: SendOutcome,
): Promise<AttemptResult> {
  const { store, side, now, random, delays } = dispatching;
  const { state } = known;
  const { delivery: deliveryId, subscription: subscriptionId } = state.scheduled;
  const captured =
    outcome.kind === 'answered' ? capture(side, `${deliveryId}/${number}`, outcome, now()) : undefined;
  const context = dispatcherContext(attemptId(deliveryId, number), now());
  const data = {
    subscription: subscriptionId,
    attempt: number,
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(outcome.durationMs),
    ...(outcome.kind === 'answered' ? { status: outcome.status } : {}),
  };
  const receiver = receiverStateOf(outcome);
  if (isAcknowledged(outcome)) {
    const succeeding = commandKnownDelivery(store, deliveryId, known, { kind: 'succeed', data }, context);
    await Promise.all([succeeding, captured]);
    return { kind: 'settled', receiver };
  }
  const failedAt = now();
  const next = nextAttempt({
    failedAttempt: state.sinceAsked + 1,
    at: failedAt,
    random: random(),
    retryAfterSeconds:
      outcome.kind === 'answered' ? parseRetryAfter(outcome.retryAfter, failedAt) : undefined,
    ...(delays ? { delays } : {}),
  });
  const error = outcome.kind === 'answered' ? `The receiver answered ${outcome.status}.` : outcome.message;
  const command = {
    kind: 'fail',
    data: { ...data, error },
    nextAttemptAt: next?.toISOString() ?? null,
  } as const;
  const [{ state: after }] = await Promise.all([
    commandKnownDelivery(store, deliveryId, known, command, context),
    captured,
  ]);
  return after?.status === 'pending' && next
    ? { kind: 'due', at: next, receiver }
    : { kind: 'settled', receiver };
}

function capture(side: SideStore, id: string, answered: Answered, at: Date): Promise<void> {
  const { responseHeaders: headers, responseText: text, truncated } = answered;
  const until = new Date(at.getTime() + attemptsKeptMs);
  return side.table<CapturedResponse>(responsesTable).put(id, { headers, text, truncated }, until);
}

/**
 * Fails a pending delivery whose body cannot be rendered, because the person whom its event is about was erased.
 * `revision`: of the newest event of the delivery. Somebody may ask for the delivery again, and it then fails again.
 */
export async function recordErased(
  { store, now }: Pick<DispatchContext, 'store' | 'now'>,
  deliveryId: string,
  revision: number,
): Promise<void> {
  const at = now();
  const context = dispatcherContext(uuidOf('erased', deliveryId, String(revision)), at);
  await commandDelivery(store, deliveryId, { kind: 'fail-erased', at: at.toISOString() }, context);
}

/**
 * Records a journal entry without outcome as an interrupted attempt. It may or may not have been sent, so it
 * counts.
 */
export async function recordInterruptedAttempt(
  dispatching: DispatchContext,
  deliveryId: string,
  note: StartedAttempt,
  shard: HeldShard,
): Promise<void> {
  const { store, now, random, delays } = dispatching;
  const { state } = await load(store, delivery, deliveryId);
  if (shard.lost.aborted) return;
  if (state && state.attempts < note.attempt) {
    const at = now();
    const next = nextAttempt({
      failedAttempt: state.sinceAsked + 1,
      at,
      random: random(),
      ...(delays ? { delays } : {}),
    });
    const data = {
      subscription: state.scheduled.subscription,
      attempt: note.attempt,
      started_at: note.started_at,
      duration_ms: 0,
      error: 'Interrupted: the dispatcher stopped before the outcome was known.',
    };
    await commandDelivery(
      store,
      deliveryId,
      { kind: 'fail', data, nextAttemptAt: next?.toISOString() ?? null },
      dispatcherContext(attemptId(deliveryId, note.attempt), at),
    );
  }
  if (!hasAborted(shard.lost)) await attemptJournal(dispatching.side).delete(deliveryId);
}

/** A function, because TypeScript narrows `signal.aborted` across awaits. */
const hasAborted = (signal: AbortSignal): boolean => signal.aborted;

const attemptId = (deliveryId: string, number: number): string =>
  uuidOf('attempt', deliveryId, String(number));
