import { StoreError } from '../../errors.ts';
import {
  beginning,
  type Appended,
  type ConsumeOptions,
  type CountOptions,
  type ConsumerGroup,
  type EventBatch,
  type EventFilter,
  type EventStore,
  type GroupPlace,
  type ExpectedRevision,
  type NewEvent,
  type ParkedEvent,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type ReadStreamsOptions,
  type RecordedEvent,
  type StreamLimit,
  type SubscribeOptions,
  type TextBatch,
} from '../port.ts';
import { consumeReliably, consumerGroupOf, type GroupOptions } from '../reliable-consume.ts';
import { addressOf } from './connection.ts';
import { appendOnce } from './append.ts';
import type { Entry } from './entry.ts';
import { catchUp, type LogSource } from './catch-up.ts';
import { recordLog, reconcilerPlaces } from '../log-identity.ts';
import { RunningConsumers } from '../running-consumers.ts';
import { serialised } from '../serialised.ts';
import { ConsumerGroups } from './groups.ts';
import { LogReader } from './log-reader.ts';
import { retryForMs } from './retry.ts';
import { isLimit, onLimits, StreamLimits } from './stream-limits.ts';
import { Namespace } from './namespace.ts';
import { Server } from './server.ts';
import { headersPerRead, HeadWatcher } from './head-watcher.ts';

/** Streams that are read at the same time. */
const streamsAtOnce = 50;

export interface EventStoreDbOptions {
  /** A connection string: esdb://user:password@host:2113?tls=true, esdb+discover:// for a cluster by its name. */
  readonly url: string;
  /**
   * The prefix of every stream and group on the server. Other streams are hidden. Default: all streams are visible.
   */
  readonly namespace?: string;
  /** Where consumer groups keep their state, and the leases of their reconcilers. Resolved on first use. */
  readonly groups: () => GroupOptions;
}

/**
 * The event store in EventStoreDB, one node or a cluster. Use one per thread and keep it as long as the thread
 * runs: disposing one client of the library disturbs others of the same thread.
 */
export class EventStoreDbStore implements EventStore {
  readonly #server: Server;
  readonly #namespace: Namespace;
  readonly #reader: LogReader;
  readonly #tail: HeadWatcher;
  readonly #source: LogSource;
  readonly #consumerGroups: ConsumerGroups;
  readonly #groupsOf: () => GroupOptions;
  readonly #closing = new AbortController();
  readonly #consuming = new RunningConsumers();

