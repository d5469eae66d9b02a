import { MongoClient, type Db } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MongoRateLimiter } from '../../src/stores/limits/mongodb-rate-limiter.ts';
import { SharedAttemptLimiter } from '../../src/stores/limits/shared-attempt-limiter.ts';
import { mongodbCounts } from '../../src/stores/limits/mongodb-counts.ts';
import type { Limit } from '../../src/stores/limits/port.ts';
import { mongodbUrl, testDatabase, withoutMongodb, type TestDatabase } from '../support/mongodb.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';
import { until } from '../support/until.ts';
import { limitsContract, attemptLimiterContract } from './limits.ts';

const limitsIn = (db: Db, limit: Limit) => new MongoRateLimiter(mongodbCounts(db), limit);

describe.skipIf(mongodbUrl === undefined)('on a server', () => {
  limitsContract(`MongoDB${withoutMongodb}`, () => {
    const database = testDatabase(mongodbUrl ?? '');
    return Promise.resolve({
      open: (limit) => limitsIn(database.connect().db, limit),
      shared: true,
      dispose: () => database.dispose(),
    });
  });
  attemptLimiterContract(`MongoDB${withoutMongodb}`, () => {
    const database = testDatabase(mongodbUrl ?? '');
    return Promise.resolve({
      open: (name, limit) => new SharedAttemptLimiter(mongodbCounts(database.connect().db), name, limit),
      shared: true,
      dispose: () => database.dispose(),
    });
  });
});

describe.skipIf(mongodbUrl === undefined)(`limits in MongoDB${withoutMongodb}`, () => {
  const threeAMinute = { points: 3, windowSeconds: 60 };
  let database: TestDatabase;
  let proxy: Proxy;

  beforeEach(async () => {
    database = testDatabase(mongodbUrl ?? '');
    const { hostname, port } = new URL(database.url);
    proxy = await startProxy({ host: hostname, port: Number(port || 27_017) });
  });
  afterEach(async () => {
    proxy.open();
    await database.dispose();
    await proxy.close();
  });

  const throughProxy = () => {
    const url = new URL(database.url);
    url.host = `127.0.0.1:${proxy.port}`;
    url.searchParams.set('directConnection', 'true');
    return limitsIn(database.connect(url.href).db, threeAMinute);
  };

  it('count requests of one turn by one command, and those of a key over its limit by none', async () => {
    const client = new MongoClient(database.url, { monitorCommands: true });
    const commands: string[] = [];
    client.on('commandStarted', ({ commandName }) => commands.push(commandName));
    const limits = limitsIn(client.db(), { points: 100, windowSeconds: 60 });
    await limits.consume('another');
    commands.length = 0;
    const ask = (count: number) => Promise.all(Array.from({ length: count }, () => limits.consume('key')));
    await ask(50);
    expect(commands).toEqual(['findAndModify']);
    await ask(70);
    expect(commands).toEqual(['findAndModify', 'findAndModify']);
    for (let n = 0; n < 5; n++) expect((await ask(10)).some(({ allowed }) => allowed)).toBe(false);
    expect(commands).toHaveLength(2);
    await client.close();
  });

  it('let a key through before its requests are counted while half of its limit is left, and count them all', async () => {
    const client = new MongoClient(database.url, { monitorCommands: true });
    const commands: string[] = [];
    client.on('commandStarted', ({ commandName }) => commands.push(commandName));
    const hundred = { points: 100, windowSeconds: 60 };
    const limits = limitsIn(client.db(), hundred);
    const other = limitsIn(database.connect().db, hundred);
    const left = async (of: MongoRateLimiter) => (await of.consume('key')).remaining;
    expect(await left(limits)).toBe(99);
    commands.length = 0;
    for (let n = 1; n <= 20; n++) expect(await left(limits)).toBe(99 - n);
    expect(commands.length).toBeLessThan(20);
    // The other sees all of them, and its own requests.
    let own = 0;
    await until(async () => (await left(other)) === 79 - ++own);
    // From half of the limit on every request is counted before it is let through: none too many over both.
    let allowed = 21 + own;
    const ask = async (of: MongoRateLimiter) => {
      const answer = await of.consume('key');
      if (answer.allowed) allowed += 1;
      return answer;
    };
    await until(async () => (await ask(limits)).remaining < 50 && (await ask(other)).remaining < 50);
    for (let n = 0; n < 50; n++) await Promise.all([ask(limits), ask(other)]);
    expect(allowed).toBe(100);
    await client.close();
  });

  it.each(['cut', 'hang'] as const)(
    'go on with the last count while the way to the server is gone (%s), and are counted there again after that',
    async (how) => {
      const limits = throughProxy();
      await limits.consume('key');
      proxy[how]();
      const start = performance.now();
      const answers: boolean[] = [];
      for (let n = 0; n < 5; n++) answers.push((await limits.consume('key')).allowed);
      expect(answers).toEqual([true, true, false, false, false]);
      // One request waited, the others did not.
      expect(performance.now() - start).toBeLessThan(3_000);
      proxy.open();
      const other = limitsIn(database.connect().db, { ...threeAMinute, points: 1_000 });
      const { remaining } = await other.consume('again');
      let own = 0;
      await until(async () => {
        await limits.consume('again');
        own += 1;
        return (await other.consume('again')).remaining < remaining - own;
      });
    },
  );

  it('of attempts go on with the last count while the way to the server is gone, and it gets what was counted', async () => {
    const url = new URL(database.url);
    url.host = `127.0.0.1:${proxy.port}`;
    url.searchParams.set('directConnection', 'true');
    const attempts = (address: string) =>
      new SharedAttemptLimiter(mongodbCounts(database.connect(address).db), 'guess', threeAMinute);
    const limiter = attempts(url.href);
    await limiter.take('key');
    proxy.cut();
    const waits: number[] = [];
    for (let n = 0; n < 4; n++) waits.push(await limiter.take('key'));
    expect(waits.map((seconds) => seconds > 0)).toEqual([false, false, true, true]);
    proxy.open();
    const windows = database.connect().db.collection<{ points: number }>('limits');
    await until(async () => {
      expect(await limiter.take('key')).toBeGreaterThan(0);
      return ((await windows.findOne())?.points ?? 0) >= 3;
    });
    expect(await attempts(database.url).take('key')).toBeGreaterThan(0);
  });

  it('keep one window of a key, however many have ended', async () => {
    const limits = limitsIn(database.connect().db, { points: 3, windowSeconds: 1 });
    for (let n = 0; n < 3; n++) await limits.consume('key');
    await until(async () => (await limits.consume('key')).remaining === 2);
    expect(await database.connect().db.collection('limits').countDocuments()).toBe(1);
  });
});
