import type { ExpectedRevision, NewEvent, Position } from '../port.ts';
import { BatchAppender, type Written } from './batch-append.ts';
import { Connection, type Address } from './connection.ts';
import { buffering, drained, type Entry } from './entry.ts';
import {
  createGroup,
  joinGroup,
  listGroups,
  type Group,
  type GroupListener,
  type Membership,
} from './membership.ts';
import type { ServerFilter } from './namespace.ts';
import { subscribeToAll, type Feed, type FeedListener } from './client-subscription.ts';

/** The requests of this adapter to EventStoreDB. Nothing outside this folder uses the client library. */
export class Server {
  readonly #connection: Connection;
  readonly #appender: BatchAppender;

  /** @throws StoreError misuse, when the client library refuses the connection string */
  constructor(address: Address) {
    this.#connection = new Connection(address);
    this.#appender = new BatchAppender(() => this.#connection.client);
  }

  /** Switches to a new client. Requests under way keep the old one. */
  renew(): void {
    this.#connection.renew();
  }

  append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    withinMs: number,
  ): Promise<Written> {
    return this.#appender.append({ stream, events, expected }, withinMs);
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
      this.#connection.client.readStream(
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
      this.#connection.client.readAll(
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
    return subscribeToAll(this.#connection.client, after, filter, listener);
  }

  /** Creates a group that begins after a position. */
  createGroup(name: string, filter: ServerFilter, after: Position | 'start'): Promise<void> {
    return createGroup(this.#connection.client, name, filter, after);
  }

  /** Joins a group, with at most `held` events in flight. */
  join(name: string, held: number, listener: GroupListener): Membership {
    return joinGroup(this.#connection.client, name, held, listener);
  }

  /** All groups over the whole log. */
  groups(): Promise<Group[]> {
    return listGroups(this.#connection.client);
  }

  /** Checks that the server supports persistent subscriptions to `$all`. */
  async tryGroups(): Promise<void> {
    // An empty list is fine.
    await this.groups();
  }

  /** Ends everything under way within a few seconds. */
  dispose(): Promise<void> {
    return this.#connection.dispose();
  }
}
