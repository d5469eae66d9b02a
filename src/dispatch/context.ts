import type { CommandContext } from '../events/metadata.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore, Position, RecordedEvent } from '../stores/event-store/port.ts';
import type { Leases } from '../stores/leases/port.ts';
import type { ScheduledDelivery } from '../commands/webhooks/delivery.ts';
import type { SideStore } from '../stores/side/port.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { Supervision } from '../ground/job.ts';
import type { SetTimer } from './lanes/shard-timer.ts';
import type { PauseRule } from './delivery-policy.ts';
import { ReadCache } from './read-cache.ts';
import type { Sender } from './attempts/sender.ts';

/** Where notices are put. The outbox of mails is one. */
export interface NoticeOutbox {
  /** Puts a mail unless one with this key was put before, even if it was sent since. */
  putOnce(
    mail: { readonly to: string; readonly subject: string; readonly text: string },
    once: { readonly key: string; readonly at: Date; readonly until: Date },
  ): Promise<void>;
}

/** The dependencies of the dispatcher's parts. */
export interface DispatchContext {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly vault: Vault;
  /** Opens the personal data of source events. */
  readonly personal: PersonalData;
  readonly leases: Leases;
  readonly sender: Sender;
  /**
   * Caches of source events by stream and revision, and of signing secrets by name and addresses by what they are sealed
   * to.
   */
  readonly caches: { readonly events: ReadCache<RecordedEvent>; readonly secrets: ReadCache<string> };
  /**
   * The number of shards, the same for all processes that share the stores. With one shard, one dispatcher sends
   * and the others wait for its lease.
   */
  readonly shards: number;
  /** Milliseconds before each attempt. Default: the standard schedule. */
  readonly delays?: readonly number[];
  readonly pauseRule: PauseRule;
  /** How long a delivery is held while its subscription is paused, in milliseconds. Default: see policy.ts. */
  readonly heldMs?: number;
  /** Where admins are told of a pause. Without it nobody is told. */
  readonly outbox?: NoticeOutbox;
  /** The address of the service, for links in these mails. */
  readonly base?: string;
  /** In which they say when something happened. Default: UTC. */
  readonly timeZone?: string | undefined;
  /** The most attempts under way. Default: `attemptsUnderWay`. */
  readonly attemptsUnderWay?: number;
  /** Replaces `setTimeout` for due times, in tests with time under control. */
  readonly setTimer?: SetTimer;
  readonly now: () => Date;
  readonly random: () => number;
  /** Returns a function that reports an error on our side to the operator. */
  readonly onFault: (what: string) => (error: unknown) => void;
  /** Reports that the reconciler has handled this many events that the fan-out had missed. */
  readonly onRepaired: (events: number) => void;
  /** Gets each delivery that the fan-out has scheduled, before the log brings it. `dispatch` passes it on to its lanes. */
  readonly onScheduled?: (scheduled: FreshDelivery, position: Position) => void;
}

/** The dependencies of the dispatcher's background jobs. */
export const supervisionOf = ({ side, leases, onFault }: DispatchContext): Supervision => ({
  side,
  leases,
  onFault: (job, error) => onFault(job)(error),
});

/** The right to make attempts for a shard, for as long as its lease is held. */
export interface HeldShard {
  /** Aborts when the lease is lost: another dispatcher then owns the shard. */
  readonly lost: AbortSignal;
  /** Registers work that the attempt does not await, but that must end before the lease is released. */
  readonly trailing: (work: Promise<void>) => void;
}

/** Caches for the deliveries that are sent at one time. */
export const emptyCaches = (): DispatchContext['caches'] => ({
  events: new ReadCache(200),
  secrets: new ReadCache(2_000),
});

/** The request that events of the dispatcher belong to, and the event that caused them. */
export type Because = Pick<CommandContext, 'correlationId' | 'causationId'>;

/** What the event that scheduled a delivery says. */
export interface FreshDelivery extends ScheduledDelivery {
  readonly because: Because;
  /** Its body, where it was rendered here and is about nobody: what is about a person is opened when it is sent. */
  readonly body?: string;
}

/** Because of this event. */
export const becauseOf = ({ id, metadata }: Pick<RecordedEvent, 'id' | 'metadata'>): Because => ({
  correlationId: String(metadata['correlation_id']),
  causationId: id,
});

/** What happens to a delivery happens because it was scheduled, or because somebody asked for it again since. */
export function becauseOfDelivery(history: readonly RecordedEvent[]): Because {
  const cause = history.findLast(({ type }) => type === 'DeliveryScheduled' || type === 'DeliveryResent');
  return cause ? becauseOf(cause) : {};
}

/**
 * The command context of the dispatcher. The command id is derived from the event or attempt that causes the
 * command.
 */
export function dispatcherContext(commandId: string, at: Date, because: Because): CommandContext {
  return { actor: { kind: 'system', id: 'dispatcher' }, commandId, at, ...because };
}
