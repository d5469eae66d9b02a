import { StoreError } from '../../errors.ts';
import { beginning, type Position } from '../port.ts';
import { isPassing } from '../groups/reconciler.ts';
import { Consumer, type ConsumerOptions } from './consumer.ts';
import { failureOf, storeErrorOf } from './errors.ts';
import { Backoff } from './retry.ts';
import type { ServerFilter } from './scope.ts';
import type { Membership, Server } from './server.ts';

/** Events out with one consumer: room for those that wait for another attempt beside those that come. */
const heldAtLeast = 1_000;
/** How long the last acknowledgements are given to arrive. */
const settlingMs = 2_000;
/** A membership that has lasted this long ends for a new reason. */
const worthyMs = 5_000;
/** After so many failures in a row the client is made anew. */
const failuresForRenewal = 2;
/** After this long without a delivery the server is asked whether it still knows us. */
const silenceMs = 3_000;

export interface MembershipOptions extends ConsumerOptions {
  readonly name: string;
  readonly filter: ServerFilter;
  /** After which place a group begins that is not there yet. */
  readonly begin: () => Promise<Position>;
}

/** Competes in a group, which is made when it is not there, across dropped connections, until the signal aborts. */
export async function consumeFrom(server: Server, options: MembershipOptions): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  options.signal.addEventListener('abort', end, { once: true });
  if (options.signal.aborted) end();
  const consumer = new Consumer({ ...options, signal: stop.signal });
  const handling = consumer.run();
  try {
    await stayMember(server, options, { consumer, handling, signal: stop.signal });
  } finally {
    options.signal.removeEventListener('abort', end);
    end();
    await handling;
  }
}

interface Work {
  readonly consumer: Consumer;
  /** Resolves when the last batch has been handled after the signal aborted. */
  readonly handling: Promise<void>;
  readonly signal: AbortSignal;
}

async function stayMember(server: Server, options: MembershipOptions, work: Work): Promise<void> {
  const { name, batchSize } = options;
  const backoff = new Backoff(50, 2_000);
  let exists = false;
  let failures = 0;
  while (!work.signal.aborted) {
    const began = performance.now();
    try {
      if (!exists) await create(server, options);
      exists = true;
      await member(server, name, Math.max(heldAtLeast, 4 * batchSize), work);
    } catch (error) {
      if (error instanceof StoreError && !isPassing(error)) throw error;
      const failure = failureOf(error);
      if (failure.kind === 'no_group') exists = false;
      else if (failure.kind !== 'away') throw storeErrorOf(failure, name, error);
      if (performance.now() - began > worthyMs) {
        backoff.reset();
        failures = 0;
      }
      failures += 1;
      if (failures % failuresForRenewal === 0) server.renew();
      await backoff.pause(work.signal);
    }
  }
}

async function create(server: Server, { name, filter, begin }: MembershipOptions): Promise<void> {
  const after = await begin();
  try {
    await server.createGroup(name, filter, after === beginning ? 'start' : after);
  } catch (error) {
    if (failureOf(error).kind !== 'group_exists') throw error;
  }
}

/** One membership: resolves when the signal has aborted and all is settled, throws when it is lost. */
async function member(
  server: Server,
  name: string,
  held: number,
  { consumer, handling, signal }: Work,
): Promise<void> {
  const left = Promise.withResolvers<undefined>();
  const end = () => left.resolve(undefined);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let heard = false;
  const membership = server.join(name, held, {
    delivered: (entry, retryCount) => {
      heard = true;
      consumer.delivered(entry, retryCount);
    },
    failed: (error) => left.reject(error),
  });
  consumer.joined(membership);
  // A node that is about to lead may take a consumer in and forget it, without a word.
  const watching = setInterval(() => {
    if (!heard) void known(membership).then((is) => is || left.reject(new Error('the group forgot us')));
    heard = false;
  }, silenceMs);
  try {
    await left.promise;
    await handling;
    await settled(membership, consumer);
  } finally {
    clearInterval(watching);
    signal.removeEventListener('abort', end);
    consumer.lost();
    membership.leave();
  }
}

async function known(membership: Membership): Promise<boolean> {
  try {
    return (await membership.out()) !== undefined;
  } catch (error) {
    // Who may not ask cannot know.
    return failureOf(error).kind === 'refused';
  }
}

/**
 * Leaving cuts the connection, with whatever is still on its way: waits until the server has as few events out
 * with us as we have not settled. What it misses is only handed out once more.
 */
async function settled(membership: Membership, consumer: Consumer): Promise<void> {
  const backoff = new Backoff(2, 100);
  const until = performance.now() + settlingMs;
  try {
    while (((await membership.out()) ?? 0) > consumer.unsettled && performance.now() < until)
      await backoff.pause();
  } catch {
    // The server is away, and hands out again what it has not heard of.
  }
}
