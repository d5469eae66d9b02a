import { z } from 'zod';
import { defined } from '../ground/defined.ts';
import { load } from '../commands/command-handler.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { confirmHealth } from '../commands/webhooks/confirmation.ts';
import { delivery } from '../commands/webhooks/delivery.ts';
import { webhookEvent, type WebhookEvent } from '../events/webhooks/webhook-events.ts';
import { bodyText, deliveryDetails, type DeliveryDetails } from '../dispatch/operations/delivery-details.ts';
import { countOf } from '../dispatch/operations/each-delivery.ts';
import { discardParkedDelivery } from '../dispatch/operations/parked-deliveries.ts';
import { decideParked as decide, listParked } from '../dispatch/operations/parked-work.ts';
import { eventsToReplay, isReplayPlace, replay } from '../dispatch/operations/replay.ts';
import { partOf, resendDelivery, resendEach, type Resending } from '../dispatch/operations/resend.ts';
import { confirmWithTest, scheduleTest, settledDelivery } from '../dispatch/operations/test-delivery.ts';
import { deliveries, type DeliveryDocument } from '../projections/webhooks/deliveries.ts';
import {
  listDeliveries,
  placeOf,
  subscriptionsOfTeam,
  type DeliveryListQuery,
  type DeliveryPlace,
} from '../projections/webhooks/delivery-list.ts';
import { action, type ActionParts, type Performing } from './action.ts';
import type { Listing } from './listing.ts';
import { after, deliveryId, existingSubscription, subscriptionList } from './webhooks.ts';

const right = 'change webhooks';
const noDelivery = () => new CommandRefused('not_found', 'There is no such delivery.');

/** The deliveries of a team, each with its attempts. */
export const deliveryList: Listing<DeliveryDocument, DeliveryDetails> = {
  name: 'deliveries',
  right,
  scope: 'webhooks:read',
  readModel: deliveries,
  orderBy: ['scheduled_at', 'delivery'],
  descending: true,
  id: deliveryId,
  none: noDelivery,
  open: (parts, docs) => Promise.all(docs.map((each) => deliveryDetails(parts, each.delivery))),
};

/** Which deliveries are looked for, beside what the read model finds by itself. */
interface DeliveryFilter extends DeliveryListQuery {
  readonly event?: WebhookEvent | undefined;
  /** All of them stand in the body, the id, the event or the newest answer, in any case of letters. */
  readonly words?: string | undefined;
  /** Of which events the bodies may be read. Default: of all. */
  readonly mayRead?: (event: WebhookEvent) => boolean;
}

/** Deliveries that are looked through for one answer, because no index finds events and words. */
const lookedThrough = { byEvent: 5_000, byWords: 500 } as const;

/**
 * Deliveries in the order of `listDeliveries`. `next`: the place where another search goes on, when there may be more.
 * `looked`: how many were looked through, when that is why it ended.
 */
