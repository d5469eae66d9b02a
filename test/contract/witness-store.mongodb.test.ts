import { describe } from 'vitest';
import { MongoWitnessStore } from '../../src/stores/side/mongodb-witness.ts';
import { mongodbUrl, testDatabase, withoutMongodb } from '../support/mongodb.ts';
import { witnessStoreContract } from './witness-store.ts';

describe.skipIf(mongodbUrl === undefined)('on a server', () => {
  witnessStoreContract(`MongoDB${withoutMongodb}`, () => {
    const database = testDatabase(mongodbUrl ?? '');
    const open = () => new MongoWitnessStore(database.connect().db);
    return Promise.resolve({ store: open(), another: open, dispose: () => database.dispose() });
  });
});
