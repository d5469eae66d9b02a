import { parentPort, workerData } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';
import { openForReading, Statements, storeError } from '../../sqlite.ts';
import { addMatchesTerms } from './matches-terms.ts';
import type { ReaderMessage, ReaderReply } from './reader-client.ts';

/**
 * Runs searches of its process on a connection of its own, so that a long one never blocks a request. It knows nothing
 * of collections: it gets statements with their values, and answers with rows.
 */
const { path } = workerData as { path: string };
const port = parentPort;
if (!port) throw new Error('reader-thread.ts runs as a worker thread');

/** The statements of a dropped generation are useless, and nobody tells the thread of them. */
const mostStatements = 200;

let connection: { readonly db: DatabaseSync; readonly statements: Statements } | undefined;

port.on('message', (message: ReaderMessage) => {
  if (message.kind === 'close') {
    connection?.db.close();
    port.close();
    return;
  }
  // One message for all: to wake the other thread takes as long as a short search.
  port.postMessage(message.calls.map(({ call, sql, values }) => answer(call, sql, values)));
});

function answer(call: number, sql: string, values: readonly (string | number)[]): ReaderReply {
  try {
    // Opened again with the next call, when the file could not be opened.
    connection ??= opened();
    if (connection.statements.size > mostStatements) connection.statements.clear();
    const rows = connection.statements.arraysOf(sql).all(...values) as unknown as (
      string | number | null
    )[][];
    return { call, values: rows.flat() };
  } catch (error) {
    const { code, message } = storeError(error, path);
    return { call, error: { code, message } };
  }
}

function opened() {
  const db = openForReading(path);
  addMatchesTerms(db);
  return { db, statements: new Statements(db) };
}
