import { z } from 'zod';
import type { Config } from '../config.ts';
import { loadNewest } from '../commands/command-handler.ts';
import { CommandRefused } from '../ground/refusals.ts';
import {
  activateSecret,
  commandSubscription,
  subscription,
  type SubscriptionChange,
  type SubscriptionState,
} from '../commands/webhooks/subscription.ts';
import { hostOf, webhookName } from '../events/webhooks/webhook.ts';
import { webhookEvent, type WebhookEvent } from '../events/webhooks/webhook-events.ts';
import { openAddress, type StoredAddress } from '../commands/webhooks/subscription-address.ts';
import { discardHeld } from '../dispatch/operations/discard-held.ts';
import { countOf } from '../dispatch/operations/each-delivery.ts';
import { prepareNextSecret, renewSecret, subscribe } from '../dispatch/operations/signing-secrets.ts';
import type { CommandContext } from '../events/metadata.ts';
import { defined } from '../ground/defined.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { subscriptions, type SubscriptionDocument } from '../projections/webhooks/subscriptions.ts';
import { action, type ActionParts, type Performing } from './action.ts';
import type { Listing } from './listing.ts';

const right = 'change webhooks';
const subscriptionId = z.uuid({ message: 'must be the id of a webhook' });
const ofOne = z.object({ id: subscriptionId });
export const deliveryId = z.uuid({ message: 'must be the id of a delivery' });
const chosenEvents = z.array(webhookEvent).min(1, 'name at least one');

const noSubscription = () => new CommandRefused('not_found', 'There is no such webhook.');

/** The webhook subscriptions of a team, deleted ones too. Keys only look at them: a key that leaks must not redirect them. */
export const subscriptionList: Listing<SubscriptionDocument, SubscriptionDocument> = {
  name: 'subscriptions',
  right,
  scope: 'webhooks:read',
  readModel: subscriptions,
  orderBy: ['subscription'],
  id: subscriptionId,
  none: noSubscription,
  open: async (_, docs) => docs,
};

/**
 * A subscription from its stream, which may be newer than the read model.
 * @throws CommandRefused not_found, also for one of another team
 */
export async function existingSubscription(
  { store }: ActionParts,
  { who: { team } }: Pick<Performing, 'who'>,
  id: string,
): Promise<NonNullable<SubscriptionState>> {
  const state = await loadNewest(store, subscription, id);
  if (!state || (team !== undefined && state.team !== team)) throw noSubscription();
  return state;
}

/**
 * Subscribes an address, which the surface has checked with `checkDestination`, or our own test receiver. The secret is
 * shown once.
 */
const newOne = z.object({ events: chosenEvents, name: webhookName.optional() });
type Subscribing = ActionParts & { readonly config: Pick<Config, 'webhookSubscriptionsPerTeam'> };

async function subscribed(
  parts: Subscribing,
  { url, ...chosen }: z.output<typeof newOne> & { readonly url?: string | undefined },
  { who: { team = '' }, context }: Performing,
) {
  const most = parts.config.webhookSubscriptionsPerTeam;
  const made = await subscribe(parts, { team, url, ...chosen }, context, most);
  const { subscriptionId: id, secret } = made;
  const { events, name } = chosen;
  const value = { subscription: id, secret, team, events, ...defined({ name, url }) };
  return { changes: made.outcome, value: () => value };
}

export const create = action({
  name: 'webhooks.subscribe',
  right,
  input: newOne
    .extend({ url: z.string().optional(), test_receiver: z.boolean().optional() })
    .refine(({ url, test_receiver }) => (url === undefined) === (test_receiver === true), {
      message: 'name an address or choose the test receiver',
      path: ['url'],
    }),
  once: true,
  run: (parts: Subscribing, { test_receiver: _, ...chosen }, by) => subscribed(parts, chosen, by),
});

/** Subscribes our own test receiver, also for a key: it leads nothing out of the service. */
export const createTestReceiver = action({
  name: 'webhooks.subscribe-test-receiver',
  right,
  scope: 'webhooks:write',
  input: newOne,
  once: true,
  run: (parts: Subscribing, chosen, by) => subscribed(parts, chosen, by),
});

/** Gives a subscription a name, or takes it away with an empty one. */
export const rename = action({
  name: 'webhooks.name',
  right,
  scope: 'webhooks:write',
  input: ofOne.extend({ name: z.union([z.literal(''), webhookName]) }),
  async run(parts: ActionParts, { id, name }, by) {
    await existingSubscription(parts, by, id);
    const change = { kind: 'name', name: name === '' ? undefined : name } as const;
    const changes = await commandSubscription(parts, id, change, by.context);
    return { changes, value: () => ({ subscription: id, name: changes.state?.name }) };
  },
});

/** Where a subscription sends what. */
export interface AddressAndEvents {
  readonly url: string;
  /** It has no address: deliveries go to our own test receiver. */
  readonly test_receiver?: true | undefined;
  readonly events: readonly WebhookEvent[];
}

/** With the whole address, for the owner to change. Empty where it cannot be opened. */
export const addressAndEvents = async (
  personal: PersonalData,
  state: StoredAddress & Pick<AddressAndEvents, 'events' | 'test_receiver'>,
): Promise<AddressAndEvents> => ({
  url: (await openAddress(personal, state)) ?? '',
  ...defined({ test_receiver: state.test_receiver }),
  events: state.events,
});

/** What a form was made from, so that a change that somebody else saves meanwhile is noticed. */
export const versionOf = ({ url, events }: AddressAndEvents): string =>
  [url, ...[...events].sort()].join(' ');

