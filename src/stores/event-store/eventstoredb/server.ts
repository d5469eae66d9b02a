import { jsonEvent, type JSONType } from '@eventstore/db-client';
import type { ExpectedRevision, NewEvent, Position } from '../port.ts';
import type { Address } from './address.ts';
import { Connection } from './connection.ts';
import { answered } from './deadline.ts';
import { buffering, drained, noPosition, type Entry } from './entry.ts';
import { createGroup, groupNames, joinGroup, type GroupListener, type Membership } from './membership.ts';
import type { ServerFilter } from './namespace.ts';
import { subscribeToAll, type Feed, type FeedListener } from './subscription.ts';

export interface Written {
  readonly revision: number;
  /** Sometimes missing in the answer to a repeated append. */
  readonly position: Position | undefined;
}

/** The requests of this adapter to EventStoreDB. Nothing outside this folder uses the client library. */
export class Server {
  readonly #address: Address;
  readonly #connection: Connection;

  /** @throws StoreError misuse, when the client library refuses the connection string */
  constructor(address: Address) {
    this.#address = address;
    this.#connection = new Connection(address);
  }

  /** Switches to a new client. Requests under way keep the old one. */
  renew(): void {
    this.#connection.renew();
  }

  async append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    withinMs: number,
  ): Promise<Written> {
    const { nextExpectedRevision, position } = await answered(
      withinMs + 500,
      this.#connection.client.appendToStream(
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

  /** The names of all groups over the whole log. */
  groupNames(): Promise<string[]> {
    return groupNames(this.#connection.client);
  }

  /** Checks that the server supports persistent subscriptions to `$all`. */
  async tryGroups(): Promise<void> {
    // An empty list is fine.
    await this.groupNames();
  }

  /** Ends everything under way within a few seconds. */
  dispose(): Promise<void> {
    return this.#connection.dispose();
  }
}
