import type { AuditEventDocument } from '../projections/audit.ts';
import type { Collection } from '../stores/documents/port.ts';
import type { EventStore, RecordedEvent } from '../stores/event-store/port.ts';

/** Where an event is, and what the index says of it. */
export type Entry = Pick<AuditEventDocument, 'position' | 'stream' | 'revision' | 'at' | 'team'>;

/** A part of the log: from a place, that of the page before, to the last position. */
export interface IndexPart {
  readonly place: number;
  readonly end: number;
  readonly newestFirst: boolean;
  readonly limit: number;
}

/** The most events of a stream that are read at once. */
const readAtOnce = 500;

/**
 * The entries of a stream's events in a part of the log. Reads the stream itself, and the entries by their ids. Events
 * that are not in the index yet are left out.
 */
export async function entriesOfStream(
  store: EventStore,
  index: Pick<Collection<AuditEventDocument>, 'getMany'>,
  stream: string,
  { place, end, newestFirst, limit }: IndexPart,
): Promise<Entry[]> {
  const direction = newestFirst ? 'backwards' : 'forwards';
  const isPastEnd = ({ position }: RecordedEvent) =>
    newestFirst ? position < BigInt(end) : position > BigInt(end);
  const found: Entry[] = [];
  const size = Math.min(limit, readAtOnce);
  for (let from = await revisionNextTo(store, stream, place, newestFirst); from >= 0;) {
    const events = await store.readStream(stream, { from, direction, limit: size });
    const within = events.filter((event) => !isPastEnd(event));
    const ids = within.map(({ position }) => String(position));
    const entries = await index.getMany(ids);
    found.push(...ids.flatMap((id) => entries.get(id) ?? []));
    const last = events.at(-1);
    if (found.length >= limit || !last || events.length < size || within.length < events.length) break;
    from = last.revision + (newestFirst ? -1 : 1);
  }
  return found.slice(0, limit);
}

/**
 * The revision of the first event after a position, or, newest first, of the last one before it; -1 when there is none.
 * Positions rise with revisions, so the stream is searched by halves.
 */
async function revisionNextTo(
  store: EventStore,
  stream: string,
  place: number,
  newestFirst: boolean,
): Promise<number> {
  const newest = async () =>
    (await store.readStream(stream, { direction: 'backwards', limit: 1 }))[0]?.revision ?? -1;
  if (!newestFirst && place < 0) return 0;
  if (newestFirst && place === Number.MAX_SAFE_INTEGER) return newest();
  const count = (await newest()) + 1;
  // The first event that is after the place, or, newest first, at it or after it.
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await store.readStream(stream, { from: middle, limit: 1 });
    const isBefore = event !== undefined && Number(event.position) < place + (newestFirst ? 0 : 1);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  if (newestFirst) return low - 1;
  return low < count ? low : -1;
}
