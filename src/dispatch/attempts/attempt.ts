import { setTimeout as sleep } from 'node:timers/promises';
import { loadWithHistory } from './delivery-history.ts';
import {
  commandDelivery,
  unattempted,
  type DeliveryState,
  type ScheduledDelivery,
} from '../../commands/webhooks/delivery.ts';
import { uuidOf } from '../../events/ids.ts';
import { subscriptions } from '../../projections/webhooks/subscriptions.ts';
import type { Holder } from '../../personal/personal-data.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { attemptId, attemptJournal, type AttemptOutcome, type AttemptTrigger } from './attempt-journal.ts';
import { bodyOf } from './attempt-input.ts';
import {
  becauseOfAttempt,
  outcomeOf,
  recordErased,
  recordOutcome,
  type AttemptResult,
  type LoadedDelivery,
} from './attempt-outcome.ts';
import {
  becauseOfDelivery,
  dispatcherContext,
  type Because,
  type DispatchContext,
  type FreshDelivery,
  type HeldShard,
} from '../context.ts';
import { attempts, type MeasuredAttempt } from '../measured.ts';
import { receiverStateOf } from '../lanes/pace.ts';
import { recipientOf } from './recipient.ts';
import { receive } from '../operations/test-receiver.ts';
import { isAcknowledged, type SendOutcome } from './sender.ts';
import { endReversed, wasReversed } from './reversal.ts';
import { settleOpenAttempt } from './settle-attempt.ts';
import { sealExchange, withoutExchange } from './sealed-exchange.ts';
import { signHeaders } from '../signature.ts';
import { inDeliverySpan } from './delivery-span.ts';
import { commandSubscription } from '../../commands/webhooks/subscription.ts';
import { subscriptionHealth } from '../../projections/webhooks/subscription-health.ts';
import { goneReason, goneStatus } from '../delivery-policy.ts';
import { hasAborted } from '../../ground/retry.ts';

const standstillMs = 1_000;

/** What an attempt is asked to send. */
export interface AttemptOf {
  readonly delivery: string;
  /** The journal group of its subscription. */
  readonly group: string;
  /**
   * The event that scheduled it, when nothing but that event can be in its stream: the first attempt then reads
   * neither the stream nor the journal.
   */
  readonly scheduled?: FreshDelivery | undefined;
  /** Called when it begins to wait for the receiver, and when that has ended. */
  readonly waits?: (isWaiting: boolean) => void;
}

/**
 * Makes one attempt: opens a journal entry, reads the subscription, sends, and appends the outcome. Sends only when the
 * delivery is pending and due and the subscription is active.
 *
 * Sends nothing once the lease is lost, and aborts the request under way. The next holder of the lease waits longer
 * than that takes, and then records the journal entry as an interrupted attempt.
 */
export async function attempt(
  dispatching: DispatchContext,
  of: AttemptOf,
  shard: HeldShard,
): Promise<AttemptResult> {
  const { store, side, now } = dispatching;
  const current = of.scheduled ? fresh(of.scheduled) : await loaded(store, of.delivery);
  const { state, revision, because } = current;
  if (state?.status !== 'pending') return { kind: 'settled' };
  if (state.dueAt !== undefined && new Date(state.dueAt) > now())
    return { kind: 'due', at: new Date(state.dueAt), position: current.position };

  const journal = attemptJournal(side);
  const number = state.attempts + 1;
  const id = attemptId(of.delivery, number);
  const left = of.scheduled ? undefined : await journal.opened(of.group, id);
  if (left) {
    // The attempt was made and its outcome could not be appended.
    const open = { delivery: of.delivery, group: of.group, entry: left };
    await settleOpenAttempt(dispatching, { state, revision, because }, open, shard);
    return hasAborted(shard.lost) ? { kind: 'lost' } : attempt(dispatching, of, shard);
  }
  const { scheduled } = state;
  if (!state.evenReversed && (await wasReversed(store, scheduled))) {
    await endReversed(dispatching, of.delivery, because);
    return { kind: 'settled' };
  }
  const whenScheduled = of.scheduled?.body;
  const rendered =
    whenScheduled === undefined
      ? await bodyOf(dispatching, scheduled)
      : ({ kind: 'rendered', body: whenScheduled, holder: undefined } as const);
  if (rendered.kind === 'erased') {
    await recordErased(dispatching, of.delivery, current);
    return { kind: 'settled' };
  }
  const { body } = rendered;
  const startedAt = now();
  const begun = performance.now();
  if (shard.lost.aborted) return { kind: 'lost' };
  const entry = {
    attempt: number,
    subscription: scheduled.subscription,
    started_at: startedAt.toISOString(),
    trigger: triggerOf(state),
  };
  await journal.open(of.group, id, entry);
  /** Not when the lease is lost: the entry may then belong to the next holder's attempt. */
  const withdraw = async () => {
    if (!shard.lost.aborted) await journal.withdraw(of.group, id);
  };
  /** For what fails on our side before anything is sent: it is no attempt. */
  const withdrawn = async (error: unknown): Promise<never> => {
    await withdraw();
    throw error;
  };
  // Read after the journal entry, just before sending, so that a confirmed pause or rotation applies.
  const isTest = scheduled.test === true;
  const recipient = await recipientOf(dispatching, scheduled.subscription, isTest).catch(withdrawn);
  if (recipient.kind !== 'active') {
    await withdraw();
    return recipient.kind === 'paused' ? { kind: 'held' } : discard(dispatching, of.delivery, because);
  }
  await timersAfterStandstill(begun);
  if (hasAborted(shard.lost)) return { kind: 'lost' };
  const signed = signHeaders({
    secret: recipient.secret,
    nextSecret: recipient.nextSecret,
    deliveryId: of.delivery,
    event: scheduled.event,
    test: scheduled.test,
    body,
    at: startedAt,
  });
  const { url } = recipient;
  const { sent, headers } = await inDeliverySpan(scheduled, number, because, async (traced) => {
    const sending = {
      headers: { ...signed, ...traced },
      body,
      signal: shard.lost,
      mayStart: () => !shard.lost.aborted,
    };
    const { holder } = rendered;
    const outcome = await (url === undefined
      ? receive(dispatching, { scheduled, attempt: number, holder, recipient, sending }).catch(withdrawn)
      : answerOf(of, dispatching.sender.send({ url, ...sending })));
    return { sent: outcome, headers: sending.headers };
  });
  if (sent.kind === 'failed' && sent.reason === 'aborted') return { kind: 'lost' };
  if (attempts.hasSubscribers) {
    const isFirst = number === 1 && entry.trigger === 'schedule';
    const firstAfterSeconds = isFirst
      ? await secondsSinceEvent(dispatching, scheduled, startedAt)
      : undefined;
    attempts.publish({ sent, firstAfterSeconds } satisfies MeasuredAttempt);
  }
  const open = { delivery: of.delivery, group: of.group, entry };
  const outcome = await storable(dispatching, rendered.holder, outcomeOf(sent, headers, now()));
  const result = await recordOutcome(dispatching, { state, revision, because }, open, outcome, shard);
  if (!isAcknowledged(sent))
    await pauseIfFailing(
      dispatching,
      scheduled.subscription,
      sent,
      becauseOfAttempt(of.delivery, number, because),
    );
  return result.kind === 'settled' || result.kind === 'due'
    ? { ...result, receiver: receiverStateOf(sent) }
    : result;
}

