import { loadWithHistory } from './delivery-history.ts';
import { StoreError } from '../../stores/errors.ts';
import { appendOutcome, complete, type LoadedDelivery, type OpenAttempt } from './attempt-outcome.ts';
import { attemptJournal, deliveryOfAttempt } from './attempt-journal.ts';
import { becauseOfDelivery, type DispatchContext, type HeldShard } from '../context.ts';
import { journalGroupOf, journalGroupsOf } from '../lanes/shards.ts';
import { hasAborted } from '../../ground/retry.ts';

/** A shard whose open attempts are settled. */
export interface RecoveringShard extends HeldShard {
  readonly number: number;
}

/**
 * Settles the attempts that the previous owner of these shards left open: those with an outcome are recorded with it,
 * the others as interrupted. Must run before any attempt of our own, which would look the same.
 */
export async function recoverAttempts(
  dispatching: DispatchContext,
  shards: ReadonlyMap<number, RecoveringShard>,
  shardOf: (subscriptionId: string) => number,
): Promise<void> {
  const groups = [...shards.keys()].flatMap((number) => journalGroupsOf(number, dispatching.shards));
  for (const { id, value } of await attemptJournal(dispatching.side).listOpen(groups)) {
    const shard = shards.get(shardOf(value.subscription));
    if (!shard || shard.lost.aborted) continue;
    const open = {
      delivery: deliveryOfAttempt(id),
      group: journalGroupOf(value.subscription),
      entry: value,
    };
    await settled(dispatching, open, shard);
  }
}

async function settled(dispatching: DispatchContext, open: OpenAttempt, shard: HeldShard): Promise<void> {
  try {
    const { state, revision, history } = await loadWithHistory(dispatching.store, open.delivery);
    const because = becauseOfDelivery(history);
    if (state) await settleOpenAttempt(dispatching, { state, revision, because }, open, shard);
    else await withdraw(dispatching, open);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // An entry that cannot be settled delays only its own delivery, whose next attempt finds it again.
    dispatching.onFault(`attempt journal of delivery ${open.delivery}`)(error);
  }
}

const withdraw = ({ side }: DispatchContext, { delivery, group, entry }: OpenAttempt): Promise<void> =>
  attemptJournal(side).withdraw(group, `${delivery}/${entry.attempt}`);

/** Appends the outcome of an open attempt unless its event is there, and completes its entry. */
export async function settleOpenAttempt(
  dispatching: DispatchContext,
  loaded: LoadedDelivery,
  open: OpenAttempt,
  shard: HeldShard,
): Promise<void> {
  if (shard.lost.aborted) return;
  const { entry } = open;
  if (loaded.state.attempts < entry.attempt) await appendOutcome(dispatching, loaded, entry, entry.outcome);
  if (hasAborted(shard.lost)) return;
  await complete(dispatching, open, entry.outcome ? entry : { ...entry, interrupted: true });
}
