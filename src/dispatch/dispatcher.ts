import type { DispatchContext } from './context.ts';
import { fanOut } from './fan-out.ts';
import { expireHeld } from './operations/expiry.ts';
import { sendPauseNotices } from './operations/pause-notices.ts';
import { LogFollower } from './log-follower.ts';
import { OwnedShards } from './lanes/owned-shards.ts';
import { assignShards } from './lanes/shard-assignment.ts';
import { runJob, type JobProgress } from '../ground/job.ts';
import { supervisionOf } from './context.ts';

/**
 * Runs the dispatcher: consumes events for the fan-out together with all other dispatchers, and makes all attempts
 * for the shards whose leases it holds. Recovers from outages of a store and lost leases. Resolves when the signal
 * aborts and the attempts under way have ended.
 *
 * @throws StoreError replaced, when the files of a store were replaced while in use
 */
export async function dispatch(dispatching: DispatchContext, signal: AbortSignal): Promise<void> {
  const { outbox } = dispatching;
  let held: OwnedShards | undefined;
  // What is scheduled here for a shard that is held here need not wait until the log brings it.
  const onScheduled: DispatchContext['onScheduled'] = (...scheduled) => held?.scheduledHere(...scheduled);
  const failed = new AbortController();
  const ends = AbortSignal.any([signal, failed.signal]);
  const job = (
    name: string,
    work: (signal: AbortSignal, progress: JobProgress) => Promise<void>,
    lease?: string,
  ) => runJob(supervisionOf(dispatching), { name, work, ...(lease === undefined ? {} : { lease }) }, ends);
  const parts = [
    // What others erase must not be sent.
    job('webhook-data-keys', (until, progress) => dispatching.personal.keepFresh(until, progress.succeeded)),
    job('webhook-fan-out', (until, progress) => fanOut({ ...dispatching, onScheduled }, until, progress)),
    job('webhook-sending', (until) => send(dispatching, until, (shards) => (held = shards))),
    ...(outbox
      ? [job('webhook-pause-notices', (until) => sendPauseNotices(dispatching, outbox, until))]
      : []),
    job('webhook-expiry', (until, progress) => expireHeld(dispatching, until, progress), 'webhook-expiry'),
  ];
  try {
    await Promise.all(parts);
  } finally {
    // When one part has failed permanently, the other must end before the stores are closed.
    failed.abort();
    await Promise.allSettled(parts);
    await dispatching.sender.close();
  }
}

/** Holds shards and sends for them until the signal aborts or the sending as a whole fails. */
async function send(
  dispatching: DispatchContext,
  signal: AbortSignal,
  onBegun: (held: OwnedShards) => void,
): Promise<void> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal]);
  const log = await LogFollower.fromNow(dispatching);
  const held = new OwnedShards(dispatching, log, failed.reject);
  onBegun(held);
  const parts = [log.follow((event) => held.route(event), ends), assignShards(dispatching, held, ends)];
  try {
    await Promise.race([failed.promise, Promise.all(parts)]);
  } finally {
    stop.abort();
    await Promise.allSettled(parts);
    await held.close();
  }
}
