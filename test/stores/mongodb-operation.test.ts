import { MongoBulkWriteError, MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { isInserted, onServer, takenIn } from '../../src/stores/mongodb-operation.ts';

const refused = (code: number) =>
  Promise.reject(new MongoServerError({ message: 'refused', code, keyPattern: { _id: 1 } }));
const bulkOf = (...codes: readonly number[]) => {
  const writeErrors = codes.map((code, index) => ({
    code,
    index: index * 2,
    err: { keyPattern: { _id: 1 } },
  }));
  const result = { getWriteConcernError: () => undefined, insertedCount: 0 };
  return Promise.reject(
    new MongoBulkWriteError(
      { message: 'refused', code: 11_000, writeErrors: writeErrors as never },
      result as never,
    ),
  );
};

describe('a write to MongoDB', () => {
  it('is told from one whose id is taken, and everything else is a failure', async () => {
    expect(await isInserted(Promise.resolve())).toBe(true);
    expect(await isInserted(refused(11_000))).toBe(false);
    await expect(isInserted(refused(13))).rejects.toThrow('refused');
  });

  it('of several names those whose id is taken, and nothing else', async () => {
    expect(await takenIn(Promise.resolve())).toEqual([]);
    expect(await takenIn(bulkOf(11_000, 11_000))).toEqual([0, 2]);
    await expect(takenIn(bulkOf(11_000, 13))).rejects.toThrow('refused');
    await expect(takenIn(bulkOf())).rejects.toThrow('refused');
    await expect(takenIn(Promise.reject(new Error('away')))).rejects.toThrow('away');
  });

  it('that fails says what it was', async () => {
    await expect(onServer('writing a tile', 'unknown', () => refused(13))).rejects.toThrow(/writing a tile/);
  });
});
