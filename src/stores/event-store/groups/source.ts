import type { SideTable } from '../../side/port.ts';
import type { ConsumeOptions, Position, RecordedEvent } from '../port.ts';

/** What an adapter offers for one consumer group. `consumeCertainly` makes of it what the port promises. */
export interface GroupSource {
  /** Names the group's lease and notes: the same for all who share the group, and for nobody else. */
  readonly key: string;
  /**
   * The fast way: competing consumers, as the store has them. It may lose an event, and hands one over at least
   * once otherwise. A group that the store does not know yet begins after `begin()`. Resolves when the signal
   * aborts.
   */
  feed(options: FeedOptions): Promise<void>;
  /** The sure way: what the feed is made from, in the order of the log. */
  follow(options: {
    readonly after: Position;
    readonly batchSize: number;
    readonly signal: AbortSignal;
  }): AsyncIterable<FollowedBatch>;
  /** Whether the group has consumed before, under this filter or another. */
  existed(): Promise<boolean>;
  /** The ids of those events that are set aside. */
  parkedIds(): Promise<ReadonlySet<string>>;
  park(event: RecordedEvent, attempts: number, reason: string): Promise<void>;
  head(): Promise<Position>;
}

/** `handle` never throws. */
export type FeedOptions = Required<
  Pick<ConsumeOptions, 'signal' | 'batchSize' | 'handle' | 'maximumAttempts'>
> & { readonly begin: () => Promise<Position> };

export interface FollowedBatch {
  readonly events: readonly FollowedEvent[];
  /** Everything at or before this has been seen. */
  readonly position: Position;
}

export interface FollowedEvent {
  readonly event: RecordedEvent;
  /** It stands here because somebody asked for it again, and in the log somewhere before. */
  readonly replayed?: boolean;
}

/** What consumer groups remember beside the store's own books, by id. Durable when a put resolves. */
export type GroupState = Pick<SideTable<unknown>, 'get' | 'put'>;
