import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  commandDelivery,
  commandKnownDelivery,
  delivery,
  type DeliveryState,
  type ScheduledDelivery,
} from '../commands/webhooks/delivery.ts';
import { load, loadNewest } from '../commands/command-handler.ts';
import {
  commandSubscription,
  secretName,
  subscription,
  type SubscriptionState,
} from '../commands/webhooks/subscription.ts';
import { upcast } from '../events/catalogue.ts';
import { uuidOf } from '../events/ids.ts';
import { subscriptionHealth } from '../projections/webhooks/subscription-health.ts';
import type { SideStore } from '../stores/side/port.ts';
import { asDispatcher, type Dispatching, type Tenure } from './context.ts';
import { renderPayload, type PayloadSource } from './payload.ts';
import { notes, type AttemptNote } from './attempt-journal.ts';
import { stateOf, type ReceiverState } from './pace.ts';
import { nextAttempt, parseRetryAfter } from './retry-schedule.ts';
import { isAcknowledged, type Answered, type SendOutcome } from './sender.ts';
import { signHeaders } from './signature.ts';

/** What an attempt came to, as far as its lane must know. */
export type AttemptResult =
  | { readonly kind: 'settled'; readonly receiver?: ReceiverState }
  | { readonly kind: 'due'; readonly at: Date; readonly receiver?: ReceiverState }
  /** The subscription is paused: kept until it is resumed. */
  | { readonly kind: 'held' }
  /** The lease was lost meanwhile: what was noted is the next owner's to settle. */
  | { readonly kind: 'lost' };

/** What a receiver answered, kept for 30 days beside the log: it may hold anything. */
export interface CapturedResponse {
  readonly headers: Answered['responseHeaders'];
  readonly text: string;
  readonly truncated: boolean;
}
export const responsesTable = 'webhook-responses';
const responsesKeptMs = 30 * 24 * 3_600_000;

const standstillMs = 1_000;

/** HTTP 410: the receiver says that the URL is gone for good (RFC 9110, section 15.5.11). */
const GONE = 410;

/**
 * One attempt: everything that decides it is read from streams, it is noted before it is made, and what came
 * of it is appended. A delivery that is not due, not pending or not wanted any more is not sent.
 *
 * Nothing is sent once the lease is lost, and what is being sent is broken off: its next owner waits longer
 * than we do, and by then counts the noted attempt as interrupted.
 */
export async function attempt(
  dispatching: Dispatching,
  deliveryId: string,
  tenure: Tenure,
): Promise<AttemptResult> {
  const { store, side, now } = dispatching;
  const { state, revision } = await load(store, delivery, deliveryId);
  if (state?.status !== 'pending') return { kind: 'settled' };
  if (state.dueAt !== undefined && new Date(state.dueAt) > now())
    return { kind: 'due', at: new Date(state.dueAt) };

  const noted = notes(side);
  const left = await noted.get(deliveryId);
  if (left && left.attempt > state.attempts) {
    // It was made, and its outcome could not be recorded: it counts like one that a crash cut off.
    await recordInterrupted(dispatching, deliveryId, left, tenure);
    return tenure.lost.aborted ? { kind: 'lost' } : attempt(dispatching, deliveryId, tenure);
  }
  const { scheduled } = state;
  const number = state.attempts + 1;
  const body = await bodyOf(dispatching, scheduled);
  const startedAt = now();
  const begun = performance.now();
  if (tenure.lost.aborted) return { kind: 'lost' };
  await noted.put(deliveryId, {
    attempt: number,
    started_at: startedAt.toISOString(),
    subscription: scheduled.subscription,
  });
  /** Not once the lease is lost: the note that stands there then may be of the next owner's attempt. */
  const withdraw = async () => {
    if (!tenure.lost.aborted) await noted.delete(deliveryId);
  };
  // Read after the note is down, just before sending: a pause or a rotation that has been answered is obeyed.
  const { standing, secret } = await recipientOf(dispatching, scheduled.subscription).catch(
    async (error: unknown) => {
      await withdraw();
      throw error;
    },
  );
  if (secret === undefined) {
    await withdraw();
    return standing?.status === 'paused' ? { kind: 'held' } : discard(dispatching, deliveryId);
  }
  await timersAfterStandstill(begun);
  if (hasAborted(tenure.lost)) return { kind: 'lost' };
  const outcome = await dispatching.sender.send({
    url: standing.url,
    headers: signHeaders({
      secret,
      deliveryId,
      event: scheduled.event,
      body,
      at: startedAt,
    }),
    body,
    signal: tenure.lost,
  });
  if (outcome.kind === 'failed' && outcome.reason === 'aborted') return { kind: 'lost' };
  const result = await record(dispatching, { state, revision }, number, startedAt, outcome);
  // A note that outlives its outcome says nothing new, so nobody waits for its removal to be on disk.
  tenure.trailing(withdraw().catch(dispatching.onFault('attempt note')));
  if (!isAcknowledged(outcome)) await pauseIfHopeless(dispatching, scheduled.subscription, outcome);
  return result;
}

