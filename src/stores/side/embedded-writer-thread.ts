import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { StoreError } from '../errors.ts';
import { giveBackAfterStart } from '../thread-memory.ts';
import { SideWriter, type SideWrite } from './embedded-writer.ts';
import type { SideThreadMessage, SideThreadReply } from './embedded-writer-client.ts';

/** Commits side entries, so that the thread that makes them does not wait for the disk. */
const { path } = workerData as { path: string };
if (!parentPort) throw new Error('embedded-writer-thread.ts runs as a worker thread');
const port = parentPort;
const writer = new SideWriter(path);
giveBackAfterStart();

/** Batches that one transaction takes. */
const mostBatches = 200;

port.on('message', (first: SideThreadMessage) => {
  const messages = [first];
  // What has arrived during the last commit shares the next one.
  while (messages.length < mostBatches) {
    const next = receiveMessageOnPort(port) as { message: SideThreadMessage } | undefined;
    if (!next) break;
    messages.push(next.message);
  }
  const batches = messages.filter((message) => message !== 'close');
  if (batches.length > 0) port.postMessage(committed(batches));
  if (batches.length === messages.length) return;
  writer.close();
  port.close();
});

function committed(batches: readonly { readonly call: number; readonly writes: readonly SideWrite[] }[]) {
  const calls = batches.map(({ call }) => call);
  try {
    const changes = writer.commit(batches.flatMap(({ writes }) => writes));
    let from = 0;
    const replies = batches.map(({ call, writes }) => ({
      call,
      changes: changes.slice(from, (from += writes.length)),
    }));
    return { replies } satisfies SideThreadReply;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { code, message, outcome } = error;
    return { calls, error: { code, message, outcome } } satisfies SideThreadReply;
  }
}
