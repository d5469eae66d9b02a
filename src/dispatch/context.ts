import type { CommandContext } from '../events/metadata.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore, RecordedEvent } from '../stores/event-store/port.ts';
import type { Leases } from '../stores/leases/port.ts';
import type { SideStore } from '../stores/side/port.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { Supervision } from '../runtime/job.ts';
import { ReadCache } from './read-cache.ts';
import type { Sender } from './sender.ts';

/** What the dispatcher's parts work with. */
export interface DispatchContext {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly vault: Vault;
  readonly leases: Leases;
  readonly sender: Sender;
  /** Source events by their places, and signing secrets by their names. */
  readonly caches: { readonly events: ReadCache<RecordedEvent>; readonly secrets: ReadCache<string> };
  /**
   * Into how many shards subscriptions are divided; the same for all who share the stores. With one there is
   * nothing to divide: one dispatcher sends, and another waits for its lease.
   */
  readonly shards: number;
  /** Milliseconds before each attempt; the usual schedule when absent. */
  readonly delays?: readonly number[];
  readonly pauseRule: PauseRule;
  readonly now: () => Date;
  readonly random: () => number;
  /** Tells the operator of a fault on our side; answers what is to be done with the error. */
  readonly onFault: (what: string) => (error: unknown) => void;
  /** Tells the operator that so many events had not reached the fan-out, and have now. */
  readonly onRepaired: (events: number) => void;
}

/** What the dispatcher's background jobs are run with. */
export const supervisionOf = ({ side, leases, onFault }: DispatchContext): Supervision => ({
  side,
  leases,
  onFault: (job, error) => onFault(job)(error),
});

/** The right to make attempts for a shard, for as long as its lease is held. */
export interface HeldShard {
  /** Aborts when the lease is lost: from then on whatever concerns the shard is somebody else's to do. */
  readonly lost: AbortSignal;
  /** Work that an attempt need not wait for, but that must have ended before the lease is given back. */
  readonly trailing: (work: Promise<void>) => void;
}

/** When a subscription is paused by itself: every attempt failed for so long, and so many deliveries with it. */
export interface PauseRule {
  readonly afterMs: number;
  readonly deliveries: number;
}

/** Room for what a dispatcher is about at a time. */
export const emptyCaches = (): DispatchContext['caches'] => ({
  events: new ReadCache(200),
  secrets: new ReadCache(1_000),
});

export const pauseRule: PauseRule = { afterMs: 24 * 3_600_000, deliveries: 10 };

/** The dispatcher acts in its own name; what it does is caused by an event or an attempt that the id names. */
export function dispatcherContext(
  commandId: string,
  at: Date,
  because: { readonly correlationId?: string; readonly causationId?: string } = {},
): CommandContext {
  return { actor: { kind: 'system', id: 'dispatcher' }, commandId, at, ...because };
}
