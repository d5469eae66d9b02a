/**
 * The event store: streams of immutable events, and one order over all of them.
 *
 * Written from what EventStoreDB offers; every adapter passes test/contract/event-store.ts.
 *
 * Over 300 lines: a port is read in one place.
 */
export interface EventStore {
  /**
   * Appends all of `events` to `stream`, or none.
   *
   * Idempotent with an expected revision: repeating the same event ids at the same revision returns the same
   * result, so a write of unknown outcome may be repeated. Only ids are compared, never types or data.
   *
   * @throws WrongExpectedRevision somebody appended first
   * @throws StoreError event_too_large (over `maximumEventBytes`), full, unavailable (see `outcome`)
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended>;

  /** Events of one stream, in the requested order. Empty when the stream does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]>;

  /**
   * Events of several streams: stream by stream in the order of their names here, each from its first revision. Streams that
   * do not exist have none.
   */
  readStreams(streams: readonly string[], options?: ReadStreamsOptions): Promise<RecordedEvent[]>;

  /** A page of the whole log, oldest first, after a position. */
  readAll(options: ReadAllOptions): Promise<EventBatch>;

  /**
   * The same page without a filter, with data and metadata as JSON texts: cheaper for whoever looks at their bytes alone. A
   * text that was changed outside the store may be no JSON.
   */
  readTexts(options: Omit<ReadAllOptions, 'filter'>): Promise<TextBatch>;

  /**
   * Reads the newest `limit` events of the whole log, backwards from its end, and returns those that this store shows,
   * oldest first. Needs no position: what lies between two positions is the adapter's to know.
   */
  readNewest(limit: number): Promise<RecordedEvent[]>;

  /**
   * Catch-up subscription: everything after a position and then new events, in batches, in order, exactly once,
   * until the signal aborts. A batch without events advances the position past events that the filter left out.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch>;

  /**
   * Competing consumers: every event that matches the filter reaches some consumer of the group at least once, in
   * no guaranteed order. Events that a server's own consumer groups lose are found by a reconciler some seconds
   * later (`groups/reconciler.ts`). So handlers must be idempotent, by deterministic ids. Resolves when the signal
   * aborts.
   *
   * A new group begins with the first event. An event type or stream prefix that is added to the filter later
   * counts from then on; its earlier events are not delivered.
   */
  consume(group: string, options: ConsumeOptions): Promise<void>;

  /** The progress of a group's reconciler. Undefined before its first checkpoint. */
  consumerGroup(
    group: string,
    /** Counts only events for which it returns true. */
    where?: (event: RecordedEvent) => boolean,
  ): Promise<ConsumerGroup | undefined>;

  /** The positions of a group that are stored outside the log. Empty when the log's server stores all of them. */
  groupPlaces(group: string): Promise<readonly GroupPlace[]>;

  /** Records which log the consumer groups follow, unless it is recorded already. Returns the recorded log. */
  recordGroupLog(log: string): Promise<string>;

  /** Parked events of a group, oldest first. */
  parked(group: string): Promise<ParkedEvent[]>;

  /** How many events of a group are parked. Cheaper than reading them. */
  countParked(group: string): Promise<number>;

  /** How many events are with a consumer of a group and have no result yet. 0 when nobody consumes. */
  inFlight(group: string): Promise<number>;

  /** Delivers parked events to a group again, all or those named. Returns how many. */
  replayParked(group: string, eventIds?: readonly string[]): Promise<number>;

  /** Gives up parked events of a group for good, all or those named: they are never delivered again. Returns how many. */
  discardParked(group: string, eventIds?: readonly string[]): Promise<number>;

  /** The position of the newest event, or `beginning`. */
  head(): Promise<Position>;

  /** The id of the event at exactly this position. Undefined when there is none, as in a different log. */
  eventIdAt(position: Position): Promise<string | undefined>;

  /** How many events lie after a position. */
  count(options: CountOptions): Promise<number>;

  /**
   * Where a server was told to drop events: limits on streams, and deleted streams, as they are now. `$all` stands for
   * all streams. Empty where events cannot be dropped.
   */
  streamLimits(): Promise<readonly StreamLimit[]>;

  close(): Promise<void>;
}

/**
 * A position in the log: opaque and ordered. A decimal string in JSON. Positions need not be consecutive, and nothing is
 * computed from them: a store may refuse to read from a position at which no event stands.
 */
export type Position = bigint;

/** Before the first event. */
export const beginning: Position = -1n;

/**
 * The revision of the newest event that the caller has seen (0 is the first). `no_stream`: the stream must be
 * empty.
 */
export type ExpectedRevision = number | 'no_stream' | 'any';

/** Data and metadata of one event together, as UTF-8 JSON. EventStoreDB's default limit, kept everywhere. */
export const maximumEventBytes = 1_048_576;

