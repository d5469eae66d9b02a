import { beginning, type Position, type RecordedEvent } from '../../stores/event-store/port.ts';
import type { BundlePlace, SignedLog } from '../../stores/side/proof-log-port.ts';
import { leafHashOf } from './entry.ts';
import { entriesFrom, nearestPlace, type EntrySources } from './signed-entries.ts';
import { hashBytes, tileAt, tileWidth } from './format/tiles.ts';

/** An event, and its place in the tree. */
export interface FoundEntry {
  readonly index: number;
  readonly event: RecordedEvent;
}

/**
 * The event with an id, and its place in the tree. `position`: where an index says that the event is. Then only its
 * bundle is read. Where the index or the place of the bundle turns out to be wrong, and without a position, the log is
 * read from its first event. Undefined when there is no such event.
 */
export async function findEvent(
  sources: EntrySources,
  id: string,
  {
    position,
    onProgress,
  }: { readonly position?: Position; readonly onProgress?: (events: number) => void } = {},
): Promise<FoundEntry | undefined> {
  const near = position === undefined ? undefined : await findEventNear(sources, id, position);
  if (near) return near;
  for await (const found of entriesFrom(sources.store, { index: 0, after: beginning })) {
    if (found.event.id === id) return found;
    if (found.index % 1_000 === 0) onProgress?.(found.index);
  }
  return undefined;
}

/** The same, where an index says that it is. Reads its bundle only. Undefined when it is not found in its place there. */
export async function findEventNear(
  { store, proofLog }: EntrySources,
  id: string,
  position: Position,
): Promise<FoundEntry | undefined> {
  const place = await placeBefore(proofLog, position);
  for await (const found of entriesFrom(store, place, undefined, tileWidth)) {
    if (found.event.id === id) return (await isInItsPlace(proofLog, found)) ? found : undefined;
    if (found.event.position >= position) return undefined;
  }
  return undefined;
}

/** The last bundle that begins before a position. Bundles are in the order of positions, so they are searched by halves. */
async function placeBefore(proofLog: SignedLog, position: Position): Promise<BundlePlace> {
  let place: BundlePlace = { index: 0, after: beginning };
  let [low, high] = [0, Math.floor(((await proofLog.newest())?.size ?? 0) / tileWidth)];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const found = await nearestPlace(proofLog, middle);
    if (found.after < position) {
      place = found;
      low = middle + 1;
    } else {
      high = found.index - 1;
    }
  }
  return place;
}

/** Whether the signed leaf of that place is the event's. The places of bundles are no part of what is signed. */
async function isInItsPlace(proofLog: SignedLog, { index, event }: FoundEntry): Promise<boolean> {
  const size = (await proofLog.newest())?.size ?? 0;
  const tile = index < size ? tileAt(0, Math.floor(index / tileWidth), size) : undefined;
  if (!tile) return true;
  const [hashes] = await proofLog.tiles([tile]);
  const at = (index % tileWidth) * hashBytes;
  return hashes?.subarray(at, at + hashBytes).equals(leafHashOf(event)) ?? false;
}
