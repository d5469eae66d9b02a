import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MongoDocuments, type MongoDocumentsOptions } from '../../src/stores/documents/mongodb-documents.ts';
import { BatchPerTick } from '../../src/stores/documents/mongodb-batch-per-tick.ts';
import type { CollectionSpec } from '../../src/stores/documents/port.ts';
import type { MongoConnection } from '../../src/stores/mongodb-connection.ts';
import { mongodbUrl, testDatabase, withoutMongodb, type TestDatabase } from '../support/mongodb.ts';
import { termsSpec } from './term-texts.ts';
import { until } from '../support/until.ts';
import { documentsContract } from './documents.ts';
import {
  aPlace,
  buildNew,
  placeId,
  placesSpec,
  put,
  remove,
  servePlaces,
  type DocumentsUnderTest,
  type Place,
} from './places.ts';

if (mongodbUrl === undefined) describe.skip(`the documents contract, MongoDB${withoutMongodb}`);
else {
  documentsContract('MongoDB', async (): Promise<DocumentsUnderTest> => {
    const database = testDatabase(mongodbUrl as string);
    const open = async () => {
      const client = new MongoDocuments(database.connect().db);
      // What `changed` compares with is what was seen last.
      await client.progress();
      return client;
    };
    return { documents: await open(), another: open, dispose: () => database.dispose() };
  });
}

