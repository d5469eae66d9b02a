import type { Schema } from '../../sqlite.ts';

/**
 * `views.db` may be deleted while nothing runs; the next start builds it anew. So NORMAL is enough: a power cut
 * can undo the newest batches together with their checkpoints, and they are folded again.
 */
export const viewsSchema: Schema = {
  version: 1,
  synchronous: 'NORMAL',
  sql: `
    CREATE TABLE generations (
      name TEXT NOT NULL,
      generation INTEGER NOT NULL,
      version INTEGER NOT NULL,
      serving INTEGER NOT NULL,
      finished INTEGER NOT NULL,
      checkpoint INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      PRIMARY KEY (name, generation)
    ) STRICT, WITHOUT ROWID;
  `,
};

/** Not in the schema: releases that know nothing of it go on with such a file. */
export const lastEventsTable = `
  CREATE TABLE IF NOT EXISTS last_events (
    name TEXT NOT NULL,
    generation INTEGER NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (name, generation)
  ) STRICT, WITHOUT ROWID`;

export interface GenerationRow {
  readonly name: string;
  readonly generation: number;
  readonly version: number;
  readonly serving: number;
  readonly finished: number;
  readonly checkpoint: number;
  /** The checkpoint of the newest batch that changed a document. */
  readonly changed: number;
  readonly last_position: number | null;
  readonly last_id: string | null;
}

/** The channel on which a process's threads tell one another that a read model has moved on. */
export const progressChannel = (path: string): string => `commonweal-views:${path}`;
