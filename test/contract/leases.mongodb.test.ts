import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/stores/leases/clock.ts';
import { MongoLeases, type MongoLeasesOptions } from '../../src/stores/leases/mongodb.ts';
import type { Lease, Leases } from '../../src/stores/leases/port.ts';
import { mongodbUrl, testDatabase, withoutMongodb, type TestDatabase } from '../support/mongodb.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';
import { until } from '../support/until.ts';
import { leasesContract } from './leases.ts';

const holdLease = fileURLToPath(new URL('../stores/fixtures/hold-mongodb-lease.ts', import.meta.url));

interface Holder {
  readonly process: ChildProcess;
  readonly lines: Interface;
}

/** Another process that has taken the lease. */
async function startHolder(url: string, name: string, timings: MongoLeasesOptions = {}): Promise<Holder> {
  const child = spawn(process.execPath, [holdLease, url, name, JSON.stringify(timings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const [said] = (await once(lines, 'line')) as [string];
  if (said !== `holding ${name}`) throw new Error(`The holder said: ${said}`);
  return { process: child, lines };
}

async function kill({ process: child }: Holder): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe.skipIf(mongodbUrl === undefined)('on a server', () => {
  leasesContract(`MongoDB${withoutMongodb}`, () => {
    const database = testDatabase(mongodbUrl ?? '');
    const clients: MongoLeases[] = [];
    const holders: Holder[] = [];
    const open = () => {
      const client = new MongoLeases(database.connect().db);
      clients.push(client);
      return client;
    };
    return Promise.resolve({
      leases: open(),
      another: () => Promise.resolve(open()),
      holderProcess: async (name) => {
        const holder = await startHolder(database.url, name);
        holders.push(holder);
        return { kill: () => kill(holder) };
      },
      dispose: async () => {
        for (const holder of holders) holder.process.kill('SIGKILL');
        for (const client of clients) await client.close();
        await database.dispose();
      },
    });
  });
});

/** Short, so that nobody waits long here; long enough for a machine that does much else. */
const brief = { pollMs: 50, renewMs: 200, stopAfterMs: 2_000, takeAfterMs: 4_000 };

describe.skipIf(mongodbUrl === undefined)(`leases in MongoDB${withoutMongodb}`, () => {
  let database: TestDatabase;
  let proxy: Proxy;
  let abort: AbortController;
  let clients: Leases[];
  let holders: Holder[];

  beforeEach(async () => {
    database = testDatabase(mongodbUrl ?? '');
    const { hostname, port } = new URL(database.url);
    proxy = await startProxy({ host: hostname, port: Number(port || 27_017) });
    abort = new AbortController();
    clients = [];
    holders = [];
  });
  afterEach(async () => {
    abort.abort();
    for (const holder of holders) holder.process.kill('SIGKILL');
    proxy.open();
    for (const client of clients) await client.close();
    await database.dispose();
    await proxy.close();
  });

  const open = (options: MongoLeasesOptions = {}, url = database.url): MongoLeases => {
    const client = new MongoLeases(database.connect(url).db, { ...brief, ...options });
    clients.push(client);
    return client;
  };
  const openThroughProxy = (options: MongoLeasesOptions = {}) => {
    const url = new URL(database.url);
    url.host = `127.0.0.1:${proxy.port}`;
    url.searchParams.set('directConnection', 'true');
    return open(options, url.href);
  };
  const heldElsewhere = async (name = 'job'): Promise<Holder> => {
    const holder = await startHolder(database.url, name, brief);
    holders.push(holder);
    return holder;
  };
  const taken = async (from: Leases, name = 'job'): Promise<Lease> => {
    const lease = await from.acquire(name, abort.signal);
    if (!lease) throw new Error(`nobody gave ${name}`);
    return lease;
  };

  it('begin above the epoch that is asked for, and go on from there', async () => {
    const one = open();
    const first = await one.acquire('job', new AbortController().signal, { above: 41 });
    expect(first?.epoch).toBe(42);
    await first?.release();
    const second = await open().acquire('job', new AbortController().signal, { above: 7 });
    expect(second?.epoch).toBeGreaterThan(42);
  });

  it('raise their epoch with every change of hands', async () => {
    const [one, other] = [open(), open()];
    const epochs: number[] = [];
    for (const client of [one, other, one, one, other]) {
      const lease = await taken(client);
      epochs.push(lease.epoch);
      await lease.release();
    }
    const holder = await heldElsewhere();
    await kill(holder);
    epochs.push((await taken(one)).epoch);
    expect(epochs[0]).toBeGreaterThan(0);
    for (const [n, epoch] of epochs.entries()) if (n > 0) expect(epoch).toBeGreaterThan(epochs[n - 1] ?? 0);
  });

  it('stay with a holder that lives, for longer than a challenger would wait', async () => {
    const lease = await taken(open());
    let given = false;
    const waiting = open()
      .acquire('job', abort.signal)
      .then((other) => (given = other !== undefined));
    const until = performance.now() + brief.takeAfterMs * 1.5;
    while (performance.now() < until) {
      // That nothing happens for as long as a challenger waits is what is tested.
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect([given, lease.lost.aborted]).toEqual([false, false]);
    }
    await lease.release();
    expect(await waiting).toBe(true);
  });

  it('go to one of several that wait when their holder dies', async () => {
    const holder = await heldElsewhere();
    let given = 0;
    const others = [open(), open(), open()];
    const waiting = others.map((client) =>
      client.acquire('job', abort.signal).then((lease) => (given += lease ? 1 : 0)),
    );
    await kill(holder);
    await Promise.race(waiting);
    for (const client of others) await client.tryAcquire('another');
    expect(given).toBe(1);
  });

  it('of dead holders are free together, also where one is taken only after the other', async () => {
    const dead = [await heldElsewhere(), await heldElsewhere('second job')];
    const client = open();
    const ours: { first?: Lease } = {};
    const second = client.acquire('second job', abort.signal, { when: () => ours.first !== undefined });
    for (const holder of dead) await kill(holder);
    ours.first = await taken(client);
    const firstAt = performance.now();
    expect(await second).toBeDefined();
    expect(performance.now() - firstAt).toBeLessThan(brief.takeAfterMs / 2);
  });

  it.each(['cut', 'hang'] as const)(
    'are lost before somebody else takes them when the way to the server is gone (%s)',
    async (how) => {
      const lease = await taken(openThroughProxy());
      const waiting = taken(open());
      proxy[how]();
      const next = await waiting;
      expect(lease.lost.aborted).toBe(true);
      expect(next.epoch).toBeGreaterThan(lease.epoch);
      proxy.open();
      await lease.release();
      expect(next.lost.aborted).toBe(false);
    },
  );

  it('survive an outage that is short enough', async () => {
    const lease = await taken(openThroughProxy());
    proxy.cut();
    // The length of the outage is what is tested, and so is the time that the lease is held after it.
    await new Promise((resolve) => setTimeout(resolve, brief.stopAfterMs / 4));
    proxy.open();
    await new Promise((resolve) => setTimeout(resolve, brief.stopAfterMs));
    expect(lease.lost.aborted).toBe(false);
    expect(await open().tryAcquire('job')).toBeUndefined();
  });

  it('are waited for through an outage', async () => {
    const lease = await taken(open());
    const waiting = taken(openThroughProxy());
    proxy.cut();
    await lease.release();
    // The length of the outage is what is tested.
    await new Promise((resolve) => setTimeout(resolve, brief.stopAfterMs));
    proxy.open();
    expect((await waiting).epoch).toBeGreaterThan(lease.epoch);
  });

  it.each(['cut', 'hang'] as const)(
    'are not given, and it is said why, when the server is away (%s)',
    async (how) => {
      const client = openThroughProxy();
      await (await taken(client)).release();
      proxy[how]();
      await expect(client.tryAcquire('job')).rejects.toMatchObject({ code: 'unavailable' });
      proxy.open();
      expect(await taken(client)).toBeDefined();
    },
  );

  it('may be released while the server is away, and are free some time after', async () => {
    const lease = await taken(openThroughProxy());
    proxy.cut();
    await lease.release();
    expect((await taken(open())).epoch).toBeGreaterThan(lease.epoch);
  });

  it('are lost by a process that was stopped, as soon as it goes on', async () => {
    const holder = await heldElsewhere();
    holder.process.kill('SIGSTOP');
    const next = await taken(open());
    const saying = once(holder.lines, 'line') as Promise<[string]>;
    holder.process.kill('SIGCONT');
    expect((await saying)[0]).toBe('lost');
    expect(next.lost.aborted).toBe(false);
  });

  it('are lost by a machine that was suspended, at the first look', async () => {
    let asleepMs = 0;
    const clock = { ...systemClock, wall: () => Date.now() + asleepMs };
    const lease = await taken(open({ clock }));
    expect(lease.lost.aborted).toBe(false);
    asleepMs = brief.stopAfterMs;
    expect(lease.lost.aborted).toBe(true);
  });

  it('are lost by a holder whose event loop was blocked, at the first look', async () => {
    const lease = await taken(open());
    const until = performance.now() + brief.stopAfterMs;
    while (performance.now() < until);
    expect(lease.lost.aborted).toBe(true);
  });

  it('are lost when somebody has taken them by whatever means', async () => {
    const lease = await taken(open());
    await database.connect().db.collection('leases').deleteMany({});
    await until(() => lease.lost.aborted);
    expect(await open().tryAcquire('job')).toBeDefined();
  });

  it('cost one look for all that are waited for, and one update for all that are held', async () => {
    const names = Array.from({ length: 64 }, (_, n) => `shard-${n}`);
    const watched = async () => {
      const client = new MongoClient(database.url, { monitorCommands: true });
      const commands: string[] = [];
      client.on('commandStarted', ({ commandName }) => commands.push(commandName));
      const leases = new MongoLeases(client.db(), brief);
      return { client, commands, leases };
    };
    const [holding, waiting] = [await watched(), await watched()];
    const held = await Promise.all(names.map((name) => holding.leases.tryAcquire(name)));
    expect(held.filter((lease) => lease !== undefined)).toHaveLength(64);
    expect(holding.commands).toEqual(['find', 'insert', 'find']);
    const refused = await Promise.all(names.map((name) => waiting.leases.tryAcquire(name)));
    expect([refused.filter((lease) => lease !== undefined), waiting.commands]).toEqual([[], ['find']]);

    const start = performance.now();
    for (const name of names) void waiting.leases.acquire(name, abort.signal);
    await until(() => holding.commands.length >= 8);
    const passed = performance.now() - start;
    expect(new Set(holding.commands.slice(3))).toEqual(new Set(['update']));
    expect(new Set(waiting.commands)).toEqual(new Set(['find']));
    expect(waiting.commands.length).toBeLessThanOrEqual(2 + passed / brief.pollMs);

    await waiting.leases.close();
    await holding.leases.close();
    await Promise.all([holding.client.close(), waiting.client.close()]);
  });

  it('leave no more than a few documents behind, however often they change hands', async () => {
    const client = open();
    for (let n = 0; n < 10; n++) await (await taken(client)).release();
    await client.close();
    expect(await database.connect().db.collection('leases').countDocuments()).toBeLessThanOrEqual(3);
  });

  it('are refused timings by which two could hold the same', () => {
    expect(() => open({ stopAfterMs: 5_000, takeAfterMs: 5_000 })).toThrow(/must satisfy/);
  });
});
