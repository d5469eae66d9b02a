import type { Position, RecordedEvent } from '../../stores/event-store/port.ts';
import type { SideStore } from '../../stores/side/port.ts';

/** What others, products and installations, keep in the log that we share with them, as far as it has been looked through. */
export interface ForeignEvents {
  readonly count: number;
  /** A decimal string: what lies at or before it has been counted. */
  readonly up_to: string;
  readonly newest: { readonly type: string; readonly stream: string };
}

const table = (side: SideStore) => side.table<ForeignEvents>('foreign-events');
const id = 'all';

/**
 * Counts events that are somebody else's, each once however often it is read again: the count is absolute and
 * carries the position up to which it is true.
 */
export async function countForeignEvents(
  side: SideStore,
  passedOver: readonly RecordedEvent[] = [],
): Promise<void> {
  if (passedOver.length === 0) return;
  const known = await table(side).get(id);
  const after: Position = known ? BigInt(known.up_to) : -1n;
  const foreign = passedOver.filter((event) => event.position > after);
  const newest = foreign.at(-1);
  if (!newest) return;
  await table(side).put(id, {
    count: (known?.count ?? 0) + foreign.length,
    up_to: newest.position.toString(),
    newest: { type: newest.type, stream: newest.stream },
  });
}

/** Undefined while nobody else's event has been met. */
export const foreignEvents = (side: SideStore): Promise<ForeignEvents | undefined> => table(side).get(id);
