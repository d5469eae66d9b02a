import { randomBytes } from 'node:crypto';
import { afterAll, describe } from 'vitest';
import { mongodbUrl, testDatabase, withoutMongodb, type TestDatabase } from '../support/mongodb.ts';
import { nearContract } from './near.ts';

describe.skipIf(mongodbUrl === undefined)(`near, on MongoDB${withoutMongodb}`, () => {
  let database: TestDatabase;
  nearContract(() => {
    database = testDatabase(mongodbUrl ?? '');
    return { MONGODB_URL: database.url, MASTER_KEY: randomBytes(32).toString('base64') };
  });
  afterAll(() => database.dispose());
});
