import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import RateLimiterSQLite from 'rate-limiter-flexible/lib/RateLimiterSQLite.js';
import { sideSchema } from '../side/embedded-writer.ts';
import { openForWriting, Statements } from '../sqlite.ts';
import { SharedCounts } from './shared-counts.ts';

/** How long a request waits for another process's lock. */
const waitMs = 50;

/** As rate-limiter-flexible has it. */
const table = `
  CREATE TABLE IF NOT EXISTS limits (key TEXT PRIMARY KEY, points INTEGER NOT NULL, expire INTEGER) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS limits_by_expiry ON limits (expire)`;

/**
 * The table `limits` of `side.db`, shared by all processes of the machine. The counts survive a restart. Commits are not
 * synced: a power cut may give somebody one more attempt. A sync would cost each sign-in several milliseconds of the
 * request thread.
 */
export function embeddedCounts(directory: string): SharedCounts & { close(): void } {
  let db: DatabaseSync | undefined;
  let statements: Statements | undefined;
  const of = (sql: string) => (statements ??= new Statements(open())).of(sql);
  const open = () => {
    db ??= openForWriting(join(directory, 'side.db'), { ...sideSchema, synchronous: 'NORMAL' }, table);
    db.exec(`PRAGMA busy_timeout = ${waitMs}`);
    return db;
  };
  const counts = new SharedCounts({
    limiter: (options) =>
      new RateLimiterSQLite({
        ...options,
        // What the library asks of better-sqlite3. A count is one statement, so it needs no transaction.
        storeClient: { prepare: of, transaction: (work: unknown) => work },
        storeType: 'better-sqlite3',
        tableName: 'limits',
        tableCreated: true,
      }),
    prepare: async () => void open(),
    sweep: async (now) => void of('DELETE FROM limits WHERE expire <= ?').run(now.getTime()),
  });
  return Object.assign(counts, {
    close() {
      db?.close();
      db = statements = undefined;
    },
  });
}
