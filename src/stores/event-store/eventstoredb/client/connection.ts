import { EventStoreDBClient } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { wrong, type Address } from './address.ts';
import { reconnects, type MeasuredReconnect } from '../../../measured.ts';
import { answered, ignored } from './deadline.ts';

/** The shortest time between two new clients. */
const renewalMs = 5_000;

/** How long clients may take to end what is under way. */
const disposalMs = 2_000;

/** The client in use, and the former ones whose requests may still be under way. */
export class Connection {
  readonly #address: Address;
  readonly #former: WeakRef<EventStoreDBClient>[] = [];
  #client: EventStoreDBClient;
  #renewedAt = performance.now();

  /** @throws StoreError misuse, when the client library refuses the connection string */
  constructor(address: Address) {
    this.#address = address;
    this.#client = connect(address);
  }

  get client(): EventStoreDBClient {
    return this.#client;
  }

  /**
   * Switches to a new client. A client caches a failed request for the server's features, so it never recovers.
   * Requests under way keep the old client.
   */
  renew(): void {
    if (performance.now() - this.#renewedAt < renewalMs) return;
    this.#renewedAt = performance.now();
    this.#former.push(new WeakRef(this.#client));
    reconnects.publish({ store: 'eventstore' } satisfies MeasuredReconnect);
    this.#client = connect(this.#address);
  }

  /** Ends everything under way, with a limit: a client can wait for ever for a read that was cancelled. */
  async dispose(): Promise<void> {
    const clients = [this.#client, ...this.#former.map((each) => each.deref())];
    await answered(disposalMs, Promise.all(clients.map(async (each) => each?.dispose()))).catch(ignored);
  }
}

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
