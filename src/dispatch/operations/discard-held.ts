import { loadNewest } from '../../commands/command-handler.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { commandDelivery } from '../../commands/webhooks/delivery.ts';
import { subscription } from '../../commands/webhooks/subscription.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { DispatchContext } from '../context.ts';
import { batchesOf, type OnProgress } from './each-delivery.ts';
import { partOf } from './resend.ts';

/**
 * Discards what waits for a subscription that is paused or deleted. Returns how many deliveries. Their events can be
 * replayed later. @throws CommandRefused when the subscription is active, because then nothing is held
 */
export async function discardHeld(
  { store, documents }: Pick<DispatchContext, 'store' | 'documents'>,
  subscriptionId: string,
  context: CommandContext,
  onProgress: OnProgress = () => undefined,
): Promise<number> {
  const current = await loadNewest(store, subscription, subscriptionId);
  if (!current) throw new CommandRefused('not_found', 'There is no such webhook.');
  if (current.status === 'active') {
    throw new CommandRefused(
      'conflict',
      'The webhook is active, so no delivery is held. Pause it first to discard what still waits.',
    );
  }
  let discarded = 0;
  let done = 0;
  for await (const batch of batchesOf(documents, { subscription: subscriptionId, status: 'pending' })) {
    const outcomes = await Promise.all(
      batch.map(({ delivery }) =>
        commandDelivery(store, delivery, { kind: 'discard' }, partOf(context, delivery)),
      ),
    );
    discarded += outcomes.filter(({ events }) => events.length > 0).length;
    done += batch.length;
    onProgress(done);
  }
  return discarded;
}
