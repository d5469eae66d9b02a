import { Backoff } from '../../../ground/back-off.ts';
import { StoreError } from '../../errors.ts';
import { beginning, type Position } from '../port.ts';
import { isPassing } from '../reconciler.ts';
import { Consumer, type ConsumerOptions } from './consumer.ts';
import { failureOf, storeErrorOf } from './client-errors.ts';
import type { ServerFilter } from './namespace.ts';
import type { Membership } from './membership.ts';
import type { Server } from './server.ts';

/** Events in flight with one consumer beside those that are handled: new ones and those that wait for a retry. */
const heldBeside = 1_000;
/** How long the last acknowledgements may take to arrive. */
const settlingMs = 2_000;
/** After a membership this long, a failure counts as a new one. */
const worthyMs = 5_000;
/** After this many failures in a row a new client is created. */
const failuresForRenewal = 2;
/** After this long without a delivery we ask the server whether we are still a member. */
const silenceMs = 3_000;

export interface MembershipOptions extends ConsumerOptions {
  readonly name: string;
  readonly filter: ServerFilter;
  /** The position after which a new group begins. */
  readonly begin: () => Promise<Position>;
}

/**
 * Consumes as a member of a group until the signal aborts. Creates the group when it does not exist, and rejoins
 * after dropped connections.
 */
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
  const { name, underWay } = options;
  const backoff = new Backoff({ firstMs: 50, longestMs: 2_000 });
  let exists = false;
  let failures = 0;
  while (!work.signal.aborted) {
    const began = performance.now();
    try {
      if (!exists) await create(server, options);
      exists = true;
      await member(server, name, underWay + heldBeside, work);
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

/** One membership. Resolves when the signal has aborted and all events are settled. Throws when it is lost. */
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
  // A node that becomes leader may accept a consumer and then silently forget it.
  const watching = setInterval(() => {
    if (!heard)
      void isStillMember(membership).then((is) => is || left.reject(new Error('the group forgot us')));
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

async function isStillMember(membership: Membership): Promise<boolean> {
  try {
    return (await membership.out()) !== undefined;
  } catch (error) {
    // Without permission to ask we assume that we are still a member.
    return failureOf(error).kind === 'refused';
  }
}

/**
 * Leaving drops acknowledgements that are still on their way. So this waits until the server's count of in-flight
 * events is down to ours. A lost acknowledgement only causes one more delivery.
 */
async function settled(membership: Membership, consumer: Consumer): Promise<void> {
  const backoff = new Backoff({ firstMs: 2, longestMs: 100 });
  const until = performance.now() + settlingMs;
  try {
    while (((await membership.out()) ?? 0) > consumer.unsettled && performance.now() < until)
      await backoff.pause();
  } catch {
    // The server is down. It will deliver unacknowledged events again.
  }
}
