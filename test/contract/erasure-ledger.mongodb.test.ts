import { describe } from 'vitest';
import { MongoErasureLedger } from '../../src/stores/vault/mongodb-erasure-ledger.ts';
import { mongodbUrl, testDatabase, withoutMongodb } from '../support/mongodb.ts';
import { erasureLedgerContract } from './erasure-ledger.ts';

describe.skipIf(mongodbUrl === undefined)('on a server', () => {
  erasureLedgerContract(`MongoDB${withoutMongodb}`, () => {
    const database = testDatabase(mongodbUrl ?? '');
    const open = () => new MongoErasureLedger(database.connect().db);
    return Promise.resolve({ ledger: open(), another: open, dispose: () => database.dispose() });
  });
});
