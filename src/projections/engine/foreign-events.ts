import type { Position, RecordedEvent } from '../../stores/event-store/port.ts';
import type { SideStore } from '../../stores/side/port.ts';

/** The events of other products and installations in a shared log, counted up to a position. */
export interface ForeignEvents {
  readonly count: number;
  /** A decimal string: events at or before this position have been counted. */
  readonly up_to: string;
  readonly newest: { readonly type: string; readonly stream: string };
}

const table = (side: SideStore) => side.table<ForeignEvents>('foreign-events');
const id = 'all';

/**
 * Adds events to the count. An event that is read again is not counted again, because the count carries the position
 * up to which it is complete.
 */
export async function countForeignEvents(
  side: SideStore,
  foreign: readonly RecordedEvent[] = [],
): Promise<void> {
  if (foreign.length === 0) return;
  const stored = await table(side).get(id);
  const after: Position = stored ? BigInt(stored.up_to) : -1n;
  const uncounted = foreign.filter((event) => event.position > after);
  const newest = uncounted.at(-1);
  if (!newest) return;
  await table(side).put(id, {
    count: (stored?.count ?? 0) + uncounted.length,
    up_to: newest.position.toString(),
    newest: { type: newest.type, stream: newest.stream },
  });
}

/** Undefined while no foreign event has been read. */
export const foreignEvents = (side: SideStore): Promise<ForeignEvents | undefined> => table(side).get(id);
