import { execute } from '../../commands/command-handler.ts';
import { isTeamClosed } from '../../commands/teams/team.ts';
import { commandDelivery, delivery, type DeliveryCommand } from '../../commands/webhooks/delivery.ts';
import { upcast } from '../../events/catalogue.ts';
import { streamName } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import type { Metadata } from '../../events/metadata.ts';
import {
  deliveryStream,
  subscriptionStream,
  type DeliveryEvent,
  type SubscriptionEvent,
} from '../../events/webhooks/webhook.ts';
import { pause } from '../../ground/back-off.ts';
import { paginate } from '../../projections/engine/paginate.ts';
import { teams } from '../../projections/teams.ts';
import { subscriptions } from '../../projections/webhooks/subscriptions.ts';
import type { JobProgress } from '../../ground/job.ts';
import type { EventStore, Position, RecordedEvent } from '../../stores/event-store/port.ts';
import { becauseOfDelivery, dispatcherContext, type DispatchContext } from '../context.ts';
import { expiryRound, heldMs } from '../delivery-policy.ts';
import { dueAfter } from '../lanes/due-reader.ts';
import { batchesOf } from './each-delivery.ts';

/** How many days what is held is kept. */
export const heldDays = heldMs / (24 * 3_600_000);

type Part = Pick<DispatchContext, 'store' | 'documents'>;

/** The job: ends deliveries that were held for too long, until the signal aborts. Run it in one process at a time. */
export async function expireHeld(
  dispatching: Part & Pick<DispatchContext, 'now' | 'heldMs'>,
  signal: AbortSignal,
  progress: Pick<JobProgress, 'succeeded'>,
): Promise<void> {
  while (!signal.aborted) {
    const ended = await expireRound(dispatching, dispatching.now(), { heldMs: dispatching.heldMs ?? heldMs });
    progress.succeeded();
    const waitMs = ended < expiryRound.deliveries ? expiryRound.everyMs : expiryRound.pauseMs;
    await pause(waitMs, signal);
  }
}

/**
 * One round: appends DeliveryExpired to the deliveries whose paused subscription has held them for longer than
 * `heldMs`, or whose team has been closed for longer, and DeliveryDiscarded to those of deleted subscriptions, oldest first. Ends at most `atMost` and returns how
 * many.
 *
 * A delivery is held from the moment at which it would have been attempted, and not before its subscription was paused.
 */
export async function expireRound(
  { store, documents }: Part,
  at: Date,
  { heldMs: longest, atMost = expiryRound.deliveries }: { readonly heldMs: number; readonly atMost?: number },
): Promise<number> {
  const cutoff = new Date(at.getTime() - longest).toISOString();
  let ended = 0;
  for await (const { subscription, inClosedTeam } of inactive(documents, cutoff)) {
    const ends = await endingOf(store, subscription, cutoff, inClosedTeam);
    if (ends === undefined) continue;
    for await (const batch of batchesOf(documents, { subscription, status: 'pending' })) {
      const due = ends === 'discard' ? batch : batch.filter((each) => each.next_attempt_at <= cutoff);
      const results = await Promise.all(
        due.slice(0, atMost - ended).map((each) => end(store, each.delivery, ends, cutoff, at)),
      );
      ended += results.filter(Boolean).length;
      if (ended >= atMost) return ended;
      if (due.length < batch.length) break;
    }
  }
  return ended;
}

/** The subscriptions to which nothing is sent: paused and deleted ones, and those of teams that were closed before the cutoff. */
async function* inactive(documents: Part['documents'], cutoff: string) {
  const all = documents.collection(subscriptions.collection);
  for (const status of ['paused', 'deleted'] as const)
    for await (const { subscription } of paginate(all, { where: { status }, orderBy: ['subscription'] }))
      yield { subscription, inClosedTeam: undefined };
  for await (const { team, closed_at } of paginate(documents.collection(teams.collection), {
    orderBy: ['team'],
  }))
    if (closed_at !== undefined && closed_at <= cutoff)
      for await (const { subscription } of paginate(all, { where: { team }, orderBy: ['subscription'] }))
        yield { subscription, inClosedTeam: team };
}

type Ending = 'expire' | 'discard';

/** What happens to what waits for a subscription, by its stream. Undefined when nothing can be over yet. */
async function endingOf(
  store: EventStore,
  subscriptionId: string,
  cutoff: string,
  inClosedTeam: string | undefined,
): Promise<Ending | undefined> {
  const history = await store.readStream(streamName(subscriptionStream, subscriptionId));
  const statuses = history.map((event) => (upcast(event) as SubscriptionEvent).data.status);
  if (statuses.at(-1) === 'deleted') return 'discard';
  if (inClosedTeam !== undefined && (await isTeamClosed(store, inClosedTeam))) return 'expire';
  if (statuses.at(-1) !== 'paused') return undefined;
  const paused = history[statuses.findLastIndex((status) => status !== 'paused') + 1];
  return paused && timeOf(paused) <= cutoff ? 'expire' : undefined;
}

/** Ends one delivery, decided from its stream. Returns whether it was ended now. */
async function end(
  store: EventStore,
  deliveryId: string,
  kind: Ending,
  cutoff: string,
  at: Date,
): Promise<boolean> {
  const history = await store.readStream(streamName(deliveryStream, deliveryId));
  const newest = history.at(-1);
  if (!newest) return false;
  const context = dispatcherContext(
    uuidOf(kind, deliveryId, String(newest.revision)),
    at,
    becauseOfDelivery(history),
  );
  if (kind === 'discard') {
    return (await commandDelivery(store, deliveryId, { kind }, context)).events.length > 0;
  }
  const dueAt = dueTimeOf(newest);
  if (dueAt === undefined || dueAt > cutoff) return false;
  const asJudged = (_: unknown, position: Position): DeliveryCommand => {
    if (position !== newest.position) throw new ChangedMeanwhile();
    return { kind };
  };
  try {
    return (await execute(store, delivery, deliveryId, asJudged, context)).events.length > 0;
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return false;
    throw error;
  }
}

/** Somebody asked for the delivery, or an attempt ended, after it was judged. The next round judges it again. */
class ChangedMeanwhile extends Error {}

const timeOf = (event: RecordedEvent): string => (event.metadata as unknown as Metadata).at;

/** When a delivery is due after its newest event (ISO 8601 UTC). Undefined when it is not pending. */
function dueTimeOf(newest: RecordedEvent): string | undefined {
  const event = upcast(newest) as DeliveryEvent;
  if (dueAfter(event) === undefined) return undefined;
  return event.type === 'DeliveryAttemptFailed' ? event.data.next_attempt_at : timeOf(newest);
}