  /** @throws StoreError misuse, naming EVENTSTORE_URL but not what it holds */
  constructor({ url, namespace, groups }: EventStoreDbOptions) {
    this.#groupsOf = groups;
    this.#server = new Server(addressOf(url));
    this.#namespace = new Namespace(namespace);
    this.#reader = new LogReader(this.#server, this.#namespace, this.#closing.signal);
    const after = (position: Position, limit: number) => this.#reader.after(position, limit);
    this.#tail = new HeadWatcher({ head: () => this.head(), after });
    this.#source = {
      tail: this.#tail,
      subscribe: (position, filter, listener) =>
        this.#server.subscribe(position === beginning ? 'start' : position, filter, listener),
      after,
      newestBefore: async (place) => (await this.#server.readAll('backwards', place, 1))[0]?.position,
      recorded: (entry) => this.#reader.recorded(entry),
      mayRetry: (error, position) => this.#reader.mayRetry(error, position),
    };
    this.#consumerGroups = new ConsumerGroups({
      server: this.#server,
      namespace: this.#namespace,
      source: this.#source,
      head: () => this.head(),
      readStream: (stream, options) => this.readStream(stream, options),
      readEntries: (outer, options) => this.#reader.readEntries(outer, outer, options),
      reading: (subject, work) => this.#reader.reading(subject, work),
      closed: this.#closing.signal,
    });
  }

  /**
   * Resolves when the server answers and supports what we need.
   * @throws StoreError misuse (wrong credentials, certificate), incompatible (too old), unavailable
   */
  async ready(): Promise<void> {
    await this.head();
    await this.#reader.reading('consumer groups', () => this.#server.tryGroups());
  }

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    // Refused here, because the server does not say which event is too large.
    serialised(stream, events);
    const appended = await appendOnce(this.#server, {
      stream,
      outer: this.#namespace.outer(stream),
      events,
      expected,
      read: (from, limit) => this.readStream(stream, { from, limit }),
      closed: this.#closing.signal,
    });
    this.#tail.nudge();
    return appended;
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    const entries = await this.#reader.readEntries(this.#namespace.outer(stream), stream, options);
    return entries.map((entry) => this.#reader.recorded(entry));
  }

  async readStreams(
    streams: readonly string[],
    { upTo, types }: ReadStreamsOptions = {},
  ): Promise<RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    for (let from = 0; from < streams.length; from += streamsAtOnce) {
      const some = streams.slice(from, from + streamsAtOnce);
      for (const events of await Promise.all(some.map((stream) => this.readStream(stream))))
        for (const event of events) if (upTo === undefined || event.position <= upTo) found.push(event);
    }
    return types ? found.filter(({ type }) => types.includes(type)) : found;
  }

  async readTexts(options: Omit<ReadAllOptions, 'filter'>): Promise<TextBatch> {
    const { events, position } = await this.readAll({ after: options.after, limit: options.limit });
    const texts = events.map((event) => ({
      ...event,
      data: JSON.stringify(event.data),
      metadata: JSON.stringify(event.metadata),
    }));
    return { events: texts, position };
  }

  async readAll({ after, filter, limit }: ReadAllOptions): Promise<EventBatch> {
    const wanted = this.#namespace.allows(filter);
    const events: RecordedEvent[] = [];
    let position = after;
    const sparse = this.#namespace.narrows(filter);
    const atOnce = sparse ? Math.max(limit, headersPerRead) : limit;
    while (events.length < limit) {
      const entries = await this.#reader.after(position, atOnce);
      for (const entry of entries) {
        position = entry.position;
        if (wanted(entry)) events.push(this.#reader.recorded(entry));
        if (events.length === limit) return { events, position };
      }
      if (entries.length < atOnce) return { events, position };
      // The client library cannot filter a read, but a subscription is filtered by the server.
      if (sparse) break;
    }
    for await (const batch of this.#toHead(position, filter, limit - events.length)) {
      events.push(...batch.events);
      position = batch.position;
      if (events.length >= limit) break;
    }
    if (events.length <= limit) return { events, position };
    const page = events.slice(0, limit);
    return { events: page, position: page.at(-1)?.position ?? position };
  }

  async readNewest(limit: number): Promise<RecordedEvent[]> {
    const entries = await this.#reader.newest(limit);
    return entries.filter(this.#namespace.allows(undefined)).map((entry) => this.#reader.recorded(entry));
  }

  subscribe({ after, filter, signal, batchSize = 1_000 }: SubscribeOptions): AsyncGenerator<EventBatch> {
    return catchUp(this.#source, {
      after,
      filter: this.#namespace.onServer(filter),
      wanted: this.#namespace.allows(filter),
      batchSize,
      signal: AbortSignal.any([signal, this.#closing.signal]),
    });
  }

  async consume(group: string, options: ConsumeOptions): Promise<void> {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const source = this.#consumerGroups.sourceOf(group, options.filter);
    await this.#consuming.run(consumeReliably(source, this.#groupsOf(), { ...options, signal }));
  }

  parked(group: string): Promise<ParkedEvent[]> {
    return this.#consumerGroups.parked(group);
  }

  countParked(group: string): Promise<number> {
    return this.#consumerGroups.countParked(group);
  }

  inFlight(group: string): Promise<number> {
    return this.#consumerGroups.inFlight(group);
  }

  replayParked(group: string, eventIds?: readonly string[]): Promise<number> {
    return this.#consumerGroups.replayParked(group, eventIds);
  }

  discardParked(group: string, eventIds?: readonly string[]): Promise<number> {
    return this.#consumerGroups.discardParked(group, eventIds);
  }

  async consumerGroup(
    group: string,
    where?: (event: RecordedEvent) => boolean,
  ): Promise<ConsumerGroup | undefined> {
    return consumerGroupOf(this, this.#groupsOf().state, this.#namespace.outer(group), where);
  }

  groupPlaces(group: string): Promise<readonly GroupPlace[]> {
    return reconcilerPlaces(this.#groupsOf().state, this.#namespace.outer(group));
  }

  recordGroupLog(log: string): Promise<string> {
    return recordLog(this.#groupsOf().state, log);
  }

  head(): Promise<Position> {
    return this.#reader.head();
  }

  eventIdAt(position: Position): Promise<string | undefined> {
    return this.#reader.eventIdAt(position);
  }

  async count(options: CountOptions): Promise<number> {
    const { after, filter, atMost = Number.MAX_SAFE_INTEGER, where = () => true } = options;
    const wanted = this.#namespace.allows(filter);
    // Most counts are of a short lag.
    const next = await this.#reader.after(after, headersPerRead);
    const counted = next.filter((entry) => wanted(entry) && where(this.#reader.recorded(entry)));
    let found = Math.min(counted.length, atMost);
    if (next.length < headersPerRead || found === atMost) return found;
    for await (const batch of this.#toHead(next.at(-1)?.position ?? after, filter, 1_000)) {
      found = Math.min(found + batch.events.filter(where).length, atMost);
      if (found === atMost) break;
    }
    return found;
  }

  async streamLimits(): Promise<readonly StreamLimit[]> {
    const limits = new StreamLimits();
    const source = { ...this.#source, recorded: (entry: Entry) => entry };
    const from = (signal: AbortSignal) =>
      catchUp(source, { after: beginning, filter: onLimits, wanted: isLimit, batchSize: 1_000, signal });
    for await (const { events } of this.#untilHead(beginning, from))
      for (const each of events) limits.add(each);
    return this.#namespace.ofStreams(limits.all());
  }

  /** Ends everything under way within a few seconds, whatever the server does. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#tail.close();
    await this.#consuming.ended();
    await this.#server.dispose();
  }

  #toHead(after: Position, filter: EventFilter | undefined, batchSize: number): AsyncGenerator<EventBatch> {
    const narrowed = filter ? { filter } : {};
    return this.#untilHead(after, (signal) => this.subscribe({ after, ...narrowed, batchSize, signal }));
  }

  /** Everything up to the current head. @throws StoreError unavailable when nothing arrives for a few seconds */
  async *#untilHead(
    after: Position,
    subscribed: (signal: AbortSignal) => AsyncIterable<EventBatch>,
  ): AsyncGenerator<EventBatch> {
    const head = await this.head();
    if (after >= head) return;
    const tooLong = new AbortController();
    const patience = setTimeout(() => tooLong.abort(), retryForMs);
    try {
      for await (const batch of subscribed(AbortSignal.any([tooLong.signal, this.#closing.signal]))) {
        patience.refresh();
        yield batch;
        if (batch.position >= head) return;
      }
    } finally {
      clearTimeout(patience);
    }
    throw new StoreError('unavailable', 'EventStoreDB stopped sending events before the end of its log.');
  }
}
