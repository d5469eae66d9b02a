import type { EventStore, Position } from '../../stores/event-store/port.ts';

/**
 * Tells whether a position has reached what stood in the log a look ago: on a busy log nobody ever stands at the
 * head itself.
 */
export function levelCheck(store: EventStore): (position: Position) => Promise<boolean> {
  let head: Position | undefined;
  return async (position) => {
    head ??= await store.head();
    if (position >= head) return true;
    head = await store.head();
    return false;
  };
}
