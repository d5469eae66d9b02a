import type {
  Appended,
  ConsumeOptions,
  ConsumerGroup,
  CountOptions,
  EventBatch,
  EventStore,
  EventText,
  GroupPlace,
  ExpectedRevision,
  NewEvent,
  ParkedEvent,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  ReadStreamsOptions,
  RecordedEvent,
  StreamLimit,
  SubscribeOptions,
  TextBatch,
} from './port.ts';
import { appends, type MeasuredAppend } from '../measured.ts';

/** The owner of the events that a store shows, in a log that others may write to as well. */
export interface EventOwner {
  /** The owner's id in its events. Undefined while it has none. */
  id(): Promise<string | undefined>;
  /** The owner's id. Assigns one when there is none. */
  ensureId(): Promise<string>;
  owns(event: RecordedEvent, id: string | undefined): boolean;
  /** The same of an event in texts. True also for metadata that is no JSON: then it was changed outside the store. */
  ownsText(event: EventText, id: string | undefined): boolean;
  /** Metadata with the owner's id added. */
  mark(metadata: unknown, id: string): unknown;
}

/** A check before each append, which may refuse events for now. */
export interface AppendCheck {
  /** @throws StoreError unavailable */
  check(events: readonly NewEvent[]): Promise<void>;
}

/**
 * An event store that shows only its owner's events. Other events in the log are skipped, and reported as `foreign`
 * of a batch only. Appended events are marked as the owner's.
 */
export class OwnEvents implements EventStore {
  readonly #log: EventStore;
  readonly #owner: EventOwner;
  readonly #appendCheck: AppendCheck | undefined;

  constructor(log: EventStore, owner: EventOwner, appendCheck?: AppendCheck) {
    this.#log = log;
    this.#owner = owner;
    this.#appendCheck = appendCheck;
  }

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    await this.#appendCheck?.check(events);
    const id = await this.#owner.ensureId();
    const marked = events.map((event) => ({ ...event, metadata: this.#owner.mark(event.metadata, id) }));
    return appends.hasSubscribers
      ? this.#measured(marked, () => this.#log.append(stream, marked, expected))
      : this.#log.append(stream, marked, expected);
  }

  async readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]> {
    const events = await this.#log.readStream(stream, options);
    return events.length === 0 ? events : events.filter(await this.#owns());
  }

  async readStreams(streams: readonly string[], options?: ReadStreamsOptions): Promise<RecordedEvent[]> {
    const events = await this.#log.readStreams(streams, options);
    return events.length === 0 ? events : events.filter(await this.#owns());
  }

  async readTexts(options: Omit<ReadAllOptions, 'filter'>): Promise<TextBatch> {
    const batch = await this.#log.readTexts(options);
    if (batch.events.length === 0) return batch;
    const id = await this.#owner.id();
    const foreign = batch.events.filter((event) => !this.#owner.ownsText(event, id));
    if (foreign.length === 0) return batch;
    const others = new Set(foreign);
    return { ...batch, events: batch.events.filter((event) => !others.has(event)), foreign };
  }

  async readAll(options: ReadAllOptions): Promise<EventBatch> {
    return this.#sifted(await this.#log.readAll(options));
  }

  async readNewest(limit: number): Promise<RecordedEvent[]> {
    const events = await this.#log.readNewest(limit);
    return events.length === 0 ? events : events.filter(await this.#owns());
  }

  async *subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch> {
    for await (const batch of this.#log.subscribe(options)) yield await this.#sifted(batch);
  }

  async consume(group: string, options: ConsumeOptions): Promise<void> {
    // The id must exist before the first event is handled: it tells our events from those of others.
    const id = await this.#owner.ensureId();
    const { where } = options;
    const owns = (event: RecordedEvent) => this.#owner.owns(event, id);
    await this.#log.consume(group, {
      ...options,
      where: where ? (event) => owns(event) && where(event) : owns,
    });
  }

  async consumerGroup(
    group: string,
    where?: (event: RecordedEvent) => boolean,
  ): Promise<ConsumerGroup | undefined> {
    const owns = await this.#owns();
    return this.#log.consumerGroup(group, where ? (event) => owns(event) && where(event) : owns);
  }

  groupPlaces(group: string): Promise<readonly GroupPlace[]> {
    return this.#log.groupPlaces(group);
  }

  recordGroupLog(log: string): Promise<string> {
    return this.#log.recordGroupLog(log);
  }

  async parked(group: string): Promise<ParkedEvent[]> {
    const owns = await this.#owns();
    return (await this.#log.parked(group)).filter(({ event }) => owns(event));
  }

  /** A group is handed own events only, so only those can be parked. */
  countParked(group: string): Promise<number> {
    return this.#log.countParked(group);
  }

  inFlight(group: string): Promise<number> {
    return this.#log.inFlight(group);
  }

  replayParked(group: string, eventIds?: readonly string[]): Promise<number> {
    return this.#log.replayParked(group, eventIds);
  }

  discardParked(group: string, eventIds?: readonly string[]): Promise<number> {
    return this.#log.discardParked(group, eventIds);
  }

  /** The head of the whole log, including events of others. */
  head(): Promise<Position> {
    return this.#log.head();
  }

  /** Also finds events of others. */
  eventIdAt(position: Position): Promise<string | undefined> {
    return this.#log.eventIdAt(position);
  }

  async count(options: CountOptions): Promise<number> {
    const owns = await this.#owns();
    const { where } = options;
    return this.#log.count({ ...options, where: where ? (event) => owns(event) && where(event) : owns });
  }

  /** Also those of streams of others: a deleted stream does not tell whose it was. */
  streamLimits(): Promise<readonly StreamLimit[]> {
    return this.#log.streamLimits();
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  async #measured(events: readonly NewEvent[], append: () => Promise<Appended>): Promise<Appended> {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    try {
      const appended = await append();
      appends.publish({ events, seconds: seconds() } satisfies MeasuredAppend);
      return appended;
    } catch (error) {
      appends.publish({ events, seconds: seconds(), error } satisfies MeasuredAppend);
      throw error;
    }
  }

  async #owns(): Promise<(event: RecordedEvent) => boolean> {
    const id = await this.#owner.id();
    return (event) => this.#owner.owns(event, id);
  }

  async #sifted(batch: EventBatch): Promise<EventBatch> {
    if (batch.events.length === 0) return batch;
    const owns = await this.#owns();
    if (batch.events.every(owns)) return batch;
    const foreign = batch.events.filter((event) => !owns(event));
    return { ...batch, events: batch.events.filter(owns), foreign };
  }
}