export async function searchDeliveries(
  parts: ActionParts,
  { event, words = '', mayRead = () => true, limit, ...query }: DeliveryFilter,
): Promise<{
  readonly found: readonly DeliveryDocument[];
  readonly next?: DeliveryPlace | undefined;
  readonly looked?: number;
}> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = async (doc: DeliveryDocument): Promise<boolean> => {
    if (event !== undefined && doc.event !== event) return false;
    if (wanted.length === 0) return true;
    const { delivery: id, last_error = '', last_status = '' } = doc;
    const body = doc.test || mayRead(doc.event) ? await bodyText(parts, id) : '';
    const text = [doc.event, id, last_error, last_status, body].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  const isPlain = event === undefined && wanted.length === 0;
  const most = wanted.length > 0 ? lookedThrough.byWords : lookedThrough.byEvent;
  const pageSize = isPlain ? limit + 1 : 100;
  const found: DeliveryDocument[] = [];
  let { after } = query;
  for (let looked = 0; ; looked += pageSize) {
    if (!isPlain && looked >= most) return { found, next: after, looked };
    const page = await listDeliveries(parts.documents, { ...query, after, limit: pageSize });
    const fitting = await Promise.all(page.map(fits));
    for (const [place, doc] of page.entries()) {
      if (fitting[place] !== true) continue;
      const last = found.at(-1);
      if (last && found.length === limit) return { found, next: placeOf(last, query.status) };
      found.push(doc);
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return { found };
    after = placeOf(last, query.status);
  }
}

/** A delivery from its stream, because the read model may not show it yet. Undefined: the team has none of this id. */
export async function findDelivery(
  parts: ActionParts,
  team: string | undefined,
  id: string,
): Promise<DeliveryDetails | undefined> {
  if (!deliveryId.safeParse(id).success) return undefined;
  const { state } = await load(parts.store, delivery, id);
  const isTheirs = state !== undefined && (team === undefined || state.scheduled.team === team);
  return isTheirs ? deliveryDetails(parts, id) : undefined;
}

/** @throws CommandRefused not_found */
async function requireDelivery({ store }: ActionParts, { who: { team } }: Performing, id: string) {
  const { state } = await load(store, delivery, id);
  if (!state || (team !== undefined && state.scheduled.team !== team)) throw noDelivery();
  return state.scheduled;
}

const ofWebhook = z.object({ id: subscriptionList.id });

/** How long a person waits for the outcome of a test. An attempt ends after ten seconds. */
const testWaitMs = 12_000;

/** Sends the example of an event once, also while it is paused, and waits for what becomes of it. */
export const sendTest = action({
  name: 'webhooks.test',
  right,
  input: ofWebhook.extend({ event: webhookEvent.optional() }),
  once: true,
  async run(parts: ActionParts, { id, event: chosen }, by) {
    await existingSubscription(parts, by, id);
    const { delivery, event, outcome } = await scheduleTest(
      parts,
      { subscriptionId: id, event: chosen },
      by.context,
    );
    const withinMs = by.who.kind === 'person' ? testWaitMs : undefined;
    const state = await settledDelivery(parts, delivery, outcome.position, withinMs);
    const value = { subscription: id, delivery, event, status: state?.status ?? 'pending' };
    return { changes: [], value: () => value };
  },
});

/** Makes a subscription active again that the service had paused, when a test is accepted. `delivery`: one that was. */
export const confirm = action({
  name: 'webhooks.confirm',
  right,
  input: ofWebhook.extend({ delivery: deliveryId.optional() }),
  async run(parts: ActionParts, { id, delivery: tested }, by) {
    const { status } = await existingSubscription(parts, by, id);
    // The form was sent before, or somebody else was faster.
    if (status === 'active' && by.who.kind === 'person')
      return { changes: [], value: () => after(id, status) };
    const { delivery, outcome } =
      tested === undefined
        ? await confirmWithTest(parts, id, { test: by.context, confirm: by.another() })
        : { delivery: tested, outcome: await confirmHealth(parts.store, id, tested, by.context) };
    return { changes: outcome, value: () => after(id, outcome.state?.status, { delivery }) };
  },
});

const ofOne = z.object({ delivery: deliveryId });

/** Sends a delivery again, with the same id and body, also one that waits for its time. `resent`: it was not due already. */
export const resend = action({
  name: 'webhooks.resend',
  right,
  scope: 'webhooks:write',
  input: ofOne,
  once: true,
  async run(parts: ActionParts, { delivery: id }, by) {
    const { subscription } = await requireDelivery(parts, by, id);
    const { events } = await resendDelivery(parts.store, id, by.context);
    return { changes: [], value: () => ({ subscription, delivery: id, resent: events.length > 0 }) };
  },
});

/** Gives up a delivery that was set aside. */
export const discardParked = action({
  name: 'webhooks.discard',
  right,
  input: ofOne,
  async run(parts: ActionParts, { delivery: id }, by) {
    const { subscription } = await requireDelivery(parts, by, id);
    await discardParkedDelivery(parts.store, id, by.context);
    return { changes: [], value: () => ({ subscription, delivery: id }) };
  },
});

/** Sends again what failed since a time. `resent`: undefined, if it goes on. */
export const resendFailed = action({
  name: 'webhooks.resend-failed',
  right,
  input: z.object({ id: subscriptionList.id, since: z.iso.datetime() }),
  once: true,
  async run(parts: ActionParts, { id: subscription, since }, by) {
    await existingSubscription(parts, by, subscription);
    const resent = await resentInTime(parts, { subscription, since, status: 'failed' }, by, 'Resending');
    return { changes: [], value: () => ({ subscription, since, resent }) };
  },
});

/** Sends now what waits for its next attempt, such as when a receiver works again. `resent`: undefined, if it goes on. */
export const sendWaiting = action({
  name: 'webhooks.send-waiting',
  right,
  scope: 'webhooks:write',
  input: ofWebhook,
  once: true,
  async run(parts: ActionParts, { id: subscription }, by) {
    const { status } = await existingSubscription(parts, by, subscription);
    if (status === 'paused')
      throw new CommandRefused('conflict', 'The webhook is paused, so nothing is sent. Resume it first.');
    const waiting = { subscription, status: 'pending', since: by.context.at.toISOString() } as const;
    const resent = await resentInTime(parts, waiting, by, 'Sending');
    return { changes: [], value: () => ({ subscription, resent }) };
  },
});

/** Sends deliveries of a webhook again. How many, or undefined, if it goes on. */
const resentInTime = (parts: ActionParts, selection: Resending, by: Performing, name: string) =>
  by.inTime(
    by.watched({
      name,
      total: () => countOf(parts.documents, selection),
      work: ({ onProgress }) => resendEach(parts, selection, by.context, onProgress),
    }),
  );

/** Events that one press of a button or one request sends: few enough that whoever asked waits for them. */
export const replayedAtOnce = 2_000;

const time = z.date().or(z.iso.datetime({ offset: true }).transform((text) => new Date(text)));

/** Sends the events of the log again that a subscription would have got with its present choice, the oldest first. */
export const replayEvents = action({
  name: 'webhooks.replay',
  right,
  scope: 'webhooks:write',
  input: z.object({
    id: subscriptionList.id,
    from: z.union([z.object({ since: time }), z.object({ after: z.coerce.bigint() })]),
    until: time.optional(),
    atMost: z.int().optional(),
  }),
  once: true,
  wrongField: { invalid: 'until' },
  async run(parts: ActionParts, { id, from, until, atMost }, { who, context, watched }) {
    const { store, personal } = parts;
    await existingSubscription(parts, { who }, id);
    if ('since' in from && from.since > context.at)
      throw new CommandRefused('invalid', 'The beginning is in the future.');
    if (until && 'since' in from && until < from.since)
      throw new CommandRefused('invalid', 'The end is before the beginning.');
    if ('after' in from && !(await isReplayPlace(store, from.after)))
      throw new CommandRefused(
        'invalid',
        'There is no event at this position. Take the one that a replay has answered.',
      );
    const most = who.kind === 'operator' ? atMost : Math.min(atMost ?? replayedAtOnce, replayedAtOnce);
    const replayed = await watched({
      name: 'Replaying',
      total: () => eventsToReplay(store, from),
      canStop: true,
      work: (progress) =>
        replay(
          { store, personal, now: () => context.at },
          { subscription: id, from, ...defined({ until, atMost: most }) },
          context,
          progress,
        ),
    });
    return { changes: [], value: () => ({ subscription: id, ...replayed }) };
  },
});

/** Parked work that one press of a button decides on. */
const decidedAtOnce = 500;

/** Tries parked work again, or gives it up: that of the team, or of the whole installation. `ids`: these alone. */
export const decideParked = action({
  name: 'webhooks.decide-parked',
  right,
  input: z.object({ decision: z.enum(['replay', 'discard']), ids: z.array(z.string()).optional() }),
  async run(parts: ActionParts, { decision, ids }, { who, context }) {
    const most = who.kind === 'person' && !ids ? decidedAtOnce : undefined;
    const parked = who.team === undefined ? await listParked(parts, most) : await parkedOf(parts, who.team);
    const chosen = parked.filter(({ id }) => ids?.includes(id) ?? true);
    const decided = await decide(parts.store, decision, chosen, (id) => partOf(context, id));
    return { changes: [], value: () => decided };
  },
});

async function parkedOf({ documents }: ActionParts, team: string) {
  const all = await subscriptionsOfTeam(documents, team);
  const parked = await listDeliveries(documents, {
    subscriptions: all.map((each) => each.subscription),
    status: 'parked',
    limit: decidedAtOnce,
  });
  return parked.map((each) => ({ kind: 'delivery', id: each.delivery }) as const);
}
