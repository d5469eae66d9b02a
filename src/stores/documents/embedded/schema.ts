import type { Schema } from '../../sqlite.ts';

/**
 * `views.db` may be deleted while nothing runs; the next start rebuilds it. So NORMAL is enough: a power cut can
 * undo the newest batches with their checkpoints, and they are folded again.
 */
export const viewsSchema: Schema = {
  version: 1,
  synchronous: 'NORMAL',
  madeFromLog: true,
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

/** Not part of the schema, so that older releases still open the file. */
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

/** The channel on which threads announce that a checkpoint has advanced. */
export const progressChannel = (path: string): string => `commonweal-views:${path}`;
