import { isTeamClosed } from '../../commands/teams/team.ts';
import { loadNewest } from '../../commands/command-handler.ts';
import { secretName, subscription } from '../../commands/webhooks/subscription.ts';
import { openAddress } from '../../commands/webhooks/subscription-address.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { DispatchContext } from '../context.ts';

export type Recipient =
  | {
      readonly kind: 'active';
      /** Undefined: our own test receiver. */
      readonly url: string | undefined;
      readonly secret: string;
      readonly nextSecret?: string | undefined;
    }
  /** Nothing is sent. */
  | { readonly kind: 'paused' | 'gone' };

/** Reads that began since the event loop was last idle, by subscription. */
const begun = new WeakMap<EventStore, Map<string, Promise<Recipient>>>();

/**
 * The whole address of the subscription as it is now, and its secrets. A test delivery is sent also while the subscription is
 * paused. Of a closed team nothing is sent: its deliveries are held as those of a paused subscription.
 *
 * Attempts whose journal entries were written in one commit ask in one turn of the event loop, and share one read. Of an
 * earlier turn none is used: what was confirmed since has to count.
 */
export function recipientOf(
  dispatching: DispatchContext,
  subscriptionId: string,
  test: boolean,
): Promise<Recipient> {
  const { store } = dispatching;
  const key = `${test ? 'test' : 'usual'}/${subscriptionId}`;
  let ofThisTurn = begun.get(store);
  if (!ofThisTurn) {
    ofThisTurn = new Map();
    begun.set(store, ofThisTurn);
    process.nextTick(() => begun.delete(store));
  }
  const shared = ofThisTurn.get(key) ?? readRecipient(dispatching, subscriptionId, test);
  ofThisTurn.set(key, shared);
  return shared;
}

/** Reads everything again when the secret is rotated, or the subscription deleted, in between. */
async function readRecipient(
  { store, vault, personal, caches }: DispatchContext,
  subscriptionId: string,
  test: boolean,
): Promise<Recipient> {
  const secretOf = (secretId: string): Promise<string | undefined> => {
    const name = secretName(subscriptionId, secretId);
    return caches.secrets.of(name, async () => {
      const bytes = await vault.get(name);
      return bytes && Buffer.from(bytes).toString();
    });
  };
  for (let missing: string | undefined; ;) {
    const current = await loadNewest(store, subscription, subscriptionId);
    if (current === undefined || current.status === 'deleted') return { kind: 'gone' };
    if (current.status === 'paused' && !test) return { kind: 'paused' };
    if (await isTeamClosed(store, current.team)) return { kind: 'paused' };
    const { secret_id: present, next_secret_id: next } = current;
    const secret = await secretOf(present);
    // The present secret suffices to send. A next one that is lost cannot be activated.
    const nextSecret = next === undefined ? undefined : await secretOf(next);
    const isTest = current.test_receiver === true;
    const url = isTest
      ? undefined
      : await caches.secrets.of(current.url_sealed ?? '', () => openAddress(personal, current));
    if (secret !== undefined && (isTest || url !== undefined))
      return { kind: 'active', url, secret, nextSecret };
    if (missing === present) {
      const what = secret === undefined ? 'signing secret' : 'data key of the address';
      throw new Error(`The ${what} of subscription ${subscriptionId} is not in the vault.`);
    }
    missing = present;
  }
}
