import { randomUUID } from 'node:crypto';
import { WrongExpectedRevision, StoreError } from '../../errors.ts';
import type { FollowedBatch, FollowedEvent, GroupSource } from '../group-source.ts';
import type {
  Appended,
  EventFilter,
  ExpectedRevision,
  NewEvent,
  ParkedEvent,
  Position,
  ReadStreamOptions,
  RecordedEvent,
} from '../port.ts';
import { appendOnce } from './append.ts';
import { catchUp, type LogSource } from './catch-up.ts';
import { consumeFrom } from './consume.ts';
import { replayType, type Labelled, type Namespace, type ServerFilter } from './namespace.ts';
import type { Entry } from './entry.ts';
import type { Server } from './server.ts';

/** Parked events replayed or discarded in one append. */
const decidedAtOnce = 200;

/** What consumer groups need from the store. */
export interface LogOfGroups {
  readonly server: Server;
  readonly namespace: Namespace;
  readonly source: LogSource;
  readonly closed: AbortSignal;
  head(): Promise<Position>;
  readStream(stream: string, options: ReadStreamOptions): Promise<RecordedEvent[]>;
  /** `outer` is the server's name of the stream. */
  readEntries(outer: string, options: ReadStreamOptions): Promise<Entry[]>;
  /** Retries a read for a few seconds while the server is down. */
  reading<Result>(subject: string, work: () => Promise<Result>): Promise<Result>;
}

/** Consumer groups on the server: a persistent subscription and a stream of parked events for each. */
export class ConsumerGroups {
  readonly #log: LogOfGroups;

  constructor(log: LogOfGroups) {
    this.#log = log;
  }

  sourceOf(group: string, filter: EventFilter): GroupSource {
    const wanted = this.#log.namespace.allows(filter);
    const parkedStream = this.#log.namespace.parkedStream(group);
    const isReplay = ({ stream, type }: Labelled) => stream === parkedStream && type === replayType;
    const onServer = this.#log.namespace.forGroup(group, filter);
    return {
      key: this.#log.namespace.outer(group),
      feed: (feed) =>
        consumeFrom(this.#log.server, {
          ...feed,
          name: this.#log.namespace.groupName(group, filter),
          filter: onServer,
          eventOf: async (entry) => {
            if (isReplay(entry)) return this.#eventAt(entry.data as Parked);
            return wanted(entry) ? this.#log.source.recorded(entry) : undefined;
          },
          park: (event, attempts, reason) => this.#park(parkedStream, event, attempts, reason),
        }),
      follow: (from) =>
        this.#followed(from, { filter: this.#log.namespace.forFollower(group, filter), wanted, isReplay }),
      existed: async () => {
        const groups = await this.#log.reading('consumer groups', () => this.#log.server.groups());
        return groups.some(({ name }) => this.#log.namespace.isGroup(name, group));
      },
      setAsideIds: async () => new Set((await this.#setAside(group)).setAside.keys()),
      park: (event, attempts, reason) => this.#park(parkedStream, event, attempts, reason),
      head: () => this.#log.head(),
    };
  }

  /** The events of a group in order, including replayed ones. */
  async *#followed(
    from: { readonly after: Position; readonly batchSize: number; readonly signal: AbortSignal },
    only: {
      readonly filter: ServerFilter;
      readonly wanted: (entry: Labelled) => boolean;
      readonly isReplay: (entry: Labelled) => boolean;
    },
  ): AsyncGenerator<FollowedBatch> {
    const batches = catchUp(this.#log.source, {
      ...from,
      filter: only.filter,
      wanted: (entry) => only.wanted(entry) || only.isReplay(entry),
    });
    for await (const { events: found, position } of batches) {
      const events: FollowedEvent[] = [];
      for (const each of found) {
        const replayed = each.type === replayType;
        const event = replayed ? await this.#eventAt(each.data as Parked) : each;
        if (event) events.push({ event, replayed });
      }
      yield { events, position };
    }
  }

  async parked(group: string): Promise<ParkedEvent[]> {
    const { setAside } = await this.#setAside(group);
    const found: ParkedEvent[] = [];
    for (const each of setAside.values()) {
      if (each.discarded) continue;
      const event = await this.#eventAt(each);
      if (!event) continue;
      found.push({ event, attempts: each.attempts, reason: each.reason, parkedAt: each.at });
    }
    return found;
  }

  async countParked(group: string): Promise<number> {
    const { setAside } = await this.#setAside(group);
    return [...setAside.values()].filter(({ discarded }) => !discarded).length;
  }

