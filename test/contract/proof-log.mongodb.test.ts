import { describe, expect, it } from 'vitest';
import { MongoProofLog } from '../../src/stores/side/mongodb-proof-log.ts';
import { mongodbUrl, testDatabase, withoutMongodb } from '../support/mongodb.ts';
import { proofLogContract } from './proof-log.ts';

describe.skipIf(mongodbUrl === undefined)('on a server', () => {
  proofLogContract(`MongoDB${withoutMongodb}`, () => {
    const database = testDatabase(mongodbUrl ?? '');
    const open = () => new MongoProofLog(database.connect().db);
    return Promise.resolve({ proofLog: open(), another: open, dispose: () => database.dispose() });
  });

  it(`a checkpoint that a crash left out of the list is listed, and added with the next one${withoutMongodb}`, async () => {
    const database = testDatabase(mongodbUrl ?? '');
    const { db } = database.connect();
    const log = new MongoProofLog(db);
    const tree = (size: number) => ({ size, note: `note ${size}`, signedAt: '2026-01-01T00:00:00.000Z' });
    await log.add(tree(1), { extends: 0, epoch: 1 });
    await log.add(tree(2), { extends: 1, epoch: 1 });
    await db.collection<{ _id: number }>('proof.checkpoints').deleteOne({ _id: 2 });
    expect(await log.checkpoints({ limit: 5 })).toEqual([tree(1), tree(2)]);
    await log.add(tree(3), { extends: 2, epoch: 1 });
    expect(await log.checkpoints({ limit: 5 })).toEqual([tree(1), tree(2), tree(3)]);
    expect(await db.collection('proof.checkpoints').countDocuments()).toBe(3);
    await database.dispose();
  });
});
