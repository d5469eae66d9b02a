/** Finds the events of the tree's entries in the event store, which knows positions and no indexes. */
import { counted } from '../../ground/counted.ts';
import {
  beginning,
  pagesOf,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../stores/event-store/port.ts';
import type { BundlePlace, SignedLog } from '../../stores/side/proof-log-port.ts';
import { leafHashOf } from './entry.ts';
import { ProofError } from './errors.ts';
import { storedTiles } from './format/stored-tiles.ts';
import { hashBytes, tileWidth } from './format/tiles.ts';

export interface EntrySources {
  /** This installation's events only. */
  readonly store: Pick<EventStore, 'readAll'>;
  readonly proofLog: SignedLog;
}

const pageSize = 1_000;
/** Places of bundles stored at once. */
const placesAtOnce = 1_000;

/** Our events after a position, with the index that each has in the tree. `atOnce`: how many are read at once. */
export async function* entriesFrom(
  store: Pick<EventStore, 'readAll'>,
  place: BundlePlace,
  signal?: AbortSignal,
  atOnce = pageSize,
): AsyncGenerator<{ readonly index: number; readonly event: RecordedEvent }> {
  let index = place.index * tileWidth;
  for await (const { events } of pagesOf(store, { after: place.after, limit: atOnce })) {
    if (signal?.aborted) return;
    for (const event of events) yield { index: index++, event };
  }
}

/** Where a bundle begins, or one before it. */
export const nearestPlace = async (proofLog: SignedLog, bundle: number): Promise<BundlePlace> =>
  (await proofLog.bundleAtOrBefore(bundle)) ?? { index: 0, after: beginning };

/**
 * The position of the last of the tree's `size` entries. Compares the events of the newest bundle with the tree. When
 * the place of that bundle is not known, or the events there are others, it compares all events and stores the places
 * of all bundles: so it is after a move to another store.
 *
 * @throws ProofError mismatch, naming the first event that is not the one that was signed
 */
export async function findEntries(
  sources: EntrySources & { readonly store: Pick<EventStore, 'readAll' | 'eventIdAt'> },
  size: number,
  signal?: AbortSignal,
): Promise<Position> {
  if (size === 0) return beginning;
  const first = { index: 0, after: beginning };
  const stored = await nearestPlace(sources.proofLog, Math.floor((size - 1) / tileWidth));
  // A store may refuse to read from a position of another log.
  const place = (await isPosition(sources.store, stored.after)) ? stored : first;
  try {
    return await compareEntries(sources, place, size, signal);
  } catch (error) {
    if (!(error instanceof ProofError) || place.index === 0) throw error;
    return compareEntries(sources, first, size, signal);
  }
}

const isPosition = async (store: Pick<EventStore, 'eventIdAt'>, position: Position): Promise<boolean> =>
  position === beginning || (await store.eventIdAt(position)) !== undefined;

/** Compares the entries from a bundle up to `size` with the tree. Stores where their bundles begin. */
async function compareEntries(
  { store, proofLog }: EntrySources,
  place: BundlePlace,
  size: number,
  signal: AbortSignal | undefined,
): Promise<Position> {
  const tiles = storedTiles(proofLog);
  let last = place.after;
  let read = place.index * tileWidth;
  let hashes: Buffer = Buffer.alloc(0);
  const places: BundlePlace[] = [];
  for await (const { index, event } of entriesFrom(store, place, signal)) {
    if (index === size) break;
    const at = index % tileWidth;
    if (at === 0) {
      const bundle = { level: 0, index: index / tileWidth, width: Math.min(tileWidth, size - index) };
      [hashes = hashes] = await tiles.tiles([bundle]);
      places.push({ index: bundle.index, after: last });
      if (places.length >= placesAtOnce) await proofLog.putBundles(places.splice(0));
    }
    const signed = hashes.subarray(at * hashBytes, (at + 1) * hashBytes);
    if (!leafHashOf(event).equals(signed)) throw changedEntry(index, event);
    last = event.position;
    read = index + 1;
  }
  signal?.throwIfAborted();
  if (read < size) {
    throw new ProofError(
      'mismatch',
      `The event store holds ${counted(read, 'event')}, but ${size} were signed: events are missing at its end.`,
    );
  }
  await proofLog.putBundles(places);
  return last;
}

const changedEntry = (index: number, { id, stream, revision }: RecordedEvent): ProofError =>
  new ProofError(
    'mismatch',
    `Entry ${index} of the proof log was signed with other content than event ${id} (${stream}, revision ${revision}) has now: an event was changed, removed, added or moved.`,
  );
