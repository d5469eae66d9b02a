import { loadNewest } from '../../commands/command-handler.ts';
import { secretName, subscription, type SubscriptionState } from '../../commands/webhooks/subscription.ts';
import type { DispatchContext } from '../context.ts';

type Standing = NonNullable<SubscriptionState>;

export type Recipient =
  | { readonly kind: 'active'; readonly standing: Standing; readonly secret: string }
  /** Nothing is sent. */
  | { readonly kind: 'paused' | 'gone' };

/**
 * The newest state of the subscription, and its secret. Reads both again when the secret is rotated in between. A test
 * delivery is sent also while the subscription is paused.
 */
export async function recipientOf(
  { store, vault, caches }: DispatchContext,
  subscriptionId: string,
  test: boolean,
): Promise<Recipient> {
  for (let missing: string | undefined; ;) {
    const standing = await loadNewest(store, subscription, subscriptionId);
    if (standing === undefined || standing.status === 'deleted') return { kind: 'gone' };
    if (standing.status === 'paused' && !test) return { kind: 'paused' };
    const name = secretName(subscriptionId, standing.secret_id);
    const secret = await caches.secrets.of(name, async () => {
      const bytes = await vault.get(name);
      return bytes && Buffer.from(bytes).toString();
    });
    if (secret !== undefined) return { kind: 'active', standing, secret };
    if (missing === standing.secret_id) {
      throw new Error(`The signing secret of subscription ${subscriptionId} is not in the vault.`);
    }
    missing = standing.secret_id;
  }
}
