import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ResourceLimits, Worker } from 'node:worker_threads';

/**
 * The young generation of a thread that passes things on: a writer, a reader. What it makes is
 * garbage as soon as it is passed on, so little survives a collection, however often there is one. V8 would let it grow to
 * 48 MB in each thread, and give them back late.
 */
export const smallYoungGeneration: ResourceLimits = { maxYoungGenerationSizeMb: 6 };

/**
 * For threads that hold much data while they work, which each collection would copy: the projector holds batches of some
 * thousand events, the dispatcher up to 200 attempts and the events of its fan-out. With 6 MB the dispatcher spent a fifth
 * of its time on collecting garbage.
 */
export const batchYoungGeneration: ResourceLimits = { maxYoungGenerationSizeMb: 24 };

/** Asks a thread to end when it has done what it was asked before. One that has not ended by then is ended. */
export async function endThread(worker: Worker, request: unknown, withinMs: number): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.ref();
  worker.postMessage(request);
  const late = setTimeout(() => void worker.terminate(), withinMs);
  await ended;
  clearTimeout(late);
}

/**
 * A whole collection of this thread's heap that also returns the room for new objects, and moves together what is left. An
 * ordinary one keeps both. Takes 30 ms in a small thread, 130 in that of the requests.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void;
  collect({ type: 'major', flavor: 'last-resort' });
}

const startedMs = 5_000;

/** For a thread that never has much: gives back what its start has left, two fifths of its heap. */
export function giveBackAfterStart(): void {
  setTimeout(giveBackMemory, startedMs).unref();
}