/** Appends what an attempt came to, and keeps the answer aside. */
async function record(
  dispatching: Dispatching,
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
  const context = asDispatcher(attemptId(deliveryId, number), now());
  const data = {
    subscription: subscriptionId,
    attempt: number,
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(outcome.durationMs),
    ...(outcome.kind === 'answered' ? { status: outcome.status } : {}),
  };
  const receiver = stateOf(outcome);
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
  const until = new Date(at.getTime() + responsesKeptMs);
  return side.table<CapturedResponse>(responsesTable).put(id, { headers, text, truncated }, until);
}

/** A note without outcome is an attempt that a crash cut off: whether it was sent, nobody knows; it counts. */
export async function recordInterrupted(
  dispatching: Dispatching,
  deliveryId: string,
  note: AttemptNote,
  tenure: Tenure,
): Promise<void> {
  const { store, now, random, delays } = dispatching;
  const { state } = await load(store, delivery, deliveryId);
  if (tenure.lost.aborted) return;
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
      asDispatcher(attemptId(deliveryId, note.attempt), at),
    );
  }
  if (!hasAborted(tenure.lost)) await notes(dispatching.side).delete(deliveryId);
}

/**
 * A process that stood still (a paused machine, a long collection) is handed the answers it waited for before its
 * timers run, the one among them that says that its lease is lost: after so long, they run first.
 */
async function timersAfterStandstill(since: number): Promise<void> {
  if (performance.now() - since > standstillMs) await sleep(0);
}

/** Asked anew: the compiler takes what it saw before a wait for what is true after it. */
const hasAborted = (signal: AbortSignal): boolean => signal.aborted;

const attemptId = (deliveryId: string, number: number): string =>
  uuidOf('attempt', deliveryId, String(number));

/** The very bytes that were scheduled. */
async function bodyOf({ store, recent }: Dispatching, scheduled: ScheduledDelivery): Promise<string> {
  const { stream, revision, event_id } = scheduled.source;
  const event = await recent.events.of(`${revision}@${stream}`, async () => {
    const [there] = await store.readStream(stream, { from: revision, limit: 1 });
    return there;
  });
  if (event?.id !== event_id)
    throw new Error(`The event ${event_id} is not where its delivery says (${stream}).`);
  const body = renderPayload(scheduled.payload_version, {
    event: scheduled.event,
    deliveryId: scheduled.delivery,
    occurredAt: scheduled.occurred_at,
    source: upcast(event) as PayloadSource,
  });
  if (createHash('sha256').update(body).digest('hex') !== scheduled.body_sha256) {
    throw new Error(`The body of delivery ${scheduled.delivery} is not the one that was scheduled.`);
  }
  return body;
}

type Recipient =
  | { readonly standing: NonNullable<SubscriptionState>; readonly secret: string }
  /** Nothing is to be sent as things stand. */
  | { readonly standing: SubscriptionState; readonly secret?: undefined };

/** The subscription as it stands, and its secret. A rotation between the two looks makes both again. */
async function recipientOf(
  { store, vault, recent }: Dispatching,
  subscriptionId: string,
): Promise<Recipient> {
  for (let missing: string | undefined; ;) {
    const standing = await loadNewest(store, subscription, subscriptionId);
    if (standing?.status !== 'active') return { standing };
    const name = secretName(subscriptionId, standing.secret_id);
    const secret = await recent.secrets.of(name, async () => {
      const bytes = await vault.get(name);
      return bytes && Buffer.from(bytes).toString();
    });
    if (secret !== undefined) return { standing, secret };
    if (missing === standing.secret_id) {
      throw new Error(`The signing secret of subscription ${subscriptionId} is not in the vault.`);
    }
    missing = standing.secret_id;
  }
}

async function discard({ store, now }: Dispatching, deliveryId: string): Promise<AttemptResult> {
  await commandDelivery(
    store,
    deliveryId,
    { kind: 'discard' },
    asDispatcher(uuidOf('discard', deliveryId), now()),
  );
  return { kind: 'settled' };
}

/** 410 pauses at once; otherwise the pause rule decides by how long and how much has failed. */
async function pauseIfHopeless(
  dispatching: Dispatching,
  subscriptionId: string,
  outcome: SendOutcome,
): Promise<void> {
  const reason =
    outcome.kind === 'answered' && outcome.status === GONE
      ? 'The receiver answered 410 Gone.'
      : await hopelessBecause(dispatching, subscriptionId);
  if (reason === undefined) return;
  const context = asDispatcher(crypto.randomUUID(), dispatching.now());
  await commandSubscription(dispatching, subscriptionId, { kind: 'auto-pause', reason }, context);
}

async function hopelessBecause(
  { documents, pauseRule, now }: Dispatching,
  subscriptionId: string,
): Promise<string | undefined> {
  const health = await documents.collection(subscriptionHealth.collection).get(subscriptionId);
  if (!health?.failing_since || health.failing.length < pauseRule.deliveries) return undefined;
  if (now().getTime() - Date.parse(health.failing_since) < pauseRule.afterMs) return undefined;
  return `Every attempt has failed since ${health.failing_since}.`;
}
