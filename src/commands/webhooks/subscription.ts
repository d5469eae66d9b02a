import {
  subscriptionStream,
  testReceiverOrigin,
  type SubscriptionEvent,
} from '../../events/webhooks/webhook.ts';
import { type WebhookEvent } from '../../events/webhooks/webhook-events.ts';
import { defined } from '../../ground/defined.ts';
import { NoDataKey, type PersonalData } from '../../personal/personal-data.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { uuidOf } from '../../events/ids.ts';
import { streamName } from '../../events/define.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { InvalidEvent } from '../../events/new-event.ts';
import { execute, type Outcome } from '../command-handler.ts';
import { addressHolder, openAddress, sealAddress } from './subscription-address.ts';
import {
  subscription,
  type SubscriptionSnapshot,
  type SubscriptionCommand,
  type SubscriptionState,
} from './subscription-decider.ts';
import { requireOpenTeam } from '../teams/team.ts';

export {
  PausedByService,
  subscription,
  type SubscriptionCommand,
  type SubscriptionState,
  type TestedBy,
} from './subscription-decider.ts';

/** The vault entry of the signing secret that an event names. */
export const secretName = (subscriptionId: string, secretId: string): string =>
  `webhook-secret/${subscriptionId}/${secretId}`;

type SubscriptionOutcome = Outcome<SubscriptionState, SubscriptionEvent>;

export interface SubscriptionParts {
  readonly store: EventStore;
  readonly vault: Vault;
  /** Seals the address. */
  readonly personal: PersonalData;
}

/** The secret in clear, shown once. Undefined when the command was a repeat. */
export interface WithSecret {
  readonly subscriptionId: string;
  readonly secret: string | undefined;
  readonly outcome: SubscriptionOutcome;
}

export interface NewSubscription {
  readonly team: string;
  /** Undefined: our own test receiver. */
  readonly url: string | undefined;
  readonly name?: string | undefined;
  readonly events: readonly WebhookEvent[];
}

/**
 * Subscribes a URL, which the caller has checked against the destination rules. The secret is stored in the vault
 * before the event that names it, under the command's id, so a command that loses a race does not touch the winner's
 * secret.
 */
export async function createSubscription(
  parts: SubscriptionParts,
  { team, url, name, events }: NewSubscription,
  newSecret: string,
  context: CommandContext,
): Promise<WithSecret> {
  await requireOpenTeam(parts.store, team);
  const subscriptionId = uuidOf(context.commandId, 'webhook-subscription');
  const snapshot: SubscriptionSnapshot = {
    subscription: subscriptionId,
    team,
    status: 'active',
    ...(url === undefined
      ? { origin: testReceiverOrigin, test_receiver: true }
      : await sealAddress(parts.personal, subscriptionId, url)),
    ...defined({ name }),
    events: [...new Set(events)],
    secret_version: 1,
    secret_id: context.commandId,
  };
  return withSecret(parts, subscriptionId, newSecret, { kind: 'create', snapshot }, context);
}

/** Replaces the signing secret at once. An attempt that begins after this resolves is not signed with the old one. */
export async function rotateSecret(
  parts: SubscriptionParts,
  subscriptionId: string,
  newSecret: string,
  context: CommandContext,
): Promise<WithSecret> {
  const command = { kind: 'rotate-secret', secretId: context.commandId } as const;
  return withSecret(parts, subscriptionId, newSecret, command, context);
}

/** What can be asked of a subscription that exists, except for a new secret and a confirmation. */
export type SubscriptionChange =
  | Exclude<SubscriptionCommand, { readonly kind: 'create' | 'confirm' | 'change-url' | `${string}-secret` }>
  /** The whole address, which the caller has checked against the destination rules. */
  | { readonly kind: 'change-url'; readonly url: string };

/**
 * Prepares the next signing secret. From then on it signs `webhook-signature` too, so that a receiver can change to it in
 * its own time.
 */
export async function prepareSecret(
  parts: SubscriptionParts,
  subscriptionId: string,
  newSecret: string,
  context: CommandContext,
): Promise<WithSecret> {
  const command = { kind: 'prepare-secret', secretId: context.commandId } as const;
  return withSecret(parts, subscriptionId, newSecret, command, context);
}

/**
 * Makes the prepared secret the signing secret. An attempt that begins after this resolves is not signed with the one
 * before. `secretId`: the prepared one that is meant.
 *
 * @throws CommandRefused conflict, when none is prepared, another one is, or the vault does not have it
 */