  /** As the server counts it, over all filters that the group has had. */
  async inFlight(group: string): Promise<number> {
    const groups = await this.#log.reading('consumer groups', () => this.#log.server.groups());
    return groups
      .filter(({ name }) => this.#log.namespace.isGroup(name, group))
      .reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  /** Durable: each replay is an entry of the log, which the group consumes like any other. */
  replayParked(group: string, eventIds?: readonly string[]): Promise<number> {
    return this.#decideParked(group, eventIds, ({ event_id, stream, revision }) => ({
      type: replayType,
      data: { event_id, stream, revision },
    }));
  }

  discardParked(group: string, eventIds?: readonly string[]): Promise<number> {
    return this.#decideParked(group, eventIds, ({ at: _, ...parked }) => ({
      type: parkedType,
      data: { ...parked, discarded: true },
    }));
  }

  /** Appends a decision for each parked event, or for each that is named. Returns how many. */
  async #decideParked(
    group: string,
    eventIds: readonly string[] | undefined,
    decision: (parked: Parked) => Pick<NewEvent, 'type' | 'data'>,
  ): Promise<number> {
    const stream = this.#log.namespace.parkedStream(group);
    const named = eventIds && new Set(eventIds);
    let decided = 0;
    for (;;) {
      const { setAside, revision } = await this.#setAside(group);
      const chosen = [...setAside.values()]
        .filter((each) => !each.discarded && (!named || named.has(each.event_id)))
        .slice(0, decidedAtOnce);
      if (chosen.length === 0) return decided;
      const decisions = chosen.map((each) => ({
        id: randomUUID(),
        ...decision(each),
        metadata: { at: new Date().toISOString() },
      }));
      try {
        // With the revision that was read, so that an event is decided on once.
        await this.#appendRaw(stream, decisions, revision);
        decided += chosen.length;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
  }

  async #setAside(group: string): Promise<{ setAside: Map<string, Parked>; revision: ExpectedRevision }> {
    const stream = this.#log.namespace.parkedStream(group);
    const entries = await this.#log.readEntries(stream, {});
    return { setAside: parkedBy(entries), revision: entries.at(-1)?.revision ?? 'no_stream' };
  }

  async #park(stream: string, event: RecordedEvent, attempts: number, reason: string): Promise<void> {
    const data = { event_id: event.id, stream: event.stream, revision: event.revision, attempts, reason };
    const at = new Date().toISOString();
    await this.#appendRaw(stream, [{ id: randomUUID(), type: parkedType, data, metadata: { at } }], 'any');
  }

  #appendRaw(outer: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    return appendOnce(this.#log.server, {
      stream: outer,
      outer,
      events,
      expected,
      read: async (from, limit) => this.#log.readEntries(outer, { from, limit }),
      closed: this.#log.closed,
    });
  }

  async #eventAt({
    stream,
    revision,
  }: Pick<Parked, 'stream' | 'revision'>): Promise<RecordedEvent | undefined> {
    const [event] = await this.#log.readStream(stream, { from: revision, limit: 1 });
    return event?.revision === revision ? event : undefined;
  }
}

/** Appended when a group parks an event. */
const parkedType = 'EventParked';

/** The place of a parked event, and why it is parked. */
interface Parked {
  readonly event_id: string;
  /** Without the namespace. */
  readonly stream: string;
  readonly revision: number;
  readonly attempts: number;
  readonly reason: string;
  readonly at: string;
  /**
   * It was discarded: it is neither shown nor handled again. Written as one more `EventParked`, because releases that do
   * not know of discarding refuse other types; to them it stays parked.
   */
  readonly discarded?: true;
}

/**
 * The events in a group's parked stream that were not replayed, oldest first, including discarded ones.
 *
 * The server's own parked list is not used. Its replay first removes all events from the list and keeps them in
 * memory: events not handled when the server stops are lost, and single events cannot be selected.
 */
function parkedBy(entries: readonly Entry[]): Map<string, Parked> {
  const parked = new Map<string, Parked>();
  for (const { type, data, metadata } of entries) {
    const { event_id: id } = data as Parked;
    parked.delete(id);
    if (type === parkedType) parked.set(id, { ...(data as Parked), at: String(metadata['at']) });
    else if (type !== replayType)
      throw new StoreError('incompatible', `A stream of parked events holds an event of type ${type}.`);
  }
  return parked;
}
