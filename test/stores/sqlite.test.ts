import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../src/stores/errors.ts';
import { openForReading, openForWriting, transaction, type Schema } from '../../src/stores/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';

const schema: Schema = { version: 2, synchronous: 'NORMAL', sql: 'CREATE TABLE t (a); CREATE TABLE u (a)' };

describe('opening a database', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;

  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder.path, 'some.db');
  });
  afterEach(() => folder.remove());

  it('makes its tables once, and finds them the next time', () => {
    const first = openForWriting(path, schema);
    first.exec('INSERT INTO t VALUES (1)');
    first.close();
    const second = openForWriting(path, schema);
    expect(second.prepare('SELECT a FROM t').all()).toEqual([{ a: 1 }]);
    second.close();
  });

  it('is refused while the log of a file that is gone is there, which may hold its newest rows', () => {
    writeFileSync(`${path}-wal`, 'the newest rows');
    expect(() => openForWriting(path, schema)).toThrow(
      /some\.db: is gone, and .*some\.db-wal of it is there/,
    );
    expect(readFileSync(`${path}-wal`, 'utf8')).toBe('the newest rows');
    expect(existsSync(path)).toBe(false);
    openForWriting(path, { ...schema, madeFromLog: true }).close();
  });

  it('makes all of its tables or none', () => {
    expect(() => openForWriting(path, { ...schema, sql: 'CREATE TABLE t (a); CREATE TABLE t (a)' })).toThrow(
      /already exists/,
    );
    const db = openForWriting(path, schema);
    expect(db.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 0 });
    db.close();
  });

  it('gives one schema to several who open a new file at the same moment', async () => {
    const siblings = 4;
    const ready = new Int32Array(new SharedArrayBuffer(4));
    const workers = Array.from(
      { length: siblings },
      () =>
        new Worker(new URL('./fixtures/open-database.ts', import.meta.url), {
          workerData: { path, ready, siblings },
        }),
    );
    const said = await Promise.all(
      workers.map(async (worker) => (await once(worker, 'message'))[0] as string),
    );
    expect(said).toEqual(workers.map(() => 'opened'));
    await Promise.all(workers.map((worker) => worker.terminate()));
  });

  it.each([
    { found: 1, says: /has format 1; this version writes 2/ },
    { found: 3, says: /written by a newer version of Commonweal \(format 3; this one writes 2\)/ },
  ])('refuses a file of format $found and leaves it as it is', ({ found, says }) => {
    openForWriting(path, { ...schema, version: found }).close();
    const opening = () => openForWriting(path, schema);
    expect(opening).toThrow(says);
    expect(opening).toThrow(expect.objectContaining({ code: 'incompatible' }) as Error);
    openForWriting(path, { ...schema, version: found }).close();
  });

  it('refuses a file that is no database', () => {
    writeFileSync(path, 'This is a text that somebody has put in the wrong place. '.repeat(100));
    for (const opening of [
      () => openForWriting(path, schema),
      () => openForReading(path).prepare('SELECT * FROM t'),
    ]) {
      expect(opening).toThrow(/not a database/);
    }
    expect(() => openForWriting(path, schema)).toThrow(
      expect.objectContaining({ code: 'incompatible' }) as Error,
    );
  });

  it('refuses a folder that is not there, in a sentence that says what to look at', () => {
    const elsewhere = join(folder.path, 'nowhere', 'some.db');
    for (const opening of [() => openForWriting(elsewhere, schema), () => openForReading(elsewhere)]) {
      expect(opening).toThrow(/nowhere\/some\.db: cannot be opened; is the data folder there and writable\?/);
      expect(opening).toThrow(StoreError);
    }
  });
});

describe('a transaction', () => {
  it('happens as a whole, or not at all when something in it throws', () => {
    const folder = temporaryFolder();
    const db = openForWriting(join(folder.path, 'some.db'), schema);
    const count = () => (db.prepare('SELECT count(*) AS n FROM t').get() as { n: number }).n;
    expect(transaction(db, () => db.prepare('INSERT INTO t VALUES (1)').run().changes)).toBe(1);
    const failing = () =>
      transaction(db, () => {
        db.exec('INSERT INTO t VALUES (2)');
        throw new Error('halfway');
      });
    expect(failing).toThrow('halfway');
    expect(count()).toBe(1);
    expect(db.isTransaction).toBe(false);
    db.close();
    folder.remove();
  });
});
