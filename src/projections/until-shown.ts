import { NotYetVisible, reached, visibleWithinMs } from './engine/read-your-writes.ts';
import { nameOf } from './engine/read-model.ts';
import { projections } from './all.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { Position } from '../stores/event-store/port.ts';

/** What a command did, as in its Outcome: the read models that fold one of the types must pass the position. */
export interface Change {
  readonly types: readonly string[];
  readonly position: Position;
}

/** By event type: the read models that commands wait for. */
const readModelsOf = new Map<string, string[]>();
for (const each of projections.filter(({ awaited }) => awaited !== false)) {
  for (const type of each.events) readModelsOf.set(type, [...(readModelsOf.get(type) ?? []), nameOf(each)]);
}

/**
 * Read your writes: resolves when every read model that folds one of the types shows the changes, on every node. The
 * read models follow from the types that a command appended. A command that appended nothing waits for all types of
 * its stream.
 *
 * @throws NotYetVisible after `timeoutMs`
 */
export async function untilShown(
  documents: Documents,
  changes: Change | readonly Change[],
  timeoutMs = visibleWithinMs,
): Promise<void> {
  const places = new Map<string, Position>();
  for (const { types, position } of [changes].flat() as readonly Change[]) {
    for (const name of types.flatMap((type) => readModelsOf.get(type) ?? [])) {
      if ((places.get(name) ?? -1n) < position) places.set(name, position);
    }
  }
  await reached(documents, places, timeoutMs);
}

/** The same for the end of long work: what is not shown in time is shown later. */
export async function shownWithin(
  documents: Documents,
  changes: readonly Change[],
  timeoutMs: number,
): Promise<void> {
  try {
    await untilShown(documents, changes, timeoutMs);
  } catch (error) {
    if (!(error instanceof NotYetVisible)) throw error;
  }
}
