import { setTimeout as sleep } from 'node:timers/promises';
import { load } from '../commands/command-handler.ts';
import { commandDelivery, delivery } from '../commands/webhooks/delivery.ts';
import { uuidOf } from '../events/ids.ts';
import { attemptJournal } from './attempt-journal.ts';
import { bodyOf, recipientOf } from './attempt-input.ts';
import {
  recordErased,
  recordInterruptedAttempt,
  recordOutcome,
  type AttemptResult,
} from './attempt-outcome.ts';
import { pauseIfFailing } from './auto-pause.ts';
import { dispatcherContext, type DispatchContext, type HeldShard } from './context.ts';
import { isAcknowledged } from './sending/sender.ts';
import { signHeaders } from './signature.ts';

const standstillMs = 1_000;

/**
 * Makes one attempt: reads the streams of delivery and subscription, writes an attempt journal entry, sends, and
 * appends the outcome. Sends only when the delivery is pending and due and the subscription is active.
 *
 * Sends nothing once the lease is lost, and aborts the request under way. The next holder of the lease waits longer
 * than that takes, and then records the journal entry as an interrupted attempt.
 */
export async function attempt(
  dispatching: DispatchContext,
  deliveryId: string,
  shard: HeldShard,
): Promise<AttemptResult> {
  const { store, side, now } = dispatching;
  const { state, revision } = await load(store, delivery, deliveryId);
  if (state?.status !== 'pending') return { kind: 'settled' };
  if (state.dueAt !== undefined && new Date(state.dueAt) > now())
    return { kind: 'due', at: new Date(state.dueAt) };

  const noted = attemptJournal(side);
  const left = await noted.get(deliveryId);
  if (left && left.attempt > state.attempts) {
    // The attempt was made and its outcome could not be recorded: it counts as interrupted, as after a crash.
    await recordInterruptedAttempt(dispatching, deliveryId, left, shard);
    return shard.lost.aborted ? { kind: 'lost' } : attempt(dispatching, deliveryId, shard);
  }
  const { scheduled } = state;
  const number = state.attempts + 1;
  const rendered = await bodyOf(dispatching, scheduled);
  if (rendered.kind === 'erased') {
    await recordErased(dispatching, deliveryId, revision);
    return { kind: 'settled' };
  }
  const { body } = rendered;
  const startedAt = now();
  const begun = performance.now();
  if (shard.lost.aborted) return { kind: 'lost' };
  await noted.put(deliveryId, {
    attempt: number,
    started_at: startedAt.toISOString(),
    subscription: scheduled.subscription,
  });
  /** Not when the lease is lost: the entry may then belong to the next holder's attempt. */
  const withdraw = async () => {
    if (!shard.lost.aborted) await noted.delete(deliveryId);
  };
  // Read after the journal entry, just before sending, so that a confirmed pause or rotation applies.
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
  if (hasAborted(shard.lost)) return { kind: 'lost' };
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
    signal: shard.lost,
  });
  if (outcome.kind === 'failed' && outcome.reason === 'aborted') return { kind: 'lost' };
  const result = await recordOutcome(dispatching, { state, revision }, number, startedAt, outcome);
  // An entry that outlives its outcome is harmless, so the removal is not awaited.
  shard.trailing(withdraw().catch(dispatching.onFault('attempt note')));
  if (!isAcknowledged(outcome)) await pauseIfFailing(dispatching, scheduled.subscription, outcome);
  return result;
}

/**
 * After a pause of the process (suspended machine, long garbage collection), lets timers run before going on: one
 * of them reports a lost lease.
 */
async function timersAfterStandstill(since: number): Promise<void> {
  if (performance.now() - since > standstillMs) await sleep(0);
}

/** A function, because TypeScript narrows `signal.aborted` across awaits. */
const hasAborted = (signal: AbortSignal): boolean => signal.aborted;

async function discard({ store, now }: DispatchContext, deliveryId: string): Promise<AttemptResult> {
  await commandDelivery(
    store,
    deliveryId,
    { kind: 'discard' },
    dispatcherContext(uuidOf('discard', deliveryId), now()),
  );
  return { kind: 'settled' };
}
