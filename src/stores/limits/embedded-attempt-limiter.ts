import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { sideSchema } from '../side/embedded-writer.ts';
import { openForWriting } from '../sqlite.ts';
import { MemoryAttemptLimiter, secondsOf } from './memory-attempt-limiter.ts';
import type { Limit, AttemptLimiter } from './port.ts';

/** How long a request waits for another process's lock. */
const waitMs = 50;
/** After a failure each process counts alone for this long. */
const awayMs = 1_000;

/**
 * Counts attempts in `side.db`, for all processes of the machine. The counts survive a restart. Commits are not
 * synced: a power cut may give somebody one more attempt. While another holds the lock, goes on with the last count in
 * memory. A sync would cost each sign-in several milliseconds of
 * the request thread; without it a count takes about 30 µs.
 */
export class EmbeddedAttemptLimiters {
  readonly #path: string;
  #db: DatabaseSync | undefined;
  #retryAt = 0;

  constructor(directory: string) {
    this.#path = join(directory, 'side.db');
  }

  limiter(name: string, limit: Limit): AttemptLimiter {
    return new EmbeddedAttemptLimiter(this, name, limit);
  }

  /** Runs a count on the database. Undefined when the database fails: the caller then counts in memory. */
  counted<Answer>(count: (db: DatabaseSync) => Answer): Answer | undefined {
    if (performance.now() < this.#retryAt) return undefined;
    try {
      return count((this.#db ??= this.#open()));
    } catch {
      this.#retryAt = performance.now() + awayMs;
      return undefined;
    }
  }

  close(): void {
    this.#db?.close();
    this.#db = undefined;
  }

  #open(): DatabaseSync {
    const db = openForWriting(this.#path, { ...sideSchema, synchronous: 'NORMAL' });
    db.exec(`PRAGMA busy_timeout = ${waitMs}`);
    return db;
  }
}

/**
 * A window is over when it has expired. It is also over when it ends later than a new one would: the clock was set
 * back.
 */
const isOver = '(expires_at <= $now OR expires_at > $until)';

const takeOne = `
  INSERT INTO entries (name, id, expires_at, value) VALUES ($name, $key, $until, '1')
  ON CONFLICT (name, id) DO UPDATE SET
    value = CASE WHEN ${isOver} THEN '1' ELSE CAST(CAST(value AS INTEGER) + 1 AS TEXT) END,
    expires_at = CASE WHEN ${isOver} THEN $until ELSE expires_at END
  WHERE ${isOver} OR CAST(value AS INTEGER) < $points
  RETURNING CAST(value AS INTEGER) AS used, expires_at`;

/** What was counted in memory while the file was busy: less than none when attempts were given back. */
const addUncounted = `
  INSERT INTO entries (name, id, expires_at, value) VALUES ($name, $key, $end, CAST(max($attempts, 0) AS TEXT))
  ON CONFLICT (name, id) DO UPDATE SET
    value = CASE WHEN ${isOver} THEN excluded.value
      ELSE CAST(min(max(CAST(value AS INTEGER) + $attempts, 0), $points) AS TEXT) END,
    expires_at = CASE WHEN ${isOver} THEN $end ELSE expires_at END`;

const giveOneBack = `
  UPDATE entries SET value = CAST(CAST(value AS INTEGER) - 1 AS TEXT)
  WHERE name = $name AND id = $key AND expires_at > $now AND CAST(value AS INTEGER) > 0`;

/** Attempts of one name. Each key has its own window, which begins with its first attempt. */
class EmbeddedAttemptLimiter implements AttemptLimiter {
  readonly #counts: EmbeddedAttemptLimiters;
  readonly #name: string;
  readonly #limit: Limit;
  readonly #own: MemoryAttemptLimiter;
  #statements: Statements | undefined;

  constructor(counts: EmbeddedAttemptLimiters, name: string, limit: Limit) {
    this.#counts = counts;
    this.#name = `tries.${name}`;
    this.#limit = limit;
    this.#own = new MemoryAttemptLimiter(limit);
  }

  async take(key: string): Promise<number> {
    const wait = this.#counts.counted((db) => {
      const { take, endOf } = this.#on(db);
      const now = Date.now();
      this.#addUncounted(db, key, now);
      const { points } = this.#limit;
      const [$name, $key, $until] = [this.#name, key, now + this.#windowMs];
      const taken = take.get({ $name, $key, $now: now, $until, $points: points }) as
        { used: number; expires_at: number } | undefined;
      if (taken) {
        this.#own.windows.learn(key, taken.used, taken.expires_at - now, now);
        return 0;
      }
      const { expires_at: end = $until } = (endOf.get(this.#name, key) ?? {}) as { expires_at?: number };
      this.#own.windows.learn(key, points, end - now, now);
      return secondsOf(end - now);
    });
    return wait ?? this.#own.take(key);
  }

  async giveBack(key: string): Promise<void> {
    const done = this.#counts.counted((db) =>
      this.#on(db).giveBack.run({ $name: this.#name, $key: key, $now: Date.now() }),
    );
    await this.#own.giveBack(key);
    if (done) this.#own.windows.counted(key, -1, Date.now());
  }

  async forget(key: string): Promise<void> {
    this.#counts.counted((db) => this.#on(db).forget.run(this.#name, key));
    await this.#own.forget(key);
  }

  #addUncounted(db: DatabaseSync, key: string, now: number): void {
    const { uncounted: attempts, endsAt: $end } = this.#own.windows.of(key, now);
    if (attempts === 0) return;
    const [$name, $key, $until, $points] = [this.#name, key, now + this.#windowMs, this.#limit.points];
    this.#on(db).add.run({ $name, $key, $now: now, $until, $end, $attempts: attempts, $points });
    this.#own.windows.counted(key, attempts, now);
  }

  get #windowMs(): number {
    return this.#limit.windowSeconds * 1_000;
  }

  #on(db: DatabaseSync): Statements {
    if (this.#statements?.db !== db) {
      this.#statements = {
        db,
        take: db.prepare(takeOne),
        add: db.prepare(addUncounted),
        endOf: db.prepare('SELECT expires_at FROM entries WHERE name = ? AND id = ?'),
        giveBack: db.prepare(giveOneBack),
        forget: db.prepare('DELETE FROM entries WHERE name = ? AND id = ?'),
      };
    }
    return this.#statements;
  }
}

interface Statements {
  readonly db: DatabaseSync;
  readonly take: StatementSync;
  readonly add: StatementSync;
  readonly endOf: StatementSync;
  readonly giveBack: StatementSync;
  readonly forget: StatementSync;
}
