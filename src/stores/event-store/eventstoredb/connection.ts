import { EventStoreDBClient } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { reconnects, type MeasuredReconnect } from '../../measured.ts';
import { answered, ignored } from './client-errors.ts';
import { StoreError } from '../../errors.ts';
import { messageOf } from '../../../ground/store-error.ts';

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
    const message = messageOf(error);
    throw wrong(`cannot be used: ${message.replace(/\.$/, '')}`);
  }
}

/** A checked connection string, and the parts that we need ourselves. */
export interface Address {
  readonly url: string;
  /** The name of our connections on the server, before a unique suffix. */
  readonly connectionName: string;
}

/** The known options. For an unknown one the client library only prints a warning, with the password in it. */
const options = new Set([
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'keepaliveinterval',
  'keepalivetimeout',
  'maxdiscoverattempts',
  'nodepreference',
  'tls',
  'tlscafile',
  'usercertfile',
  'userkeyfile',
]);

/** How long a keep-alive ping may take. It is sent after 10 s of silence. */
const keepAliveTimeoutMs = 5_000;

/**
 * Checks a connection string. Never repeats it in an error: it may hold a password.
 * @throws StoreError misuse, naming EVENTSTORE_URL
 */
export function addressOf(connectionString: string): Address {
  const text = connectionString.trim();
  const found = /^esdb(?:\+discover)?:\/\/(?:(?<user>[^:@/?]+):(?<password>[^@]+)@)?(?<rest>[^@]+)$/.exec(
    text,
  );
  if (!found?.groups) throw wrong('must look like esdb://user:password@host:2113?tls=true');
  const { user, password, rest = '' } = found.groups;
  const [hosts = '', query, ...more] = rest.split('?');
  if (hosts.replace(/\/+$/, '') === '' || more.length > 0)
    throw wrong('must name a host, and its options after one ?');
  const parameters = new Map(
    (query ?? '')
      .split('&')
      .filter((each) => each !== '')
      .map((each) => [flat(each.split('=')[0] ?? ''), each.split('=').slice(1).join('=')]),
  );
  for (const [name, value] of parameters) {
    if (name === 'tlsverifycert' && value !== 'true')
      throw wrong('cannot turn the check of certificates off; name the authority by tlsCaFile=<path>');
    if (name === 'tlsverifycert' || name === 'throwonappendfailure') continue;
    if (!options.has(name)) throw wrong(`has an unknown option: ${name}`);
    if (value === '') throw wrong(`gives no value to ${name}`);
  }
  const withDefaults = parameters.has('keepalivetimeout') ? [] : [`keepAliveTimeout=${keepAliveTimeoutMs}`];
  // The last value wins. Without this option a conflict would look like a success.
  const all = [...(query ? [query] : []), ...withDefaults, 'throwOnAppendFailure=true'].join('&');
  for (const part of [user, password]) if (part !== undefined) decoded(part);
  return {
    url: `${text.slice(0, text.length - rest.length)}${hosts}?${all}`,
    connectionName: decoded(parameters.get('connectionname') ?? 'commonweal'),
  };
}

const flat = (name: string): string => name.trim().toLowerCase().replace(/[_-]/g, '');

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw wrong('has a user or password with a % that must be written %25');
  }
}

const wrong = (what: string): StoreError => new StoreError('misuse', `EVENTSTORE_URL ${what}.`);
