import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { embeddedCounts } from '../../src/stores/limits/embedded-counts.ts';
import { SharedAttemptLimiter } from '../../src/stores/limits/shared-attempt-limiter.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { attemptLimiterContract } from './limits.ts';

/** Each client as another process would open it. */
function opened() {
  const folder = temporaryFolder();
  const counts: ReturnType<typeof embeddedCounts>[] = [];
  return {
    folder: folder.path,
    open: (name: string, limit: { points: number; windowSeconds: number }) => {
      const each = embeddedCounts(folder.path);
      counts.push(each);
      return new SharedAttemptLimiter(each, name, limit);
    },
    end() {
      for (const each of counts.splice(0)) each.close();
    },
    dispose() {
      this.end();
      folder.remove();
      return Promise.resolve();
    },
  };
}

/** What the file says of a key. */
function usedOf(folder: string, key: string): number {
  const db = new DatabaseSync(join(folder, 'side.db'), { readOnly: true });
  const row = db.prepare('SELECT points FROM limits WHERE key = ?').get(`guess:${key}`) as
    { points: number } | undefined;
  db.close();
  return row?.points ?? 0;
}

attemptLimiterContract('embedded', () => Promise.resolve({ ...opened(), shared: true }));

describe('attempts in the data folder', () => {
  const three = { points: 3, windowSeconds: 60 };
  let under: ReturnType<typeof opened>;
  beforeEach(() => {
    under = opened();
  });
  afterEach(() => under.dispose());

  it('are still counted when every process has ended and another has begun', async () => {
    const key = randomUUID();
    const before = under.open('guess', three);
    for (let n = 0; n < 3; n++) expect(await before.take(key)).toBe(0);
    under.end();
    expect(await under.open('guess', three).take(key)).toBeGreaterThan(50);
  });

  it('lock nobody out for longer than a window when the clock was set back', async () => {
    const key = randomUUID();
    const limiter = under.open('guess', three);
    for (let n = 0; n < 4; n++) await limiter.take(key);
    const db = new DatabaseSync(join(under.folder, 'side.db'));
    db.prepare('UPDATE limits SET expire = ?').run(Date.now() + 365 * 86_400_000);
    db.close();
    expect(await limiter.take(key)).toBe(0);
  });

  it('go on with the last count while another holds the lock, and are then again counted together', async () => {
    const key = randomUUID();
    const limiter = under.open('guess', three);
    await limiter.take(key);
    const db = new DatabaseSync(join(under.folder, 'side.db'));
    db.exec('BEGIN IMMEDIATE');
    const waits: number[] = [];
    for (let n = 0; n < 4; n++) waits.push(await limiter.take(key));
    expect(waits.map((seconds) => seconds > 0)).toEqual([false, false, true, true]);
    db.exec('ROLLBACK');
    db.close();
    await until(async () => {
      expect(await limiter.take(key)).toBeGreaterThan(50);
      return usedOf(under.folder, key) === 3;
    });
    expect(await under.open('guess', three).take(key)).toBeGreaterThan(50);
  });

  it('are not doubled by a file that is busy again and again', async () => {
    const limiter = under.open('guess', { points: 10, windowSeconds: 60 });
    const key = randomUUID();
    let passed = 0;
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 3; n++) passed += (await limiter.take(key)) === 0 ? 1 : 0;
      const db = new DatabaseSync(join(under.folder, 'side.db'));
      db.exec('BEGIN IMMEDIATE');
      for (let n = 0; n < 3; n++) passed += (await limiter.take(key)) === 0 ? 1 : 0;
      db.exec('ROLLBACK');
      db.close();
    }
    expect(passed).toBe(10);
  });

  it('give back what was given back while the file was busy', async () => {
    const limiter = under.open('guess', three);
    const key = randomUUID();
    for (let n = 0; n < 3; n++) await limiter.take(key);
    const db = new DatabaseSync(join(under.folder, 'side.db'));
    db.exec('BEGIN IMMEDIATE');
    await limiter.giveBack(key);
    db.exec('ROLLBACK');
    db.close();
    await until(async () => {
      const other = randomUUID();
      await limiter.take(other);
      return usedOf(under.folder, other) === 1;
    });
    expect(usedOf(under.folder, key)).toBe(3);
    expect(await limiter.take(key)).toBe(0);
    expect(await limiter.take(key)).toBeGreaterThan(0);
  });
});
