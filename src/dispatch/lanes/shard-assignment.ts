import { pause } from '../../ground/back-off.ts';
import type { Lease } from '../../stores/leases/port.ts';
import type { OwnedShards } from './owned-shards.ts';
import { heartbeatMs, DispatcherRegistry } from './dispatcher-registry.ts';
import { runJob, type JobProgress } from '../../ground/job.ts';
import { supervisionOf, type DispatchContext } from '../context.ts';
import { fairShare, shardLease } from './shards.ts';

/** Takes and releases shards until the signal aborts. The caller then releases the rest. */
export function assignShards(
  dispatching: DispatchContext,
  held: OwnedShards,
  signal: AbortSignal,
): Promise<void> {
  return dispatching.shards === 1
    ? holdOnlyShard(dispatching, held, signal)
    : holdShare(dispatching, held, signal);
}

/** With a single shard the lease alone decides who sends; no registry is needed. */
async function holdOnlyShard(
  { leases }: DispatchContext,
  held: OwnedShards,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const lease = await leases.acquire(shardLease(0), signal);
    if (!lease) return;
    held.gain(new Map([[0, lease]]));
    await aborted(AbortSignal.any([signal, lease.lost]));
    if (signal.aborted) return;
    await held.left(0);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Holds our share of the shards among the live dispatchers. Every second each dispatcher renews its entry and reads
 * the others. With more than its share it releases shards; with less it takes free ones and keeps trying: the lease
 * of a dead holder becomes free after a challenger has watched it long enough.
 */
async function holdShare(
  dispatching: DispatchContext,
  held: OwnedShards,
  signal: AbortSignal,
): Promise<void> {
  const { shards, side, now, onFault } = dispatching;
  const registry = new DispatcherRegistry({ side, now });
  const share = async (_signal: AbortSignal, progress: JobProgress) => {
    while (!signal.aborted) {
      const { certain, possible } = await registry.announce();
      const tooMany = held.count - fairShare(shards, possible, registry.id);
      if (tooMany > 0) held.giveBack(tooMany);
      await takeShards(dispatching, held, fairShare(shards, certain, registry.id) - held.count, signal);
      progress.succeeded();
      await pause(heartbeatMs, signal);
    }
  };
  try {
    await runJob(
      supervisionOf(dispatching),
      { name: 'webhook-shards', work: share, longestMs: 5_000 },
      signal,
    );
  } finally {
    await registry.leave().catch(onFault('leaving the other dispatchers'));
  }
}

/** Takes up to `wanted` free shards. */
async function takeShards(
  { leases, shards, random }: DispatchContext,
  held: OwnedShards,
  wanted: number,
  signal: AbortSignal,
): Promise<void> {
  // Starts at a random shard, so that two new dispatchers do not compete for the same ones.
  const first = Math.floor(random() * shards);
  const untried = Array.from({ length: shards }, (_, n) => (first + n) % shards).filter((n) =>
    held.isFree(n),
  );
  for (let missing = wanted; missing > 0 && untried.length > 0 && !signal.aborted;) {
    const tried = untried.splice(0, missing);
    const outcomes = await Promise.allSettled(tried.map((n) => leases.tryAcquire(shardLease(n))));
    const gained = new Map<number, Lease>();
    for (const [index, outcome] of outcomes.entries()) {
      const number = tried[index];
      if (number === undefined || outcome.status === 'rejected' || !outcome.value) continue;
      gained.set(number, outcome.value);
    }
    if (gained.size > 0) held.gain(gained);
    missing -= gained.size;
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
