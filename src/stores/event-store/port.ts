/**
 * The event store: streams of immutable events, and one order over all of them.
 *
 * Written from what EventStoreDB offers; every adapter passes test/contract/event-store.ts.
 */
export interface EventStore {
  /**
   * Appends all of `events` to `stream`, or none.
   *
   * With an expected revision a repeat of the same event ids at the same place is the same success, so a
   * write of unknown outcome may be repeated. Ids alone are compared, never types or data.
   *
   * @throws WrongExpectedRevision somebody appended first
   * @throws StoreError event_too_large (over `maximumEventBytes`), full, unavailable (see `outcome`)
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended>;

  /** Events of one stream in the order asked for; empty where there is no such stream. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]>;

  /** A page of the whole log, oldest first, after a position. */
  readAll(options: ReadAllOptions): Promise<EventBatch>;

  /**
   * Everything after a position and then whatever comes, in batches, in order, exactly once, until the signal
   * aborts. A batch without events moves the position on over a stretch that the filter left out.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch>;

  /**
   * Competing consumers: every event that the filter lets through reaches some consumer of the group at least once,
   * in no promised order, and whatever becomes of the server: what a store's own consumer groups lose is found by a
   * reconciler, some seconds later (`groups/reconciler.ts`). So a handler must find by a deterministic id what it
   * has done already. Resolves when the signal aborts.
   *
   * A new group begins with the first event ever. What is added to the filter of a group later (an event type, a
   * beginning of stream names) counts from then on, and its earlier events are not handed over.
   */
  consume(group: string, options: ConsumeOptions): Promise<void>;

  /** How far the reconciler of a group is; undefined before its first checkpoint. */
  consumerGroup(
    group: string,
    /** Counts only those of which it says yes. */
    where?: (event: RecordedEvent) => boolean,
  ): Promise<ConsumerGroup | undefined>;

  /** Where a group stands by what is kept of it beside the log; none where the log's own server keeps all of it. */
  groupPlaces(group: string): Promise<readonly GroupPlace[]>;

  /**
   * Notes which log the consumer groups follow that are kept beside it, unless it is noted already; answers what is
   * noted. What is noted as `formerly`, an older name of the same log, is noted anew.
   */
  recordGroupLog(log: string, formerly?: string): Promise<string>;

  /** Events that a group has set aside, oldest first. */
  parked(group: string): Promise<ParkedEvent[]>;

  /** Gives a group its parked events again, all or those named; answers how many. */
  replayParked(group: string, eventIds?: readonly string[]): Promise<number>;

  /** The position of the newest event, or `beginning`. */
  head(): Promise<Position>;

  /** The id of the event at exactly this position; undefined where none stands, as in another log. */
  eventIdAt(position: Position): Promise<string | undefined>;

  /** How many events lie after a position. */
  count(options: CountOptions): Promise<number>;

  close(): Promise<void>;
}

/** Opaque and ordered; a decimal string in JSON. What lies between two positions is nobody's business. */
export type Position = bigint;

/** Before the first event. */
export const beginning: Position = -1n;

/** The revision of the newest event the caller has seen (0 is the first), or that there must be none. */
export type ExpectedRevision = number | 'no_stream' | 'any';

/** Data and metadata of one event together, as UTF-8 JSON. EventStoreDB's default limit, kept everywhere. */
export const maximumEventBytes = 1_048_576;

/** Where an event stands. The same event at the same place in two logs: they are one log up to there. */
export interface EventPlace {
  readonly position: Position;
  readonly id: string;
}

export interface NewEvent {
  /** A UUID, deterministic where a repeat must be the same success. */
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

export interface RecordedEvent {
  readonly id: string;
  readonly stream: string;
  /** Place in its stream, from 0, without gaps. */
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Of the events appended: the last one's revision and position. */
export interface Appended {
  readonly revision: number;
  readonly position: Position;
}

export interface ReadStreamOptions {
  /** The first revision to read; default: the oldest forwards, the newest backwards. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

/** By exact type, or by what the stream's name starts with: the two that a server can filter by. */
export type EventFilter =
  { readonly types: readonly string[] } | { readonly streamPrefixes: readonly string[] };

export interface ReadAllOptions {
  readonly after: Position;
  readonly filter?: EventFilter;
  readonly limit: number;
}

export interface CountOptions {
  readonly after: Position;
  readonly filter?: EventFilter;
  /** Counts no further than this. */
  readonly atMost?: number;
  /** Counts only those of which it says yes. */
  readonly where?: (event: RecordedEvent) => boolean;
}

export interface EventBatch {
  readonly events: readonly RecordedEvent[];
  /** What the filter let through and is somebody else's (see OwnEvents). */
  readonly passedOver?: readonly RecordedEvent[];
  /** Everything at or before this has been seen, events left out by the filter included. */
  readonly position: Position;
}

export interface SubscribeOptions {
  readonly after: Position;
  readonly filter?: EventFilter;
  readonly signal: AbortSignal;
  /** The most events in one batch; default 1,000. */
  readonly batchSize?: number;
}

/**
 * What becomes of a consumed event. `retry` gives it back after a while. `changed` is false where there was nothing
 * to do, because it had been done before or the event is of no concern: such events are not counted as repaired.
 */
export type HandlerResult =
  | { readonly kind: 'ack'; readonly changed?: boolean }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly reason: string }
  | { readonly kind: 'park'; readonly reason: string };

export interface ConsumedEvent {
  readonly event: RecordedEvent;
  /** 1 the first time. */
  readonly attempt: number;
}

export interface ConsumeOptions {
  readonly filter: EventFilter;
  readonly signal: AbortSignal;
  /** The most events handed over at once; default 100. */
  readonly batchSize?: number;
  /**
   * Handles some events; answers a verdict for each, in order. A handler that throws is given all of them
   * again; after `maximumAttempts` (default 10) an event is parked.
   */
  readonly handle: (events: readonly ConsumedEvent[]) => Promise<readonly HandlerResult[]>;
  readonly maximumAttempts?: number;
  /** Hands over only those of which it says yes; the rest is passed over. */
  readonly where?: (event: RecordedEvent) => boolean;
  /**
   * Of a group that was at work before its announcements were noted: what its filter was then (default: the same).
   * The rest of the filter counts from now on.
   */
  readonly formerParts?: readonly string[];
  /** Told how many events the reconciler has had handled that the group had not been handed. */
  readonly onRepaired?: (events: number) => void;
}

/** How far a group's reconciler is. */
export interface ConsumerGroup {
  /** Every event at or before this has been handled or is parked. */
  readonly checkpoint: Position;
  /** What lies after it: how many events (100,000 at most), and how old the oldest is by its `metadata.at`. */
  readonly lag: { readonly events: number; readonly seconds: number };
  /** Events that the group had not been handed, ever since it has a reconciler. */
  readonly repaired: number;
  /** ISO 8601 UTC. */
  readonly repairedAt?: string;
}

/** How far a consumer group is, or a part of it that goes on by itself. */
export interface GroupPlace {
  readonly checkpoint: Position;
  /** The last event of the group's that it was handed; tells a log that went another way. */
  readonly lastEvent?: EventPlace;
  readonly filter?: EventFilter;
}

export interface ParkedEvent {
  readonly event: RecordedEvent;
  readonly attempts: number;
  readonly reason: string;
  /** ISO 8601 UTC. */
  readonly parkedAt: string;
}
