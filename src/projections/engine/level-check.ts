import type { EventStore, Position } from '../../stores/event-store/port.ts';

/**
 * Checks whether a position has reached the head of the log as it was at the previous check. On a busy log a reader
 * never reaches the current head.
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