/** Changes the address, which the surface has checked, and the events. `was`: the version that the form showed. */
export const edit = action({
  name: 'webhooks.edit',
  right,
  input: ofOne.extend({
    url: z.string().optional(),
    events: chosenEvents.optional(),
    was: z.string().optional(),
  }),
  once: true,
  async run(parts: ActionParts, { id, url, events, was }, by) {
    const { personal } = parts;
    const state = await existingSubscription(parts, by, id);
    const existing = await addressAndEvents(personal, state);
    const now = versionOf(existing);
    if (was !== undefined && was !== now && versionOf({ ...existing, ...defined({ url, events }) }) !== now)
      throw new CommandRefused('conflict', 'Somebody else has changed this webhook.');
    const moved = url && (await commandSubscription(parts, id, { kind: 'change-url', url }, by.context));
    const chose =
      events && (await commandSubscription(parts, id, { kind: 'choose-events', events }, by.another()));
    const changes = [moved, chose].filter((each) => typeof each === 'object');
    const newest = changes.at(-1)?.state ?? state;
    const value = async () => ({
      subscription: id,
      url: (await openAddress(personal, newest)) ?? hostOf(newest),
      events: newest.events,
      status: newest.status,
    });
    return { changes, value };
  },
});

/** Stops sending, until it is resumed. What happens meanwhile waits. */
export const pause = action({
  name: 'webhooks.pause',
  right,
  input: ofOne,
  async run(parts: ActionParts, { id }, by) {
    await existingSubscription(parts, by, id);
    return changed(parts, id, { kind: 'pause' }, by.context);
  },
});

/** Resumes what its owner had paused. What waits is sent, or discarded first. */
export const resume = action({
  name: 'webhooks.resume',
  right,
  input: ofOne.extend({ discard: z.boolean().default(false) }),
  async run(parts: ActionParts, { id, discard: isDiscarded }, by) {
    const { status, paused_because: byUs } = await existingSubscription(parts, by, id);
    const resuming = () => changed(parts, id, { kind: 'resume' }, by.another());
    if (!isDiscarded || status !== 'paused' || byUs !== undefined) return resuming();
    const emptied = async () => {
      await discardWaiting(parts, id, by, by.context);
      const { changes } = await resuming();
      await by.untilShown(changes);
      return true;
    };
    const isDone = await by.inTime(emptied());
    return { changes: [], value: () => after(id, isDone ? 'active' : status, { discarded: true }) };
  },
});

/** Discards what waits for a subscription that is paused. `discarded`: undefined, if it goes on. */
export const discard = action({
  name: 'webhooks.discard-held',
  right,
  input: ofOne,
  async run(parts: ActionParts, { id }, by) {
    await existingSubscription(parts, by, id);
    const discarded = await by.inTime(discardWaiting(parts, id, by, by.context));
    return { changes: [], value: () => ({ subscription: id, discarded }) };
  },
});

/** Deletes a subscription for good, and discards what waits for it. */
export const remove = action({
  name: 'webhooks.delete',
  right,
  input: ofOne,
  async run(parts: ActionParts, { id }, by) {
    await existingSubscription(parts, by, id);
    const toDiscard = by.another();
    const done = await changed(parts, id, { kind: 'delete' }, by.context);
    await by.untilShown(done.changes);
    // What the read model does not show yet is discarded by the job that ends held deliveries.
    await by.inTime(discardWaiting(parts, id, by, toDiscard));
    return done;
  },
});

/** A signing secret that was just made. It is in clear here, and nowhere else ever. Undefined: the command was sent before. */
const newSecret = (name: string, make: typeof renewSecret) =>
  action({
    name,
    right,
    input: ofOne,
    once: true,
    async run(parts: ActionParts, { id }, by) {
      const host = hostOf(await existingSubscription(parts, by, id));
      const { secret, outcome } = await make(parts, id, by.context);
      return { changes: outcome, value: () => ({ subscription: id, secret, host }) };
    },
  });

/** Replaces the signing secret at once. */
export const rotateSecret = newSecret('webhooks.rotate-secret', renewSecret);

/** Prepares the next signing secret. Until it is activated, both are valid. */
export const prepareSecret = newSecret('webhooks.prepare-secret', prepareNextSecret);

/** Makes the prepared secret the signing secret. `secret`: the id of the one that is meant. */
export const activate = action({
  name: 'webhooks.activate-secret',
  right,
  input: ofOne.extend({ secret: z.string().optional() }),
  once: true,
  async run(parts: ActionParts, { id, secret }, by) {
    await existingSubscription(parts, by, id);
    const changes = await activateSecret(parts, id, secret, by.context);
    return { changes, value: () => ({ subscription: id, secret_version: changes.state?.secret_version }) };
  },
});

async function changed(parts: ActionParts, id: string, change: SubscriptionChange, context: CommandContext) {
  const changes = await commandSubscription(parts, id, change, context);
  return { changes, value: () => after(id, changes.state?.status) };
}

/** What became of a subscription. `discarded`: what waited was, or is being discarded. `delivery`: the test that was accepted. */
export const after = (
  subscription: string,
  status: SubscriptionDocument['status'] | undefined,
  also: { readonly discarded?: true; readonly delivery?: string } = {},
) => ({ subscription, status, ...also });

const discardWaiting = (
  parts: ActionParts,
  id: string,
  { watched }: Performing,
  context: CommandContext,
): Promise<number> =>
  watched({
    name: 'Discarding',
    total: () => countOf(parts.documents, { subscription: id, status: 'pending' }),
    work: ({ onProgress }) => discardHeld(parts, id, context, onProgress),
  });