export async function activateSecret(
  parts: SubscriptionParts,
  subscriptionId: string,
  secretId: string | undefined,
  context: CommandContext,
): Promise<SubscriptionOutcome> {
  const activating = async (state: SubscriptionState): Promise<SubscriptionCommand> => {
    const next = state?.next_secret_id;
    if (next !== undefined && (await parts.vault.get(secretName(subscriptionId, next))) === undefined)
      throw new CommandRefused('conflict', 'The prepared signing secret is lost. Prepare another one.');
    return { kind: 'activate-secret', secretId };
  };
  const outcome = await execute(parts.store, subscription, subscriptionId, activating, context);
  await forgetOutdated(parts, subscriptionId);
  return outcome;
}

export async function commandSubscription(
  parts: SubscriptionParts,
  subscriptionId: string,
  change: SubscriptionChange,
  context: CommandContext,
): Promise<SubscriptionOutcome> {
  const { store } = parts;
  if (change.kind === 'change-url') return changeUrl(parts, subscriptionId, change.url, context);
  const outcome = await execute(store, subscription, subscriptionId, change, context);
  if (change.kind === 'delete') await forgetOutdated(parts, subscriptionId);
  return outcome;
}

async function changeUrl(
  parts: SubscriptionParts,
  subscriptionId: string,
  url: string,
  context: CommandContext,
): Promise<SubscriptionOutcome> {
  const { store, personal } = parts;
  const command = async (state: SubscriptionState) => {
    const exists = state !== undefined && state.status !== 'deleted';
    const isSame = !exists || (await openAddress(personal, state)) === url;
    const address = isSame ? undefined : await sealAddress(personal, subscriptionId, url);
    return { kind: 'change-url', address } as const;
  };
  try {
    return await execute(store, subscription, subscriptionId, command, context);
  } catch (error) {
    // It was deleted meanwhile.
    const deleted = error instanceof NoDataKey || error instanceof CommandRefused;
    if (deleted) await forgetOutdated(parts, subscriptionId);
    if (error instanceof NoDataKey) throw new CommandRefused('not_found', 'There is no such webhook.');
    throw error;
  }
}

/** Stores a secret, appends the event that names it, and deletes secrets that no event names any more. */
async function withSecret(
  parts: SubscriptionParts,
  subscriptionId: string,
  newSecret: string,
  command: SubscriptionCommand,
  context: CommandContext,
): Promise<WithSecret> {
  const { store, vault } = parts;
  const secretId = context.commandId;
  const kept = await vault.putIfAbsent(secretName(subscriptionId, secretId), Buffer.from(newSecret));
  try {
    const outcome = await execute(store, subscription, subscriptionId, command, context);
    await forgetOutdated(parts, subscriptionId);
    return { subscriptionId, secret: outcome.repeated ? undefined : Buffer.from(kept).toString(), outcome };
  } catch (error) {
    // A refused command has appended nothing. After any other failure the event may have been appended.
    const refused = error instanceof CommandRefused || error instanceof InvalidEvent;
    if (refused) await forgetOutdated(parts, subscriptionId, secretId);
    throw error;
  }
}

/**
 * Deletes secrets that the stream has named and no longer names, and `unused` unless it is a current one. Other
 * secrets may belong to an event that is about to be appended. Without a subscription, the data key of its address goes
 * too.
 */
async function forgetOutdated(
  { store, vault, personal }: SubscriptionParts,
  subscriptionId: string,
  unused?: string,
): Promise<void> {
  const history = await store.readStream(streamName(subscriptionStream, subscriptionId));
  const named = history.flatMap((event) => secretIdsOf(event.data as SubscriptionSnapshot));
  const newest = history.at(-1)?.data as SubscriptionSnapshot | undefined;
  const isThere = newest?.status !== 'deleted' && newest !== undefined;
  const current = isThere ? secretIdsOf(newest) : [];
  for (const secretId of new Set(unused === undefined ? named : [...named, unused])) {
    if (!current.includes(secretId)) await vault.delete(secretName(subscriptionId, secretId));
  }
  // Not in the erasure ledger: a backup from before the deletion brings back a subscription that needs its address.
  if (!isThere) await personal.discard(addressHolder(subscriptionId));
}

const secretIdsOf = ({ secret_id: present, next_secret_id: next }: SubscriptionSnapshot): string[] =>
  next === undefined ? [present] : [present, next];
