import { StoreError } from '../../errors.ts';
import { replayType } from './namespace.ts';
import type { Entry } from './client/entry.ts';

/** Appended when a group parks an event. */
export const parkedType = 'EventParked';

/** The place of a parked event, and why it is parked. */
export interface Parked {
  readonly event_id: string;
  /** Without the namespace. */
  readonly stream: string;
  readonly revision: number;
  readonly attempts: number;
  readonly reason: string;
  readonly at: string;
  /**
   * It was discarded: it is neither shown nor handled again. Written as one more `EventParked`, because releases that do
   * not know of discarding refuse other types; to them it stays parked.
   */
  readonly discarded?: true;
}

/**
 * The events in a group's parked stream that were not replayed, oldest first, including discarded ones.
 *
 * The server's own parked list is not used. Its replay first removes all events from the list and keeps them in
 * memory: events not handled when the server stops are lost, and single events cannot be selected.
 */
export function parkedBy(entries: readonly Entry[]): Map<string, Parked> {
  const parked = new Map<string, Parked>();
  for (const { type, data, metadata } of entries) {
    const { event_id: id } = data as Parked;
    parked.delete(id);
    if (type === parkedType) parked.set(id, { ...(data as Parked), at: String(metadata['at']) });
    else if (type !== replayType)
      throw new StoreError('incompatible', `A stream of parked events holds an event of type ${type}.`);
  }
  return parked;
}
