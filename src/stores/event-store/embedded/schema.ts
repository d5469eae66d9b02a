import type { Schema } from '../../sqlite.ts';

/**
 * One table. `position` is the row id, assigned under the write lock: readers never see a gap that is filled later.
 * The type column is before the data, so that a filtered scan does not read the payload pages.
 */
export const eventsSchema: Schema = {
  version: 1,
  synchronous: 'FULL',
  sql: `
    CREATE TABLE events (
      position INTEGER PRIMARY KEY,
      stream TEXT NOT NULL,
      revision INTEGER NOT NULL,
      id TEXT NOT NULL,
      type TEXT NOT NULL,
      metadata TEXT NOT NULL,
      data TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
    CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
      BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
    CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
      BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
  `,
};