describe.skipIf(mongodbUrl === undefined)(`the documents in MongoDB${withoutMongodb}`, () => {
  let database: TestDatabase;
  let clients: MongoDocuments[];
  const spec = placesSpec('places');

  beforeEach(() => {
    database = testDatabase(mongodbUrl as string);
    clients = [];
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
    await database.dispose();
  });

  const open = (options?: MongoDocumentsOptions, connection = database.connect()): MongoDocuments => {
    const client = new MongoDocuments(connection.db, options);
    clients.push(client);
    return client;
  };
  const numberOf = async (documents: MongoDocuments) =>
    (await documents.progress()).get(spec.name)?.generation as number;

  describe('under epochs', () => {
    const fenced = { code: 'fenced' };

    it('let nobody write, build, serve or drop whose epoch is older than one that was seen', async () => {
      const old = open();
      const { generation } = await old.build(spec, 1, 7);
      const writer = await old.writer(spec, generation, 7);
      await writer.write([put(aPlace(1), 1n)], 1n);
      await old.serve(spec.name, generation, 7);
      const { generation: next } = await old.build(spec, 2, 7);

      const successor = await open().writer(spec, generation, 8);
      await expect(writer.write([put(aPlace(2), 2n)], 2n)).rejects.toMatchObject(fenced);
      await expect(writer.write([], 3n)).rejects.toMatchObject(fenced);
      await expect(old.writer(spec, generation, 7)).rejects.toMatchObject(fenced);
      await expect(old.build(spec, 3, 7)).rejects.toMatchObject(fenced);
      await expect(old.serve(spec.name, next, 7)).rejects.toMatchObject(fenced);
      await expect(old.drop(spec.name, next, 7)).rejects.toMatchObject(fenced);

      expect(await old.collection(spec).count({})).toBe(1);
      expect(await old.generations(spec.name)).toMatchObject({
        serving: { generation, checkpoint: 1n },
        building: [{ generation: next }],
      });
      await successor.write([put(aPlace(2), 2n)], 2n);
      expect(await old.collection(spec).count({})).toBe(2);
    });

    it('let the holder of the newest go on with every generation', async () => {
      const documents = open();
      const first = await documents.build(spec, 1, 3);
      await documents.serve(spec.name, first.generation, 3);
      const second = await documents.build(spec, 2, 4);
      const writer = await documents.writer(spec, first.generation, 4);
      await writer.write([put(aPlace(1), 1n)], 1n);
      await documents.serve(spec.name, second.generation, 5);
      await documents.drop(spec.name, (await documents.build(spec, 3, 5)).generation, 5);
      expect((await documents.generations(spec.name)).building).toEqual([]);
    });

    it('tell the holder of an older one also when he has only put a checkpoint off', async () => {
      const { generation } = await open().build(spec, 1, 1);
      const writer = await open().writer(spec, generation, 1);
      await writer.write([], 1n);
      await writer.write([], 2n);
      await open().writer(spec, generation, 2);
      await expect(
        until(async () => {
          await writer.write([], writer.checkpoint + 1n);
          return undefined;
        }),
      ).rejects.toMatchObject(fenced);
    });
  });

  describe('stamps', () => {
    it('that are the same before and after reading tell that what was read is current', async () => {
      const documents = open();
      const writer = await servePlaces(documents, spec, [aPlace(1, { rank: 0 }), aPlace(2, { rank: 0 })]);
      const reader = open().collection(spec);
      let written = 0;
      const stop = new AbortController();
      const writing = (async () => {
        for (let round = 1; !stop.signal.aborted; round++) {
          const position = BigInt(round + 1);
          const both = [1, 2].map((number) => put(aPlace(number, { rank: round }), position));
          await writer.write(both, position);
          written = round;
          // The pace of the writer is part of the scene: some pauses are long enough for a read between two batches.
          await pause(round % 16);
        }
      })();

      const kept = new Map<string, readonly (number | undefined)[]>();
      let same = 0;
      while (same < 40) {
        const confirmed = written;
        const before = await reader.stamp();
        const ranks = [(await reader.get(placeId(1)))?.rank, (await reader.get(placeId(2)))?.rank];
        const after = await reader.stamp();
        if (before === undefined) continue;
        // What may have been kept when the stamp was first seen is still what there is.
        if (before === after) {
          same++;
          expect(ranks).toEqual([ranks[0], ranks[0]]);
          expect(ranks[0]).toBeGreaterThanOrEqual(confirmed);
          expect(kept.get(before) ?? ranks).toEqual(ranks);
        }
        kept.set(before, kept.get(before) ?? ranks);
      }
      stop.abort();
      await writing;
      expect(written).toBeGreaterThan(1);
    });

    it('are none from before a batch until it is whole, also when somebody else takes over', async () => {
      const documents = open();
      const writer = await servePlaces(documents, spec, [aPlace(1)]);
      const reader = open().collection(spec);
      const before = await reader.stamp();
      const tooLarge = aPlace(3, { about: 'x'.repeat(17_000_000) });
      await expect(writer.write([put(aPlace(2), 5n), put(tooLarge, 9n)], 9n)).rejects.toMatchObject({
        code: 'misuse',
        message: expect.stringContaining('16 MB') as string,
      });
      expect(writer.checkpoint).toBe(1n);
      expect(await reader.stamp()).toBeUndefined();

      const successor = await open().writer(spec, await numberOf(documents), 1);
      await successor.write([put(aPlace(2), 5n)], 5n);
      // Something at the position 9 may still be under way.
      expect(await reader.stamp()).toBeUndefined();
      await successor.write([], 9n);
      expect(await reader.stamp()).toBeTypeOf('string');
      expect(await reader.stamp()).not.toBe(before);
    });

    it('differ from those of a database that was emptied, whatever was written then', async () => {
      const stamps: (string | undefined)[] = [];
      for (const name of ['Before', 'After']) {
        const connection = database.connect();
        const documents = open(undefined, connection);
        await servePlaces(documents, spec, [aPlace(1, { name })]);
        stamps.push(await documents.collection(spec).stamp());
        await connection.db.dropDatabase();
      }
      expect(stamps[0]).not.toBe(stamps[1]);
    });
  });

  describe('switched to another generation', () => {
    it('are never again read from the old one, by any client', async () => {
      const documents = open();
      await servePlaces(documents, spec, [aPlace(1, { name: 'Good' })]);
      const reader = open().collection(spec);
      for (let round = 0; round < 5; round++) {
        await reader.get(placeId(1));
        const { generation, writer } = await buildNew(documents, spec, round + 2);
        await writer.write([put(aPlace(1, { name: `Round ${round}` }), 1n)], 1n);
        await documents.serve(spec.name, generation);
        const [doc, page, count] = await Promise.all([
          reader.get(placeId(1)),
          reader.page({ orderBy: ['number'], limit: 1 }),
          reader.count({ where: { name: `Round ${round}` } }),
        ]);
        expect([doc?.name, page[0]?.name, count]).toEqual([`Round ${round}`, `Round ${round}`, 1]);
      }
    });

    it('keep the old documents for reads that have begun, and then drop them', async () => {
      const connection = database.connect();
      const documents = open({ dropAfterMs: 300 }, connection);
      const collections = async () =>
        (await connection.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
      await servePlaces(documents, spec, [aPlace(1)]);
      const { generation, writer } = await buildNew(documents, spec, 2);
      await writer.write([put(aPlace(1), 1n)], 1n);
      await documents.serve(spec.name, generation);
      expect(await collections()).toContain('places.1');
      await until(async () => !(await collections()).includes('places.1'));
      expect(await collections()).toContain('places.2');
    });

    it('drop the vocabulary of a generation with its documents', async () => {
      const connection = database.connect();
      const documents = open({ dropAfterMs: 0 }, connection);
      const worded = termsSpec('worded', true);
      const collections = async () =>
        (await connection.db.listCollections({}, { nameOnly: true }).toArray())
          .map(({ name }) => name)
          .filter((name) => name.startsWith('worded.'))
          .sort();
      for (const words of ['1old', '1new']) {
        const { generation, writer } = await buildNew(documents, worded);
        await writer.write([put(aPlace(1, { words }), 1n)], 1n);
        await documents.serve(worded.name, generation);
      }
      const left = ['worded.2', 'worded.2.vocabulary'];
      await until(async () => ((await collections()).join() === left.join() ? true : undefined));
      await documents.remove(worded.name);
      expect(await collections()).toEqual([]);
    });

    it('drop what a process has left behind that ended too soon', async () => {
      const connection = database.connect();
      const first = open({ dropAfterMs: 600_000 }, connection);
      await servePlaces(first, spec, [aPlace(1)]);
      await servePlaces(first, spec, [aPlace(2)]);
      await first.close();
      await open({ dropAfterMs: 0 }).writer(spec, 2);
      await until(async () => {
        const there = await connection.db.listCollections({}, { nameOnly: true }).toArray();
        return !there.some(({ name }) => name === 'places.1');
      });
      expect(await open().collection(spec).get(placeId(2))).toStrictEqual(aPlace(2));
    });
  });

  describe('written', () => {
    it('over what somebody else has written since it was looked for, by the position alone', async () => {
      const documents = open();
      const writer = await servePlaces(documents, spec);
      const other = await open().writer(spec, await numberOf(documents));
      const both = [placeId(1), placeId(2)];
      expect((await writer.load(both)).size).toBe(0);
      await other.write([put(aPlace(1, { name: 'Theirs' }), 5n), put(aPlace(2, { name: 'Theirs' }), 5n)], 5n);
      await writer.write([put(aPlace(1, { name: 'Older' }), 4n), put(aPlace(2, { name: 'Newer' }), 6n)], 6n);
      const found = await documents.collection(spec).getMany(both);
      expect(both.map((id) => found.get(id)?.name)).toEqual(['Theirs', 'Newer']);
    });

    it('not at all when one of a batch cannot be', async () => {
      const documents = open();
      const writer = await servePlaces(documents, spec, [aPlace(1)]);
      const stamp = await documents.collection(spec).stamp();
      const impossible = { ...aPlace(3), about: 10n } as unknown as Place;
      await expect(writer.write([put(aPlace(2), 2n), put(impossible, 2n)], 2n)).rejects.toThrow(/BigInt/);
      expect(await documents.collection(spec).count({})).toBe(1);
      expect(await documents.collection(spec).stamp()).toBe(stamp);
      await writer.write([put(aPlace(2), 2n)], 2n);
      expect(await documents.collection(spec).count({})).toBe(2);
    });

    it('those that come first before all others, of which none is written when one of the first cannot be', async () => {
      const documents = open();
      const writer = await servePlaces(documents, spec, [aPlace(1)]);
      const first = (place: Place) => ({ ...put(place, 2n), first: true }) as const;
      const tooLarge = { about: 'x'.repeat(17_000_000) };
      await expect(
        writer.write([put(aPlace(2), 2n), first(aPlace(3)), first(aPlace(4, tooLarge))], 2n),
      ).rejects.toMatchObject({ code: 'misuse' });
      expect(await documents.collection(spec).get(placeId(2))).toBeUndefined();
      await expect(
        writer.write([put(aPlace(2, tooLarge), 2n), put(aPlace(5), 2n), first(aPlace(6))], 2n),
      ).rejects.toMatchObject({ code: 'misuse' });
      expect(await documents.collection(spec).get(placeId(6))).toEqual(aPlace(6));
    });

    it('with few updates where hundreds of batches concern nobody, and the last is soon to be seen', async () => {
      const { connection, commands } = listening(database);
      const documents = open(undefined, connection);
      const writer = await servePlaces(documents, spec);
      const began = performance.now();
      commands.length = 0;
      for (let n = 2n; n <= 400n; n++) await writer.write([], n);
      expect(writer.checkpoint).toBe(400n);
      await until(async () => (await documents.progress()).get(spec.name)?.checkpoint === 400n);
      const rests = (performance.now() - began) / 50;
      expect(commands.filter((command) => command === 'update').length).toBeLessThan(rests + 3);
    });

    it('with the indexes that are declared, whichever somebody has dropped or added', async () => {
      const connection = database.connect();
      const documents = open(undefined, connection);
      const writer = await servePlaces(documents, spec, [aPlace(1)]);
      const rows = connection.db.collection('places.1');
      const indexes = async () =>
        (await rows.listIndexes().toArray()).map(({ name }) => name as string).sort();
      const declared = await indexes();
      expect(declared).toEqual(
        expect.arrayContaining(['_a_1_number_1', '_a_1_rank_1_number_1_city_1_name_1']),
      );
      await rows.dropIndex('_a_1_number_1');
      await rows.createIndexes([{ key: { about: 1 } }]);
      await writer.finish();
      expect(await indexes()).toEqual([...declared, 'about_1'].sort());
    });
  });

  describe('read by many at once', () => {
    it('cost one look at the generations and one at the documents in a turn', async () => {
      const { connection, commands } = listening(database);
      const documents = open(undefined, connection);
      const places = Array.from({ length: 50 }, (_, number) => aPlace(number));
      await servePlaces(documents, spec, places);
      const collection = documents.collection(spec);
      await collection.get(placeId(0));
      commands.length = 0;
      const [found, stamp, many, progress] = await Promise.all([
        Promise.all(places.map(({ number }) => collection.get(placeId(number)))),
        collection.stamp(),
        collection.getMany([placeId(3), placeId(99)]),
        documents.progress(),
      ]);
      const finds = commands.filter((command) => command === 'find').length;
      expect(found).toStrictEqual(places);
      expect([stamp, many.size, progress.size]).toEqual([expect.any(String), 1, 1]);
      expect(finds).toBe(2);
    });
  });

  it('are pages of what is alive, though tombstones lie between', async () => {
    const documents = open();
    const writer = await servePlaces(
      documents,
      spec,
      Array.from({ length: 9 }, (_, number) => aPlace(number)),
    );
    await writer.write(
      [0, 2, 4, 6, 8].map((number) => remove(number, 2n)),
      2n,
    );
    const page = await documents.collection(spec).page({ orderBy: ['number'], limit: 4 });
    expect(page.map(({ number }) => number)).toEqual([1, 3, 5, 7]);
  });

  it('say who is not there without telling the password', async () => {
    const away = database.connect(
      'mongodb://someone:hunter2@127.0.0.1:9/nothing?serverSelectionTimeoutMS=100',
    );
    const error: unknown = await open(undefined, away)
      .progress()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(String(error)).toContain('MONGODB_URL');
    expect(String(error)).not.toContain('hunter2');
  });

  it('notice the progress of another process, which has no way to tell them', async () => {
    const connection = database.connect();
    const documents = open(undefined, connection);
    await servePlaces(documents, spec, [aPlace(1)]);
    await documents.progress();
    const waiting = documents.changed(600_000);
    await connection.db
      .collection<{ _id: string }>('generations')
      .updateOne({ _id: spec.name }, { $set: { 'generations.g1.checkpoint': 9n } });
    await waiting;
    expect((await documents.progress()).get(spec.name)?.checkpoint).toBe(9n);
  });

  it('let go of everybody who waits when they are closed', async () => {
    const documents = open();
    await documents.progress();
    const waiting = documents.changed(600_000);
    await documents.close();
    await waiting;
  });

  it('take a collection with neither indexes nor words', async () => {
    const bare: CollectionSpec<{ readonly id: string }> = { name: 'bare', fields: [], indexes: [] };
    const documents = open();
    const { generation, writer } = await buildNew(documents, bare);
    await writer.write([{ id: 'a', doc: { id: 'a' }, position: 1n }], 1n);
    await writer.finish();
    await documents.serve(bare.name, generation);
    expect(await documents.collection(bare).page({ orderBy: [], limit: 9 })).toStrictEqual([{ id: 'a' }]);
  });
});

describe('a look that many share', () => {
  it('is one for all who ask in a turn, and never one that had begun before the question', async () => {
    const looks: { readonly keys: string[]; readonly answer: (found: string) => void }[] = [];
    const gathered = new BatchPerTick<string, string>(
      (keys) => new Promise((answer) => looks.push({ keys: [...keys], answer })),
    );
    const turn = () => new Promise(setImmediate);

    const first = Promise.all([gathered.ask(['a']), gathered.ask(['b', 'a'])]);
    await turn();
    const second = gathered.ask(['c']);
    await turn();
    expect(looks.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c']]);
    looks[1]?.answer('newer');
    looks[0]?.answer('older');
    expect([await first, await second]).toEqual([['older', 'older'], 'newer']);
  });

  it('fails for all who share it, and for nobody after', async () => {
    let looked = 0;
    const gathered = new BatchPerTick<string, number>(() =>
      ++looked === 1 ? Promise.reject(new Error('away')) : Promise.resolve(looked),
    );
    const failed = await Promise.allSettled([gathered.ask(['a']), gathered.ask(['b'])]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await gathered.ask(['a'])).toBe(2);
  });
});

/** A connection whose commands are noted, but for those of the driver itself. */
function listening(database: TestDatabase): { connection: MongoConnection; commands: string[] } {
  const url = new URL(database.url);
  url.searchParams.set('monitorCommands', 'true');
  const connection = database.connect(url.href);
  const commands: string[] = [];
  connection.db.client.on('commandStarted', ({ commandName }) => commands.push(commandName));
  return { connection, commands };
}