/** An event and its position. Two logs with the same event at the same position are the same log up to there. */
export interface EventPlace {
  readonly position: Position;
  readonly id: string;
}

export interface NewEvent {
  /** A UUID. Deterministic where a repeated append must be idempotent. */
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

/** An event with its data and metadata as JSON texts. */
export interface EventText extends Omit<RecordedEvent, 'data' | 'metadata'> {
  readonly data: string;
  readonly metadata: string;
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

/** By exact type or by stream prefix: the two filters that a server supports. */
export type EventFilter =
  { readonly types: readonly string[] } | { readonly streamPrefixes: readonly string[] };

export interface ReadStreamsOptions {
  /** Up to this position, inclusive. Default: all events. */
  readonly upTo?: Position;
  /** Of these types alone. */
  readonly types?: readonly string[];
}

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
  /** Counts only events for which it returns true. */
  readonly where?: (event: RecordedEvent) => boolean;
}

export interface EventBatch {
  readonly events: readonly RecordedEvent[];
  /** Matching events of other installations (see OwnEvents). */
  readonly foreign?: readonly RecordedEvent[];
  /** Everything at or before this has been read, including events that the filter left out. */
  readonly position: Position;
}

/** See `EventBatch`. */
export interface TextBatch {
  readonly events: readonly EventText[];
  readonly foreign?: readonly EventText[];
  readonly position: Position;
}

/** The log after a position in pages, up to its end, or to the page that reaches `upTo`. */
export async function* pagesOf(
  store: Pick<EventStore, 'readAll'>,
  { after = beginning, upTo, ...options }: Partial<ReadAllOptions> & { upTo?: Position; limit: number },
): AsyncGenerator<EventBatch> {
  for (let position = after; upTo === undefined || position < upTo;) {
    const page = await store.readAll({ after: position, ...options });
    if (page.position <= position) return;
    yield page;
    position = page.position;
  }
}

export interface SubscribeOptions {
  readonly after: Position;
  readonly filter?: EventFilter;
  readonly signal: AbortSignal;
  /** The most events in one batch; default 1,000. */
  readonly batchSize?: number;
}

/**
 * The handler's result for one event. `retry` delivers it again later, `park` sets it aside. `changed` is false
 * when there was nothing to do: such events are not counted as repaired.
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
  /** The most events in one batch; default 100. */
  readonly batchSize?: number;
  /**
   * The most events that this consumer has and that have no result yet; default `batchSize`. While fewer are under way,
   * the next batch is delivered.
   */
  readonly underWay?: number;
  /**
   * Handles a batch. Returns one result for each event, in order: the result itself, or a promise of it for an event that
   * takes longer. An event stays under way until its own result, so a long one does not hold up the others. When the
   * handler throws or a promise rejects, the events without a result are delivered again; after `maximumAttempts`
   * (default 10) an event is parked.
   */
  readonly handle: (
    events: readonly ConsumedEvent[],
  ) => Promise<readonly (HandlerResult | Promise<HandlerResult>)[]>;
  readonly maximumAttempts?: number;
  /** Delivers only events for which it returns true. */
  readonly where?: (event: RecordedEvent) => boolean;
  /** Called with the number of events that the group had missed and the reconciler has had handled. */
  readonly onRepaired?: (events: number) => void;
}

/** The progress of a group's reconciler. */
export interface ConsumerGroup {
  /** Every event at or before this has been handled or is parked. */
  readonly checkpoint: Position;
  /** The events after it: how many (at most 100,000), and the age of the oldest by its `metadata.at`. */
  readonly lag: { readonly events: number; readonly seconds: number };
  /** Events that the group had missed, in total. */
  readonly repaired: number;
  /** ISO 8601 UTC. */
  readonly repairedAt?: string;
}

/** The position of a consumer group, or of its reconciler. */
export interface GroupPlace {
  readonly checkpoint: Position;
  /** The last event that was delivered. A different event there means a different log. */
  readonly lastEvent?: EventPlace;
  readonly filter?: EventFilter;
  /** Of the reconciler: the events that the group had missed, in total, and when the last was found (ISO 8601 UTC). */
  readonly repaired?: number;
  readonly repairedAt?: string;
}

export interface ParkedEvent {
  readonly event: RecordedEvent;
  readonly attempts: number;
  readonly reason: string;
  /** ISO 8601 UTC. */
  readonly parkedAt: string;
}

/** Why a server may drop events of a stream. */
export interface StreamLimit {
  readonly stream: string;
  readonly kind: 'maxAge' | 'maxCount' | 'truncateBefore' | 'deleted';
  /** Seconds, events, or the first revision that is kept. */
  readonly value?: number;
}
