import { load } from '../../commands/command-handler.ts';
import { loadWithHistory } from './delivery-history.ts';
import { delivery } from '../../commands/webhooks/delivery.ts';
import { StoreError } from '../../stores/errors.ts';
import { appendOutcome, complete, type KnownDelivery, type OpenAttempt } from './attempt-outcome.ts';
import { attemptJournal, deliveryOfAttempt, formerNotes, type FormerNote } from './attempt-journal.ts';
import { becauseOfDelivery, hasAborted, type DispatchContext, type HeldShard } from '../context.ts';
import { journalGroupOf, journalGroupsOf } from '../lanes/shards.ts';

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
  await recoverFormerNotes(dispatching, shards, shardOf);
}

/** The notes of a release before the journal, which has just ended or still runs beside this one. */
async function recoverFormerNotes(
  dispatching: DispatchContext,
  shards: ReadonlyMap<number, RecoveringShard>,
  shardOf: (subscriptionId: string) => number,
): Promise<void> {
  const notes = formerNotes(dispatching.side);
  for (const { id, value } of await notes.list()) {
    const subscription = value.subscription ?? (await subscriptionOf(dispatching, id));
    const shard = subscription === undefined ? undefined : shards.get(shardOf(subscription));
    if (subscription !== undefined && (!shard || shard.lost.aborted)) continue;
    if (shard && subscription !== undefined)
      await settled(dispatching, asOpen(id, value, subscription), shard);
    if (!shard || !hasAborted(shard.lost)) await notes.delete(id);
  }
}

const asOpen = (delivery: string, note: FormerNote, subscription: string): OpenAttempt => ({
  delivery,
  group: journalGroupOf(subscription),
  entry: { attempt: note.attempt, subscription, started_at: note.started_at, trigger: 'schedule' },
});

async function subscriptionOf({ store }: DispatchContext, deliveryId: string): Promise<string | undefined> {
  const { state } = await load(store, delivery, deliveryId);
  return state?.scheduled.subscription;
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
  known: KnownDelivery,
  open: OpenAttempt,
  shard: HeldShard,
): Promise<void> {
  if (shard.lost.aborted) return;
  const { entry } = open;
  if (known.state.attempts < entry.attempt) await appendOutcome(dispatching, known, entry, entry.outcome);
  if (hasAborted(shard.lost)) return;
  await complete(dispatching, open, entry.outcome ? entry : { ...entry, interrupted: true });
}
