import type { EventStore } from '../stores/event-store/port.ts';

/** Per stream, resolves when the last work in the queue has ended. */
const queues = new WeakMap<EventStore, Map<string, Promise<void>>>();

/**
 * Runs work on a stream when all earlier work on it in this process has ended. Commands that met in a conflict go on
 * like this: without it, fifty commands on one stream need so many attempts on a busy machine that some give up.
 * The work must not run commands on the same stream itself: they would wait for each other.
 */
export async function inTurn<Result>(
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
