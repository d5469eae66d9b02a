import type { SideTable } from '../side/port.ts';
import type { ConsumedEvent, ConsumeOptions, HandlerResult, Position, RecordedEvent } from './port.ts';

/** What an adapter provides for one consumer group. `consumeReliably` builds the port's guarantees on it. */
export interface GroupSource {
  /** The name of the group's lease and state. Unique to the group and the same in all processes. */
  readonly key: string;
  /**
   * The fast path: the store's own competing consumers. Delivers at least once, but may lose an event. A new group
   * begins after the position of `begin()`. Resolves when the signal aborts.
   */
  feed(options: FeedOptions): Promise<void>;
  /** The reliable path: the same events, read from the log in order. */
  follow(options: {
    readonly after: Position;
    readonly batchSize: number;
    readonly signal: AbortSignal;
  }): AsyncIterable<FollowedBatch>;
  /** Whether the group has consumed before, under this filter or another. */
  existed(): Promise<boolean>;
  /** The ids of events that are not to be handled: parked, or discarded after that. */
  setAsideIds(): Promise<ReadonlySet<string>>;
  park(event: RecordedEvent, attempts: number, reason: string): Promise<void>;
  head(): Promise<Position>;
}

export type FeedOptions = Required<
  Pick<ConsumeOptions, 'signal' | 'batchSize' | 'underWay' | 'maximumAttempts'>
> & {
  /** Returns a promise for each event, which never rejects. Each event is settled when its own resolves. */
  readonly handle: (events: readonly ConsumedEvent[]) => readonly Promise<HandlerResult>[];
  readonly begin: () => Promise<Position>;
};

export interface FollowedBatch {
  readonly events: readonly FollowedEvent[];
  /** Everything at or before this has been read. */
  readonly position: Position;
}

export interface FollowedEvent {
  readonly event: RecordedEvent;
  /** True for the replay of a parked event. The event itself is earlier in the log. */
  readonly replayed?: boolean;
}

/** State of consumer groups that the store's own groups do not keep, by id. Durable when a put resolves. */
export type GroupState = Pick<SideTable<unknown>, 'get' | 'put'>;
