import { auditEvents } from '../projections/audit.ts';
import { NotYetVisible, visible } from '../projections/engine/read-your-writes.ts';
import type { SearchParts } from './search.ts';

/** The index follows the log at leisure. */
const indexWithinMs = 2_000;

/**
 * What `find` finds, asked again when the index has what is in the log now. So the link to what was just recorded leads
 * to it. Undefined when it is not there, and when the index is further behind.
 */
export async function onceIndexed<Found>(
  { store, documents }: SearchParts,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const found = await find();
  if (found !== undefined) return found;
  try {
    await visible(documents, [auditEvents.collection.name], await store.head(), indexWithinMs);
  } catch (error) {
    if (error instanceof NotYetVisible) return undefined;
    throw error;
  }
  return find();
}
