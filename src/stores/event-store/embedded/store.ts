import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { MessagePort } from 'node:worker_threads';
import { openForReading, openForWriting, storeError, checkpointLog, inFile } from '../../sqlite.ts';
import {
  type Appended,
  type ConsumeOptions,
  type CountOptions,
  type ConsumerGroup,
  type EventBatch,
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
import { consumeReliably, consumerGroupOf } from '../reliable-consume.ts';
import { recordLog, reconcilerPlaces } from '../log-identity.ts';
import { RunningConsumers } from '../running-consumers.ts';
import { serialised } from '../serialised.ts';
import type { ReconcilerTimings } from '../reconciler.ts';
import type { FollowedBatch, GroupSource } from '../group-source.ts';
import { EmbeddedLeases } from '../../leases/embedded.ts';
import { ConsumerGroups } from './consumers.ts';
import { feed } from './feed.ts';
import { EmbeddedGroupState } from './group-state.ts';
import { EventReader } from './reader.ts';
import { eventsSchema } from './schema.ts';
import { Wakeup } from './wakeup.ts';
import { WriterClient } from './writer-client.ts';

export interface EmbeddedEventStoreOptions {
  /** The data folder, which holds `events.db` and `consumers.db`. */
  readonly directory: string;
  /** A port to the writer thread of this process (`shareWriter`). Default: starts its own. */
  readonly writer?: MessagePort;
  /** Called when the writer thread has ended: nothing can be appended any more. */
  readonly onWriterLost?: (why: Error) => void;
  /** Timings of the reconcilers. */
  readonly reconciler?: Partial<ReconcilerTimings>;
}

/** The event store in one SQLite file, for one machine and any number of its processes. */
export class EmbeddedEventStore implements EventStore {
  readonly #path: string;
  readonly #directory: string;
  readonly #db: DatabaseSync;
  readonly #reader: EventReader;
  readonly #wakeup: Wakeup;
  readonly #closing = new AbortController();
  readonly #onWriterLost: (why: Error) => void;
  readonly #groupState: EmbeddedGroupState;
  readonly #reconciler: Partial<ReconcilerTimings>;
  readonly #consuming = new RunningConsumers();
  #leases: EmbeddedLeases | undefined;
  #writer: WriterClient | undefined;
  #groups: ConsumerGroups | undefined;

  constructor({
    directory,
    writer,
    onWriterLost = () => undefined,
    reconciler = {},
  }: EmbeddedEventStoreOptions) {
    this.#onWriterLost = onWriterLost;
    this.#directory = directory;
    this.#path = join(directory, 'events.db');
    openForWriting(this.#path, eventsSchema).close();
    this.#db = openForReading(this.#path);
    this.#reader = new EventReader(this.#db);
    this.#wakeup = new Wakeup(this.#path, this.#db, () => this.#writer !== undefined);
    if (writer) this.#writer = WriterClient.attached(writer, onWriterLost);
    this.#groupState = new EmbeddedGroupState(directory);
    this.#reconciler = reconciler;
  }

  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    const written = serialised(stream, events).map(
      ({ id, type, data, metadata }) => [id, type, data, metadata] as const,
    );
    return this.#writing().append({ stream, expected, events: written });
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    return this.#read(() =>
      this.#reader.stream(stream, options.from, options.direction ?? 'forwards', options.limit ?? -1),
    );
  }

  async readStreams(streams: readonly string[], options: ReadStreamsOptions = {}): Promise<RecordedEvent[]> {
    return this.#read(() => this.#reader.streams(streams, options));
  }

  async readTexts({ after, limit }: ReadAllOptions): Promise<TextBatch> {
    return this.#read(() => this.#reader.texts(Number(after), limit));
  }

  async readAll({ after, filter, limit }: ReadAllOptions): Promise<EventBatch> {
    const { events, position } = this.#read(() => this.#reader.page(Number(after), filter, limit));
    return { events, position };
  }

  async readNewest(limit: number): Promise<RecordedEvent[]> {
    return this.#read(() => this.#reader.newest(limit));
  }

  async *subscribe({
    after,
    filter,
    signal,
    batchSize = 1_000,
  }: SubscribeOptions): AsyncGenerator<EventBatch> {
    const ends = AbortSignal.any([signal, this.#closing.signal]);
    let seen = Number(after);
    while (!ends.aborted) {
      const { events, position, atHead } = this.#read(() => this.#reader.page(seen, filter, batchSize));
      if (Number(position) > seen) {
        seen = Number(position);
        yield { events, position };
      }
      if (atHead) await this.#wakeup.next(seen, ends, filter);
    }
  }

  async consume(group: string, options: ConsumeOptions): Promise<void> {
    const { filter } = options;
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const groups = this.#consumers();
    const source: GroupSource = {
      key: group,
      feed: (options) =>
        this.#reading(() =>
          feed({ reader: this.#reader, wakeup: this.#wakeup, groups }, group, filter, options),
        ),
      follow: (from) => followed(this.subscribe({ ...from, filter })),
      existed: async () => groups.existed(group),
      setAsideIds: async () => groups.setAsideIds(group),
      park: async (event, attempts, reason) => groups.park(group, event, attempts, reason, Date.now()),
      head: () => this.head(),
    };
    const leases = () => (this.#leases ??= new EmbeddedLeases(this.#directory));
    const coordinated = { state: this.#groupState, leases, timings: this.#reconciler };
    await this.#consuming.run(consumeReliably(source, coordinated, { ...options, signal }));
  }

  async consumerGroup(
    group: string,
    where?: (event: RecordedEvent) => boolean,
  ): Promise<ConsumerGroup | undefined> {
    return consumerGroupOf(this, this.#groupState, group, where);
  }

  async groupPlaces(group: string): Promise<readonly GroupPlace[]> {
    return [...this.#consumers().placesOf(group), ...(await reconcilerPlaces(this.#groupState, group))];
  }

  recordGroupLog(log: string): Promise<string> {
    return recordLog(this.#groupState, log);
  }

  async parked(group: string): Promise<ParkedEvent[]> {
    return this.#consumers().parked(group);
  }

  async countParked(group: string): Promise<number> {
    return this.#consumers().countParked(group);
  }

  async inFlight(group: string): Promise<number> {
    return this.#consumers().inFlight(group);
  }

  async replayParked(group: string, eventIds?: readonly string[]): Promise<number> {
    return this.#consumers().replay(group, eventIds);
  }

  async discardParked(group: string, eventIds?: readonly string[]): Promise<number> {
    return this.#consumers().discard(group, eventIds, Date.now());
  }

  /** Nothing here drops events. */
  async streamLimits(): Promise<readonly StreamLimit[]> {
    return [];
  }

  async head(): Promise<Position> {
    return BigInt(this.#read(() => this.#reader.head()));
  }

  async eventIdAt(position: Position): Promise<string | undefined> {
    return this.#read(() => this.#reader.idAt(Number(position)));
  }

  async count({ after, filter, atMost, where }: CountOptions): Promise<number> {
    return this.#read(() =>
      this.#reader.count(Number(after), filter, atMost ?? Number.MAX_SAFE_INTEGER, where),
    );
  }

  /** A port through which another thread of this process appends with this store's writer. */
  shareWriter(): MessagePort {
    return this.#writing().share();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wakeup.close();
    await this.#consuming.ended();
    await this.#leases?.close();
    await this.#writer?.close();
    this.#groups?.close();
    await this.#groupState.close();
    if (this.#db.isOpen) this.#db.close();
    checkpointLog(this.#path);
  }

  #writing(): WriterClient {
    return (this.#writer ??= WriterClient.start(this.#path, this.#onWriterLost));
  }

  #consumers(): ConsumerGroups {
    return (this.#groups ??= new ConsumerGroups(join(this.#directory, 'consumers.db'), this.#reader));
  }

  #read<Result>(work: () => Result): Result {
    return inFile(this.#path, work);
  }

  async #reading<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw storeError(error, this.#path);
    }
  }
}

async function* followed(batches: AsyncIterable<EventBatch>): AsyncGenerator<FollowedBatch> {
  for await (const { events, position } of batches)
    yield { events: events.map((event) => ({ event })), position };
}
