import { setImmediate } from 'node:timers/promises';
import { beginning, type EventStore, type RecordedEvent } from '../../stores/event-store/port.ts';

/** An event and its place in the proof log. */
export interface Leaf {
  readonly index: number;
  readonly event: RecordedEvent;
}

/** Short, because an event may have a megabyte. */
const pageSize = 500;

/**
 * The first `size` leaves of the proof log: the installation's events in the order of the log. Other work of the
 * process has its turn between two pages.
 */
export async function* ownLeaves(
  store: EventStore,
  size: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly Leaf[]> {
  let next = 0;
  for (let after = beginning; next < size;) {
    signal?.throwIfAborted();
    const { events, position } = await store.readAll({ after, limit: pageSize });
    if (position === after) return;
    after = position;
    yield events.slice(0, size - next).map((event, place) => ({ index: next + place, event }));
    next += events.length;
    await setImmediate();
  }
}
