import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedAttemptLimiters } from '../../src/stores/limits/embedded-attempt-limiter.ts';
import { temporaryFolder } from '../support/folder.ts';
import { attemptLimiterContract } from './limits.ts';

/** Each client as another process would open it. */
function opened() {
  const folder = temporaryFolder();
  const counts: EmbeddedAttemptLimiters[] = [];
  return {
    folder: folder.path,
    open: (name: string, limit: { points: number; windowSeconds: number }) => {
      const each = new EmbeddedAttemptLimiters(folder.path);
      counts.push(each);
      return each.limiter(name, limit);
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
    db.prepare('UPDATE entries SET expires_at = ?').run(Date.now() + 365 * 86_400_000);
    db.close();
    expect(await limiter.take(key)).toBe(0);
  });

  it('are counted by each process for itself while another holds the lock, and are then again together', async () => {
    const key = randomUUID();
    const limiter = under.open('guess', three);
    await limiter.take(key);
    const db = new DatabaseSync(join(under.folder, 'side.db'));
    db.exec('BEGIN IMMEDIATE');
    const waits: number[] = [];
    for (let n = 0; n < 4; n++) waits.push(await limiter.take(key));
    expect(waits.map((seconds) => seconds > 0)).toEqual([false, false, false, true]);
    db.exec('ROLLBACK');
    db.close();
    const other = under.open('guess', three);
    expect([await other.take(key), await other.take(key)]).toEqual([0, 0]);
    expect(await other.take(key)).toBeGreaterThan(0);
  });
});
