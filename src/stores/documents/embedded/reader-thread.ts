import { parentPort, workerData } from 'node:worker_threads';
import { storeError } from '../../sqlite.ts';
import { giveBackAfterStart } from '../../thread-memory.ts';
import type { ReaderMessage, ReaderReply } from './reader-client.ts';
import { SearchConnection } from './search-connection.ts';

/** Runs searches of its process on a connection of its own, so that a long one never blocks a request. */
const { path } = workerData as { path: string };
const port = parentPort;
if (!port) throw new Error('reader-thread.ts runs as a worker thread');

const connection = new SearchConnection(path);
giveBackAfterStart();

port.on('message', (message: ReaderMessage) => {
  if (message.kind === 'close') {
    connection.close();
    port.close();
    return;
  }
  // One message for all: to wake the other thread takes as long as a short search.
  port.postMessage(message.calls.map(({ call, sql, values }) => answer(call, sql, values)));
});
// The thread has started: it answered nothing yet.
port.postMessage([]);

function answer(call: number, sql: string, values: readonly (string | number)[]): ReaderReply {
  try {
    return { call, values: connection.values(sql, values) };
  } catch (error) {
    const { code, message } = storeError(error, path);
    return { call, error: { code, message } };
  }
}
