import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MongoSideStore } from '../../src/stores/side/mongodb.ts';
import { mongodbUrl, testDatabase, withoutMongodb, type TestDatabase } from '../support/mongodb.ts';
import { sideJournalContract } from './side-journal.ts';
import { sideStoreContract } from './side.ts';

describe.skipIf(mongodbUrl === undefined)('on a server', () => {
  const openStore = () => {
    const database = testDatabase(mongodbUrl ?? '');
    const stores: MongoSideStore[] = [];
    const open = () => {
      const store = new MongoSideStore(database.connect().db);
      stores.push(store);
      return store;
    };
    return Promise.resolve({
      side: open(),
      another: () => Promise.resolve(open()),
      dispose: async () => {
        for (const store of stores) await store.close();
        await database.dispose();
      },
    });
  };
  sideStoreContract(`MongoDB${withoutMongodb}`, openStore);
  sideJournalContract(`MongoDB${withoutMongodb}`, openStore);
});

describe.skipIf(mongodbUrl === undefined)(`the side store in MongoDB${withoutMongodb}`, () => {
  let database: TestDatabase;

  beforeEach(() => {
    database = testDatabase(mongodbUrl ?? '');
  });
  afterEach(() => database.dispose());

  const open = () => new MongoSideStore(database.connect().db);
  const past = new Date('2020-01-01T00:00:00Z');

  it('removes expired entries by itself, so that it does not grow for ever', async () => {
    const before = open();
    const table = before.table('t');
    await table.put('swept at once', 1);
    await Promise.all(Array.from({ length: 20 }, (_, n) => table.put(`old-${n}`, n, past)));
    await before.close();
    const after = open();
    await after.table('t').put('new', 1);
    await after.close();
    const left = database.connect().db.collection('side.t');
    expect(await left.countDocuments()).toBe(2);
  });

  it.each([
    ['first what is complete', ['complete', 'open']],
    ['first what is open', ['open', 'complete']],
    ['only what is open', ['open']],
  ])('makes the index of what is open, when a journal is given %s', async (_, order) => {
    const store = open();
    const journal = store.journal('j');
    for (const step of order) {
      if (step === 'open') await journal.open('one', 'a', 1);
      else await journal.complete('one', 'b', 2, new Date(Date.now() + 60_000));
      // Waits for what a batch is followed by.
      await store.close();
    }
    expect(await indexedFields('side.j')).toEqual(expect.arrayContaining(['open', 'expires_at']));
  });

  it('makes the index of what expires for a table in which entries are only put where there is none', async () => {
    const store = open();
    await store.table('t').putIfAbsent('a', 1, past);
    await store.close();
    expect(await indexedFields('side.t')).toContain('expires_at');
  });

  const indexedFields = async (collection: string) =>
    (await database.connect().db.collection(collection).indexes()).map(({ key }) => Object.keys(key)[0]);

  it('sends what is put in one turn in one command, and of one id the last', async () => {
    const watched = await watchedStore(database);
    const table = watched.store.table('t');
    await table.put('first', 0);
    await watched.store.close();
    watched.commands.length = 0;
    await Promise.all(Array.from({ length: 300 }, (_, n) => table.put(String(n % 100), n)));
    expect(watched.commands).toEqual(['update']);
    expect(await table.list()).toHaveLength(101);
    expect(await table.get('99')).toBe(299);
    await watched.close();
  });

  it('lets the others through when one client after the other is first to put an id', async () => {
    const stores = [open(), open(), open()];
    for (let round = 0; round < 10; round++) {
      const ids = Array.from({ length: 20 }, (_, n) => `${round}-${n}`);
      await Promise.all(stores.flatMap((store) => ids.map((id) => store.table('t').put(id, id))));
    }
    expect(await open().table('t').list()).toHaveLength(200);
    for (const store of stores) await store.close();
  });

  it('refuses a value larger than a document, and lets those beside it through', async () => {
    const store = open();
    const table = store.table('t');
    const outcomes = await Promise.allSettled([
      table.put('a', 1),
      table.put('b', 'x'.repeat(17 * 1_024 * 1_024)),
      table.put('c', 'x'.repeat(1_024 * 1_024)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await store.close();
  });

  it('refuses a name that no collection may have', () => {
    for (const name of ['', 'a b', 'a$', 'a.b', 'a\u0000']) expect(() => open().table(name)).toThrow(/name/);
  });
});

/** A store, and the names of the commands that it sends. */
async function watchedStore(database: TestDatabase) {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(database.url, { monitorCommands: true });
  const commands: string[] = [];
  client.on('commandStarted', ({ commandName }) => commands.push(commandName));
  return { store: new MongoSideStore(client.db()), commands, close: () => client.close() };
}
