import type { EventStore } from '../stores/event-store/port.ts';

/** By stream: resolves when the last work in the queue has ended. */
const queues = new WeakMap<EventStore, Map<string, Promise<void>>>();

/**
 * Runs work on a stream after all earlier work on it in this process. Used after a conflict: without it, fifty commands
 * on one stream need so many attempts on a busy machine that some give up.
 *
 * The work must not run commands on the same stream: they would wait for each other.
 */
export async function runInStreamQueue<Result>(
  store: EventStore,
  stream: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const queue = queues.get(store) ?? new Map<string, Promise<void>>();
  queues.set(store, queue);
  const result = (queue.get(stream) ?? Promise.resolve()).then(work);
  const ended = result.then(ignore, ignore);
  queue.set(stream, ended);
  try {
    return await result;
  } finally {
    if (queue.get(stream) === ended) queue.delete(stream);
  }
}

const ignore = (): void => undefined;