async function answerOf({ waits }: AttemptOf, sent: Promise<SendOutcome>): Promise<SendOutcome> {
  waits?.(true);
  try {
    return await sent;
  } finally {
    waits?.(false);
  }
}

/** From the event to its attempt. Undefined when it was held, or when that cannot be told. */
async function secondsSinceEvent(
  { documents }: Pick<DispatchContext, 'documents'>,
  { subscription, occurred_at }: ScheduledDelivery,
  startedAt: Date,
): Promise<number | undefined> {
  const seconds = (startedAt.getTime() - Date.parse(occurred_at)) / 1_000;
  if (seconds < 1) return seconds;
  const doc = await documents
    .collection(subscriptions.collection)
    .get(subscription)
    .catch(() => undefined);
  // The read model may not show yet that the subscription was resumed.
  if (doc?.status !== 'active' || doc.active_since === undefined) return undefined;
  return doc.active_since <= occurred_at ? seconds : undefined;
}

/** What was sent counts also when the vault is away: then only what was said and heard is not kept. */
async function storable(
  { personal, onFault }: DispatchContext,
  holder: Holder | undefined,
  outcome: AttemptOutcome,
): Promise<AttemptOutcome> {
  try {
    return await sealExchange(personal, holder, outcome);
  } catch (error) {
    onFault('attempt journal')(error);
    return withoutExchange(outcome);
  }
}

async function loaded(store: EventStore, deliveryId: string) {
  const { history, ...current } = await loadWithHistory(store, deliveryId);
  return { ...current, because: becauseOfDelivery(history) };
}

const fresh = ({
  because,
  body: _,
  ...scheduled
}: FreshDelivery): LoadedDelivery & { readonly position: bigint } => ({
  state: unattempted(scheduled),
  revision: 0,
  because,
  position: -1n,
});

function triggerOf({ scheduled, requestedBy, attempts }: DeliveryState): AttemptTrigger {
  if (requestedBy) return requestedBy;
  if (attempts > 0) return 'retry';
  return scheduled.test ? 'test' : 'schedule';
}

/**
 * After a pause of the process (suspended machine, long garbage collection), lets timers run before going on: one
 * of them reports a lost lease.
 */
async function timersAfterStandstill(since: number): Promise<void> {
  if (performance.now() - since > standstillMs) await sleep(0);
}

async function discard(
  { store, now }: DispatchContext,
  deliveryId: string,
  because: Because,
): Promise<AttemptResult> {
  const context = dispatcherContext(uuidOf('discard', deliveryId), now(), because);
  await commandDelivery(store, deliveryId, { kind: 'discard' }, context);
  return { kind: 'gone' };
}

/** Pauses a subscription at once after a 410, otherwise when the pause rule applies. */
export async function pauseIfFailing(
  dispatching: DispatchContext,
  subscriptionId: string,
  outcome: SendOutcome,
  because: Because,
): Promise<void> {
  const reason =
    outcome.kind === 'answered' && outcome.status === goneStatus
      ? goneReason
      : await pauseReason(dispatching, subscriptionId);
  if (reason === undefined) return;
  const context = dispatcherContext(crypto.randomUUID(), dispatching.now(), because);
  await commandSubscription(dispatching, subscriptionId, { kind: 'auto-pause', reason }, context);
}

async function pauseReason(
  { documents, pauseRule, now }: DispatchContext,
  subscriptionId: string,
): Promise<string | undefined> {
  const health = await documents.collection(subscriptionHealth.collection).get(subscriptionId);
  if (!health?.failing_since || health.failing.length < pauseRule.deliveries) return undefined;
  if (now().getTime() - Date.parse(health.failing_since) < pauseRule.afterMs) return undefined;
  return `Every attempt has failed since ${health.failing_since}.`;
}
