import { setImmediate } from 'node:timers/promises';
import { throttle } from '../../ground/throttle.ts';
import { pagesOf, type EventStore, type RecordedEvent } from '../../stores/event-store/port.ts';

/** An event and its place in the proof log. */
export interface Leaf {
  readonly index: number;
  readonly event: RecordedEvent;
}

/** Short, because an event may have a megabyte. */
const pageSize = 200;
/** Hashed and written in one turn of the thread: some milliseconds. */
const handedOn = 50;

/**
 * The first `size` leaves of the proof log: the installation's events in the order of the log. Half of the thread is left
 * to others.
 */
export async function* ownLeaves(
  store: EventStore,
  size: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly Leaf[]> {
  const rest = throttle();
  let next = 0;
  if (size === 0) return;
  for await (const { events } of pagesOf(store, { limit: pageSize })) {
    signal?.throwIfAborted();
    for (let from = 0; from < events.length && next < size; from += handedOn) {
      const part = events.slice(from, from + Math.min(handedOn, size - next));
      const first = next;
      next += part.length;
      yield part.map((event, place) => ({ index: first + place, event }));
      await (rest() ?? setImmediate());
    }
    if (next >= size) return;
  }
}
