import {
  AccessDeniedError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  UnavailableError,
  UnsupportedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/stores/errors.ts';
import { addressOf } from '../../src/stores/event-store/eventstoredb/connection.ts';
import { appendOnce } from '../../src/stores/event-store/eventstoredb/append.ts';
import { Consumer } from '../../src/stores/event-store/eventstoredb/consumer.ts';
import { failureOf, storeErrorOf } from '../../src/stores/event-store/eventstoredb/client-errors.ts';
import { SubscriptionBuffer } from '../../src/stores/event-store/eventstoredb/subscription-buffer.ts';
import { Namespace } from '../../src/stores/event-store/eventstoredb/namespace.ts';
import type { Entry } from '../../src/stores/event-store/eventstoredb/entry.ts';
import type { Membership } from '../../src/stores/event-store/eventstoredb/membership.ts';
import type { Written } from '../../src/stores/event-store/eventstoredb/batch-append.ts';
import { EventStoreDbStore } from '../../src/stores/event-store/eventstoredb/store.ts';
import { HeadWatcher, type EntryHeader } from '../../src/stores/event-store/eventstoredb/head-watcher.ts';
import { runHandler } from '../../src/stores/event-store/run-handler.ts';
import type {
  ConsumedEvent,
  ConsumeOptions,
  NewEvent,
  RecordedEvent,
  HandlerResult,
} from '../../src/stores/event-store/port.ts';
import { noGroups } from '../support/groups.ts';
import { until } from '../support/until.ts';

/** Errors as the client library makes them of what the transport says. */
const transport = (code: number, message: string) =>
  Object.assign(new Error(`${code} ${message}`), { code, details: message });
const away = (message: string) =>
  new UnavailableError(transport(14, message) as ConstructorParameters<typeof UnavailableError>[0]);
const conflict = (current: bigint | 'no_stream') =>
  new WrongExpectedVersionError(undefined, { streamName: 'a-1', expected: 3n, current });

describe('what an error of the client library means', () => {
  it('reads a conflict from its fields, for its message is empty', () => {
    expect(failureOf(conflict(7n))).toEqual({ kind: 'wrong_expected_revision', actual: 7 });
    expect(failureOf(conflict('no_stream'))).toEqual({ kind: 'wrong_expected_revision', actual: -1 });
  });

  it.each([
    ['UNAVAILABLE: No connection established. Last error: Error: connect ECONNREFUSED', false],
    ['UNAVAILABLE: Name resolution failed for target dns:nowhere', false],
    ['UNAVAILABLE: Server Is Not Ready', false],
    ['DEADLINE_EXCEEDED: Deadline exceeded after 0.002s,name resolution: 0.001s,Waiting for LB pick', false],
    ['UNAVAILABLE: read ECONNRESET', true],
    ['UNAVAILABLE: Connection dropped', true],
    ['INTERNAL: Received RST_STREAM with code 2', true],
    ['DEADLINE_EXCEEDED: Deadline exceeded after 5s,remote_addr=127.0.0.1:2113', true],
  ])('takes "%s" for the server being away, arrived: %s', (message, arrived) => {
    expect(failureOf(away(message))).toMatchObject({ kind: 'away', arrived });
    // The first error of its kind has a class, later ones are plain.
    expect(failureOf(transport(14, message))).toMatchObject({ kind: 'away', arrived });
  });

  it('tells what waiting does not mend, in one line that says what to do', () => {
    const said = (error: unknown) => {
      const failure = failureOf(error);
      if (failure.kind === 'away') throw new Error('This would be tried again.');
      return storeErrorOf(failure, 'a-1', error);
    };
    const unknown = transport(16, 'UNAUTHENTICATED: ') as ConstructorParameters<typeof AccessDeniedError>[0];
    expect(said(new AccessDeniedError(unknown))).toMatchObject({
      code: 'misuse',
      message: 'EVENTSTORE_URL: the server refuses the user or password (access denied).',
    });
    expect(said(new AccessDeniedError()).message).toMatch(/one of \$admins/);
    expect(
      said(away('UNAVAILABLE: No connection established. Last error: self-signed certificate in chain'))
        .message,
    ).toMatch(
      /^EVENTSTORE_URL: its certificate is not trusted; name its authority's file by tlsCaFile=<path> \(/,
    );
    expect(
      said(away('Last error: Error: 80BC:error:0A00010B:SSL routines::wrong version number')).message,
    ).toMatch(/does not speak TLS; say tls=false/);
    expect(said(new UnsupportedError('createPersistentSubscriptionToAll', '21.10'))).toMatchObject({
      code: 'incompatible',
    });
    expect(said(StreamDeletedError.fromStreamName('a-1'))).toMatchObject({ code: 'stream_deleted' });
    expect(said(MaxAppendSizeExceededError.fromMaxAppendSize(1_048_576))).toMatchObject({
      code: 'event_too_large',
      message: 'The server takes 1048576 bytes in one append; for a-1 there are more.',
    });
  });
});

describe('the connection string', () => {
  it('is passed on with our defaults', () => {
    expect(addressOf('esdb://admin:s%40crt@one:2113,two:2113?tls=true&tlsCaFile=/ca.pem')).toEqual({
      url: 'esdb://admin:s%40crt@one:2113,two:2113?tls=true&tlsCaFile=/ca.pem&keepAliveTimeout=5000&throwOnAppendFailure=true',
      connectionName: 'commonweal',
    });
    expect(addressOf('esdb+discover://cluster.example.org').url).toBe(
      'esdb+discover://cluster.example.org?keepAliveTimeout=5000&throwOnAppendFailure=true',
    );
    expect(addressOf(' esdb://localhost:2113/?tls=false&keepAliveTimeout=9000 ').url).toMatch(
      /^esdb:\/\/localhost:2113\/\?tls=false&keepAliveTimeout=9000&throwOnAppendFailure=true$/,
    );
  });

  it.each([
    ['http://admin:hunter2@localhost:2113', /must look like esdb:\/\//],
    ['admin:hunter2@localhost', /must look like/],
    ['esdb://admin:hunter2@', /must look like/],
    ['esdb://admin:hunter2@?tls=false', /must name a host/],
    ['esdb://admin:hunter2@host:port', /port number/],
    ['esdb://admin:hunter2@host?tsl=false', /unknown option: tsl/],
    ['esdb://admin:hunter2@host?tlsVerifyCert=false', /tlsCaFile/],
    ['esdb://admin:hunter2@host?tls=no', /true or false/],
    ['esdb://admin:hunter2@host?tls=', /no value to tls/],
    ['esdb://admin:hunter%2@host', /%25/],
    ['esdb://admin:hunter2@host?tlsCaFile=/no/such/file', /File was not found/],
  ])('is refused where it is wrong, without being repeated: %s', (url, message) => {
    const open = () => new EventStoreDbStore({ url, groups: noGroups });
    expect(open).toThrow(message);
    expect(open).toThrow(/^EVENTSTORE_URL /);
    expect(open).not.toThrow(/hunter/);
  });
});

describe('what part of a log is ours', () => {
  it("is every stream but the system's, or what begins with the namespace", () => {
    const all = new Namespace(undefined).allows(undefined);
    expect(all({ stream: 'a-1', type: 'A' })).toBe(true);
    expect(all({ stream: '$settings', type: 'A' })).toBe(false);
    expect(all({ stream: 'parked.group', type: 'EventParked' })).toBe(false);
    const part = new Namespace('shop').allows({ streamPrefixes: ['a-'] });
    expect(part({ stream: 'shop.a-1', type: 'A' })).toBe(true);
    expect(part({ stream: 'shop.b-1', type: 'A' })).toBe(false);
    expect(part({ stream: 'shopper.a-1', type: 'A' })).toBe(false);
    expect(part({ stream: 'a-1', type: 'A' })).toBe(false);
  });

  it('is filtered by the server as far as the server can', () => {
    const whole = new Namespace(undefined);
    const part = new Namespace('shop');
    expect(whole.onServer({ types: ['A', 'B.c'] })).toEqual({ on: 'type', regex: '^(?:A|B\\.c)$' });
    expect(part.onServer({ types: ['A'] })).toEqual({ on: 'stream', prefixes: ['shop.'] });
    expect(part.onServer({ streamPrefixes: ['a-'] })).toEqual({ on: 'stream', prefixes: ['shop.a-'] });
    expect(whole.forGroup('g', { types: ['A'] })).toEqual({
      on: 'type',
      regex: '^(?:A|ParkedEventReplayed)$',
    });
    expect(whole.forGroup('g', { streamPrefixes: ['a-'] })).toEqual({
      on: 'stream',
      prefixes: ['a-', 'parked.g'],
    });
    expect(whole.onServer({ types: [] })).toEqual({ on: 'type', regex: '(?!)' });
  });

  it('names a group by its filter, whatever the order', () => {
    const shop = new Namespace('shop');
    const name = shop.groupName('g', { types: ['A', 'B'] });
    expect(name).toMatch(/^shop\.g-[0-9a-f]{8}$/);
    expect(shop.groupName('g', { types: ['B', 'A'] })).toBe(name);
    expect(shop.groupName('g', { types: ['A'] })).not.toBe(name);
    expect(shop.groupName('g', { streamPrefixes: ['A', 'B'] })).not.toBe(name);
  });
});

describe('an append whose outcome is not known', () => {
  const events: NewEvent[] = [1, 2].map((n) => ({ id: randomUUID(), type: 'A', data: { n }, metadata: {} }));
  const reset = away('UNAVAILABLE: read ECONNRESET');
  const refused = away(
    'UNAVAILABLE: No connection established. Last error: Error: connect ECONNREFUSED. Resolution note: ',
  );
  const appending = (
    answers: readonly (Error | Written)[],
    expected: 'any' | 'no_stream' | number,
    stands: readonly string[] = [],
  ) => {
    const attempts = [...answers];
    return appendOnce(
      {
        append: async () => {
          const answer = attempts.shift() ?? reset;
          if (answer instanceof Error) throw answer;
          return answer;
        },
      },
      {
        stream: 'a-1',
        outer: 'a-1',
        events,
        expected,
        read: async (from, limit) =>
          stands
            .map((id, revision) => ({ id, revision, position: BigInt(revision) * 100n }))
            .slice(from, from + limit),
        closed: new AbortController().signal,
      },
    );
  };
  const ids = events.map(({ id }) => id);

  it('is asked for again, and answers what the server then says', async () => {
    await expect(appending([reset, refused, { revision: 1, position: 100n }], 'no_stream')).resolves.toEqual({
      revision: 1,
      position: 100n,
    });
  });

  it('answers where it stands when the server does not say it', async () => {
    await expect(appending([reset, { revision: 1, position: undefined }], 'no_stream', ids)).resolves.toEqual(
      {
        revision: 1,
        position: 100n,
      },
    );
  });

  it('takes a conflict with itself for its success, and any other for what it is', async () => {
    await expect(appending([reset, conflict(1n)], 'no_stream', ids)).resolves.toEqual({
      revision: 1,
      position: 100n,
    });
    await expect(
      appending([reset, conflict(1n)], 'no_stream', [randomUUID(), ids[1] ?? '']),
    ).rejects.toMatchObject({ code: 'wrong_expected_revision', actual: 1 });
    // What never arrived cannot stand there: nobody looks.
    await expect(appending([refused, conflict(1n)], 'no_stream', ids)).rejects.toMatchObject({
      code: 'wrong_expected_revision',
    });
  });

  it('is not repeated where a repetition could be a second append', async () => {
    await expect(appending([reset, { revision: 1, position: 100n }], 'any')).rejects.toMatchObject({
      code: 'unavailable',
      outcome: 'unknown',
    });
    await expect(appending([refused, { revision: 1, position: 100n }], 'any')).resolves.toMatchObject({
      revision: 1,
    });
  });
});

const entry = (id: string, type = 'A'): Entry => ({
  id,
  stream: 'a-1',
  revision: 0,
  position: 1n,
  type,
  data: {},
  metadata: {},
});

describe("a consumer's books", () => {
  const open = (
    handle: ConsumeOptions['handle'],
    { maximumAttempts = 3, batchSize = 10, underWay = 10 } = {},
  ) => {
    const abort = new AbortController();
    const said: string[] = [];
    const parked: string[] = [];
    const consumer = new Consumer({
      handle: (events) => runHandler(events, handle),
      maximumAttempts,
      batchSize,
      underWay,
      signal: abort.signal,
      eventOf: async (each) => (each.type === 'A' ? each : undefined),
      park: async (event, attempts, reason) => {
        parked.push(`${event.id} ${attempts} ${reason}`);
      },
    });
    const membership: Membership = {
      out: async () => 0,
      acknowledge: (ids) => said.push(`ack ${ids.join(',')}`),
      giveBack: (id) => said.push(`back ${id}`),
      leave: () => undefined,
    };
    consumer.joined(membership);
    const running = consumer.run();
    const end = async () => {
      abort.abort();
      await running;
    };
    return { consumer, membership, said, parked, end };
  };
  const acks = async (events: readonly ConsumedEvent[]): Promise<HandlerResult[]> =>
    events.map(() => ({ kind: 'ack' }));

  it('handles in one batch what is delivered in one go, and acknowledges unasked what is none of its own', async () => {
    const batches: string[][] = [];
    const { consumer, said, end } = open(async (events) => {
      batches.push(events.map(({ event }) => event.id));
      return acks(events);
    });
    for (const id of ['1', '2', '3']) consumer.delivered(entry(id), 0);
    consumer.delivered(entry('4', 'B'), 0);
    await until(() => said.length === 2);
    expect(batches).toEqual([['1', '2', '3']]);
    expect(said.sort()).toEqual(['ack 1,2,3', 'ack 4']);
    expect(consumer.unsettled).toBe(0);
    await end();
  });

  it('does not handle an event beside itself when it is delivered again meanwhile', async () => {
    let release = () => undefined as unknown;
    let calls = 0;
    const { consumer, membership, said, end } = open(async (events) => {
      calls += 1;
      await new Promise((resolve) => (release = () => resolve(undefined)));
      return acks(events);
    });
    consumer.delivered(entry('1'), 0);
    await until(() => calls === 1);
    consumer.lost();
    consumer.joined(membership);
    consumer.delivered(entry('1'), 1);
    release();
    await until(() => said.length === 1);
    expect(said).toEqual(['ack 1']);
    expect(calls).toBe(1);
    await end();
  });

  it('takes more while one takes long, as many as may be under way, and settles each by its own result', async () => {
    const long = Promise.withResolvers<HandlerResult>();
    const asked: string[] = [];
    const { consumer, said, end } = open(
      async (events) =>
        events.map(({ event }) => {
          asked.push(event.id);
          return ['1', '4'].includes(event.id) ? long.promise : { kind: 'ack' };
        }),
      { batchSize: 2, underWay: 2 },
    );
    for (const id of ['1', '2', '3', '4', '5']) consumer.delivered(entry(id), 0);
    await until(() => said.length === 2);
    expect(said).toEqual(['ack 2', 'ack 3']);
    expect(asked).toEqual(['1', '2', '3', '4']);
    expect(consumer.unsettled).toBe(3);
    long.resolve({ kind: 'ack' });
    await until(() => said.length === 4);
    expect(said.slice(2)).toEqual(['ack 1,4', 'ack 5']);
    await end();
  });

  it('holds what is to be retried until its time, and gives it back once', async () => {
    const { consumer, said, end } = open(async (events) =>
      events.map(() => ({ kind: 'retry', afterMs: 30, reason: 'later' })),
    );
    consumer.delivered(entry('1'), 0);
    const began = performance.now();
    await until(() => said.length === 1);
    expect(performance.now() - began).toBeGreaterThan(25);
    expect(said).toEqual(['back 1']);
    await end();
  });

  it('counts its own attempts exactly, and does not park for what others were handed', async () => {
    const attempts: number[] = [];
    const { consumer, said, parked, end } = open(async (events) => {
      attempts.push(...events.map(({ attempt }) => attempt));
      throw new Error('broken');
    });
    // Handed 40 times to consumers that may never have looked at it: it is handled once before it is parked.
    consumer.delivered(entry('1'), 40);
    await until(() => parked.length === 1 && said.length === 1);
    expect(attempts).toEqual([3]);
    expect(parked).toEqual(['1 3 broken']);
    expect(said).toEqual(['ack 1']);
    await end();
  });

  it('tries later when it cannot write down that an event is parked', async () => {
    const abort = new AbortController();
    let tries = 0;
    const consumer = new Consumer({
      handle: (events) => runHandler(events, async () => [{ kind: 'park', reason: 'no' }]),
      maximumAttempts: 3,
      batchSize: 1,
      underWay: 1,
      signal: abort.signal,
      eventOf: async (each) => each,
      park: async () => {
        tries += 1;
        throw new StoreError('unavailable', 'away');
      },
    });
    const said: string[] = [];
    consumer.joined({
      out: async () => 0,
      acknowledge: () => said.push('ack'),
      giveBack: () => said.push('back'),
      leave: () => undefined,
    });
    const running = consumer.run();
    consumer.delivered(entry('1'), 0);
    await until(() => said.length === 1);
    expect([tries, said]).toEqual([1, ['back']]);
    abort.abort();
    await running;
  });
});

describe('what a subscription has received', () => {
  const at = (position: bigint): RecordedEvent => ({ ...entry(position.toString()), position });

  it('is taken in order and once, and ends with how far the log holds nothing else', () => {
    const buffer = new SubscriptionBuffer(5n, 3, () => undefined);
    expect(buffer.push(at(5n))).toBe(false);
    expect(buffer.waiting).toBe(false);
    buffer.push(at(6n));
    buffer.push(at(6n));
    buffer.pass(9n);
    expect(buffer.take(10)).toEqual({ events: [at(6n)], position: 9n });
    expect(buffer.waiting).toBe(false);
    expect(buffer.push(at(8n))).toBe(false);
    expect(buffer.waiting).toBe(false);
  });

  it('asks the sender to pause when it is full, and to go on when half of it is gone', () => {
    let room = 0;
    const buffer = new SubscriptionBuffer(0n, 4, () => (room += 1));
    expect([1n, 2n, 3n, 4n].map((position) => buffer.push(at(position)))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(buffer.take(1).position).toBe(1n);
    expect(room).toBe(0);
    expect(buffer.take(2).position).toBe(3n);
    expect(room).toBe(1);
  });
});

describe('the end of the log', () => {
  it('tells how far there is nothing for a reader, whoever looked', async () => {
    const log: EntryHeader[] = [{ position: 10n, stream: 'a-1', type: 'A' }];
    let looks = 0;
    const tail = new HeadWatcher({
      head: async () => log.at(-1)?.position ?? -1n,
      after: async (position) => {
        looks += 1;
        return log.filter((each) => each.position > position);
      },
    });
    const { signal } = new AbortController();
    await tail.past(9n, signal);
    expect(tail.end).toBe(10n);
    const wanted = ({ type }: { type: string }) => type === 'Wanted';
    // Nobody remembers what stands before the first look.
    expect(tail.unwanted(9n, wanted)).toBeUndefined();
    log.push({ position: 20n, stream: 'a-1', type: 'B' }, { position: 30n, stream: 'a-1', type: 'Wanted' });
    log.push({ position: 40n, stream: 'a-1', type: 'B' });
    await Promise.all([tail.past(10n, signal), tail.past(39n, signal)]);
    expect(tail.unwanted(10n, wanted)).toEqual({ upTo: 20n, wantedNext: true });
    expect(tail.unwanted(20n, wanted)).toEqual({ upTo: 20n, wantedNext: true });
    expect(tail.unwanted(30n, wanted)).toEqual({ upTo: 40n, wantedNext: false });
    expect(looks).toBe(1);
    tail.close();
  });
});
