import { randomBytes } from 'node:crypto';
import { Binary } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MongoVault } from '../../src/stores/vault/mongodb.ts';
import { keyRing } from '../../src/ground/master-key.ts';
import { mongodbUrl, testDatabase, withoutMongodb, type TestDatabase } from '../support/mongodb.ts';
import { vaultContract } from './vault.ts';

describe.skipIf(mongodbUrl === undefined)('on a server', () => {
  vaultContract(`MongoDB${withoutMongodb}`, () => {
    const database = testDatabase(mongodbUrl ?? '');
    const masterKey = randomBytes(32);
    const open = (key: Uint8Array = masterKey, previous?: Uint8Array) =>
      new MongoVault(database.connect().db, previous ? keyRing(key, previous) : key);
    return Promise.resolve({
      vault: open(),
      another: (key, previous) => Promise.resolve(open(key, previous)),
      masterKey,
      dispose: () => database.dispose(),
    });
  });
});

describe.skipIf(mongodbUrl === undefined)(`the documents of the vault in MongoDB${withoutMongodb}`, () => {
  let database: TestDatabase;
  let vault: MongoVault;

  beforeEach(() => {
    database = testDatabase(mongodbUrl ?? '');
    vault = new MongoVault(database.connect().db, randomBytes(32));
  });
  afterEach(() => database.dispose());

  const documents = () => database.connect().db.collection<{ _id: string; sealed: Binary }>('vault');
  const sealed = async (name: string): Promise<Uint8Array> => {
    const found = await documents().findOne({ _id: name });
    return found?.sealed.value() ?? new Uint8Array();
  };
  const exchange = (name: string, bytes: Uint8Array) =>
    documents().updateOne({ _id: name }, { $set: { sealed: new Binary(bytes) } });

  it('never hold a secret in clear', async () => {
    const secret = Buffer.from('correct horse battery staple');
    await vault.put('a', secret);
    await vault.putIfAbsent('b', secret);
    for (const name of ['a', 'b']) {
      const bytes = Buffer.from(await sealed(name));
      expect(bytes.length).toBeGreaterThan(secret.length);
      expect(bytes.includes(secret)).toBe(false);
    }
  });

  it('never seal two secrets alike, and let none pass for another', async () => {
    await vault.put('a', Buffer.from('same'));
    await vault.put('b', Buffer.from('same'));
    expect(Buffer.compare(await sealed('a'), await sealed('b'))).not.toBe(0);
    await exchange('b', await sealed('a'));
    await expect(vault.get('b')).rejects.toMatchObject({ code: 'incompatible' });
  });

  it('are refused when bytes were changed or cut off', async () => {
    await vault.put('a', Buffer.from('secret'));
    const good = await sealed('a');
    const flipped = Uint8Array.from(good, (byte, n) => (n === good.length - 1 ? byte ^ 1 : byte));
    for (const bad of [flipped, good.subarray(0, 30), good.subarray(0, 12), new Uint8Array()]) {
      await exchange('a', bad);
      await expect(vault.get('a')).rejects.toMatchObject({ code: 'incompatible' });
    }
  });

  it('are gone when their secrets are deleted', async () => {
    await vault.put('a', Buffer.from('secret'));
    await vault.delete('a');
    expect(await documents().countDocuments()).toBe(0);
  });
});
