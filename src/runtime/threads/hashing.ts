import { parentPort, workerData } from 'node:worker_threads';
import { hashRange, type LogRange } from '../../audit/verify/hash-range.ts';
import { openSystem } from '../../container.ts';
import type { ThreadData } from './thread.ts';
import { messageOf } from '../../ground/store-error.ts';

/** A thread of a command that verifies the log: reads parts of it and computes their leaves. */
const { config } = workerData as Pick<ThreadData, 'config'>;
const system = await openSystem(config);
parentPort?.on('message', (message: 'stop' | { readonly number: number; readonly range: LogRange }) => {
  void answer(message);
});

async function answer(message: 'stop' | { readonly number: number; readonly range: LogRange }) {
  if (message === 'stop') {
    await system.close();
    parentPort?.close();
    return;
  }
  const { number, range } = message;
  try {
    const hashed = await hashRange(system.store, range);
    const { hashes, positions, streams, revisions } = hashed;
    parentPort?.postMessage({ number, hashed }, [
      hashes.buffer,
      positions.buffer,
      streams.buffer,
      revisions.buffer,
    ]);
  } catch (error) {
    parentPort?.postMessage({ number, failed: messageOf(error) });
  }
}
