import {
  EventStoreDBClient,
  eventTypeFilter,
  jsonEvent,
  persistentSubscriptionToAllSettingsFromDefaults,
  streamNameFilter,
  type Filter,
  type JSONType,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { StoreError } from '../../errors.ts';
import type { ExpectedRevision, NewEvent, Position } from '../port.ts';
import { wrong, type Address } from './address.ts';
import { failureOf, Unanswered } from './errors.ts';
import type { ServerFilter } from './namespace.ts';

/** An event as the server has it. */
export interface Entry {
  readonly id: string;
  /** As the server names it, with its namespace. */
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Written {
  readonly revision: number;
  /** Sometimes missing in the answer to a repeated append. */
  readonly position: Position | undefined;
}

/** Callbacks of a subscription, in the order of the log. */
export interface FeedListener {
  entry(entry: Entry): void;
  /** The server has scanned everything before this position and sent all matches. */
  scannedTo(place: Position): void;
  caughtUp(): void;
  /** The subscription has ended. */
  failed(error: unknown): void;
}

export interface Feed {
  pause(): void;
  resume(): void;
  close(): void;
}

export interface GroupListener {
  delivered(entry: Entry, retryCount: number): void;
  /** The membership is lost: unacknowledged events go to other consumers. */
  failed(error: unknown): void;
}

/** One consumer's membership in a group. */
export interface Membership {
  /** The server's count of events in flight with this consumer. Undefined when the server does not know it. */
  out(): Promise<number | undefined>;
  acknowledge(eventIds: readonly string[]): void;
  giveBack(eventId: string, reason: string): void;
  /** Leaves the group. Unacknowledged events go to other consumers. */
  leave(): void;
}

/** How long a request may wait for an answer. */
const silenceMs = 3_000;

/** The shortest time between two new clients. */
const renewalMs = 5_000;

/** Entries that the server scans between two progress reports. */
const scanWindow = 256;

/** "No position": minus one in the unsigned field that carries it. */
const noPosition = 0xffff_ffff_ffff_ffffn;

/** The requests of this adapter to EventStoreDB. Only this file and `errors.ts` use the client library. */
export class Server {
  readonly #address: Address;
  readonly #former: WeakRef<EventStoreDBClient>[] = [];
  #client: EventStoreDBClient;
  #renewedAt = performance.now();

  /** @throws StoreError misuse, when the client library refuses the connection string */
  constructor(address: Address) {
    this.#address = address;
    this.#client = connect(address);
  }

  /**
   * Switches to a new client. A client caches a failed request for the server's features, so it never recovers.
   * Requests under way keep the old client.
   */
  renew(): void {
    if (performance.now() - this.#renewedAt < renewalMs) return;
    this.#renewedAt = performance.now();
    this.#former.push(new WeakRef(this.#client));
    this.#client = connect(this.#address);
  }

  async append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    withinMs: number,
  ): Promise<Written> {
    const { nextExpectedRevision, position } = await answered(
      withinMs + 500,
      this.#client.appendToStream(
        stream,
        events.map(({ id, type, data, metadata }) =>
          jsonEvent({ id, type, data: data as JSONType, metadata: metadata as Record<string, unknown> }),
        ),
        {
          expectedRevision: typeof expected === 'number' ? BigInt(expected) : expected,
          requiresLeader: true,
          deadline: withinMs,
          // With credentials per call, appends are separate requests. Otherwise the client library batches all
          // appends of the process: one failing stream rejects all of them, and a late answer for one of those
          // crashes the process. The batched path is 30 % faster with 50 in flight.
          ...(this.#address.credentials ? { credentials: this.#address.credentials } : {}),
        },
      ),
    );
    return {
      revision: Number(nextExpectedRevision),
      position: position && position.commit !== noPosition ? position.commit : undefined,
    };
  }

  /** @throws failures of the client library: no_stream where there is none */
  async readStream(
    stream: string,
    direction: 'forwards' | 'backwards',
    from: number | undefined,
    limit: number,
  ): Promise<Entry[]> {
    const edge = direction === 'forwards' ? 'start' : 'end';
    return drained(
      this.#client.readStream(
        stream,
        {
          direction,
          fromRevision: from === undefined ? edge : BigInt(from),
          maxCount: limit,
          requiresLeader: true,
        },
        buffering,
      ),
    );
  }

  /** Entries of the whole log from a position, inclusive. */
  async readAll(
    direction: 'forwards' | 'backwards',
    from: Position | 'start' | 'end',
    limit: number,
  ): Promise<Entry[]> {
    return drained(
      this.#client.readAll(
        {
          direction,
          fromPosition: typeof from === 'bigint' ? { commit: from, prepare: from } : from,
          maxCount: limit,
          requiresLeader: true,
        },
        buffering,
      ),
    );
  }

  /** Matching entries after a position, and then new ones. */
  subscribe(after: Position | 'start', filter: ServerFilter, listener: FeedListener): Feed {
    // The callback may run before earlier entries are emitted, so it waits for them.
    let scanned: Position | undefined;
    const tellScanned = () => {
      if (scanned === undefined || subscription.readableLength > 0) return;
      listener.scannedTo(scanned);
      scanned = undefined;
    };
    const subscription = this.#client.subscribeToAll(
      {
        fromPosition: after === 'start' ? 'start' : { commit: after, prepare: after },
        filter: filterOf(filter, (place) => {
          scanned = place;
          tellScanned();
        }),
        requiresLeader: true,
      },
      buffering,
    );
    let over = false;
    const end = (error: unknown) => {
      if (over) return;
      over = true;
      listener.failed(error);
    };
    subscription.on('data', ({ event }: ResolvedEvent) => {
      if (over) return;
      try {
        if (event) listener.entry(entryOf(event));
      } catch (error) {
        subscription.unsubscribe().catch(ignored);
        end(error);
        return;
      }
      tellScanned();
    });
    subscription.on('caughtUp', () => {
      if (!over) listener.caughtUp();
    });
    subscription.on('error', end);
    subscription.on('end', () => end(new Error('the server ended the subscription')));
    return {
      pause: () => subscription.pause(),
      resume: () => subscription.resume(),
      close: () => {
        over = true;
        subscription.unsubscribe().catch(ignored);
        subscription.resume();
      },
    };
  }

  /** Creates a group that begins after a position. */
  async createGroup(name: string, filter: ServerFilter, after: Position | 'start'): Promise<void> {
    await answered(
      silenceMs,
      this.#client.createPersistentSubscriptionToAll(
        name,
        persistentSubscriptionToAllSettingsFromDefaults({
          // The default would be the end of the log.
          startFrom: after === 'start' ? after : { commit: after, prepare: after },
          resolveLinkTos: false,
          consumerStrategyName: 'RoundRobin',
          // We count attempts and park events ourselves: the server also counts deliveries to consumers that died.
          maxRetryCount: 1_000_000,
          // Longer than any handler takes. Dead consumers are noticed by their connection.
          messageTimeout: 300_000,
          // A checkpoint is itself an entry of the log, which every group counts: with a low bound a few idle
          // groups would trigger each other for ever. Events after the last checkpoint are delivered again when the
          // server restarts.
          checkPointAfter: 2_000,
          checkPointLowerBound: 50,
          checkPointUpperBound: 500,
          readBatchSize: 200,
          historyBufferSize: 1_000,
          liveBufferSize: 1_000,
        }),
        { filter: filterOf(filter), requiresLeader: true },
      ),
    );
  }

  /** Joins a group, with at most `held` events in flight. */
  join(name: string, held: number, listener: GroupListener): Membership {
    const client = this.#client;
    const subscription = client.subscribeToPersistentSubscriptionToAll(
      name,
      { bufferSize: held, requiresLeader: true },
      buffering,
    );
    let over = false;
    const end = (error: unknown) => {
      if (over) return;
      over = true;
      listener.failed(error);
    };
    subscription.on('data', ({ event, retryCount }) => {
      if (over || !event) return;
      try {
        listener.delivered(entryOf(event), retryCount);
      } catch (error) {
        subscription.unsubscribe().catch(ignored);
        end(error);
      }
    });
    subscription.on('error', end);
    subscription.on('end', () => end(new Error('the server ended the subscription')));
    return {
      out: async () => {
        const info = await answered(silenceMs, client.getPersistentSubscriptionToAllInfo(name));
        const ours = info.connections.filter((each) => each.connectionName === client.connectionName);
        return ours.length === 0
          ? undefined
          : ours.reduce((sum, { inFlightMessages }) => sum + inFlightMessages, 0);
      },
      // A lost acknowledgement causes another delivery.
      acknowledge: (eventIds) => {
        if (!over) subscription.ack(...eventIds.map(withId)).catch(ignored);
      },
      giveBack: (eventId, reason) => {
        if (!over) subscription.nack('retry', reason, withId(eventId)).catch(ignored);
      },
      leave: () => {
        over = true;
        subscription.unsubscribe().catch(ignored);
      },
    };
  }

  /** The names of all groups over the whole log. */
  async groupNames(): Promise<string[]> {
    try {
      const groups = await answered(silenceMs, this.#client.listPersistentSubscriptionsToAll());
      return groups.map(({ groupName }) => groupName);
    } catch (error) {
      if (failureOf(error).kind === 'no_group') return [];
      throw error;
    }
  }

  /** Checks that the server supports persistent subscriptions to `$all`. */
  async tryGroups(): Promise<void> {
    // An empty list is fine.
    await this.groupNames();
  }

  /** Ends everything under way, with a limit: a client can wait for ever for a read that was cancelled. */
  async dispose(): Promise<void> {
    const clients = [this.#client, ...this.#former.map((each) => each.deref())];
    await answered(2_000, Promise.all(clients.map(async (each) => each?.dispose()))).catch(ignored);
  }
}

const buffering = { highWaterMark: 256 };

function connect({ url, connectionName }: Address): EventStoreDBClient {
  const name = encodeURIComponent(`${connectionName}-${randomUUID().slice(0, 8)}`);
  try {
    return EventStoreDBClient.connectionString(`${url}&connectionName=${name}`);
  } catch (error) {
    // The message quotes the connection string; `expected` does not.
    const expected = (error as { expected?: unknown }).expected;
    if (typeof expected === 'string') throw wrong(`is not well-formed: expected ${expected}`);
    const message = error instanceof Error ? error.message : String(error);
    throw wrong(`cannot be used: ${message.replace(/\.$/, '')}`);
  }
}

function filterOf(filter: ServerFilter, scannedTo?: (place: Position) => void): Filter {
  const how = {
    maxSearchWindow: scanWindow,
    checkpointInterval: 1,
    ...(scannedTo && {
      checkpointReached: (_: unknown, { commit }: { commit: Position }) => scannedTo(commit),
    }),
  };
  if (filter.on === 'type') return eventTypeFilter({ ...how, regex: filter.regex });
  if ('regex' in filter) return streamNameFilter({ ...how, regex: filter.regex });
  return streamNameFilter({ ...how, prefixes: [...filter.prefixes] });
}

/** Reads all entries. A read is never left early: the client library cannot handle that. */
function drained(read: {
  on(event: 'data', listener: (each: ResolvedEvent) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  cancel(): Promise<void>;
}): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    const fail = (error: unknown) => {
      clearTimeout(silence);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as the client library has it
      reject(error);
    };
    const silence = setTimeout(() => {
      read.cancel().catch(ignored);
      fail(new Unanswered(silenceMs));
    }, silenceMs);
    read.on('data', ({ event }) => {
      silence.refresh();
      try {
        if (event) entries.push(entryOf(event));
      } catch (error) {
        fail(error);
      }
    });
    read.on('end', () => {
      clearTimeout(silence);
      resolve(entries);
    });
    read.on('error', fail);
  });
}

function entryOf(event: NonNullable<ResolvedEvent['event']>): Entry {
  const { id, streamId, revision, type, data, metadata, position } = event;
  if (!position || position.commit === noPosition) {
    throw new StoreError(
      'incompatible',
      'The server does not report the log position of an event in a stream. EventStoreDB 22.10 or newer does.',
    );
  }
  return {
    id,
    stream: streamId,
    revision: Number(revision),
    position: position.commit,
    type,
    data,
    metadata: isRecord(metadata) ? metadata : {},
  };
}

/** Another product's metadata may be bytes, or missing. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** The only part of an event that the client library needs for an acknowledgement. */
const withId = (id: string): ResolvedEvent => ({ event: { id } }) as unknown as ResolvedEvent;

function answered<Result>(withinMs: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Unanswered(withinMs)), withinMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const ignored = () => undefined;
