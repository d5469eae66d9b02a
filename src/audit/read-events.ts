import { UnknownEvent } from '../events/catalogue.ts';
import { projected, type ProjectedEvent } from '../projections/engine/read-model.ts';
import type { EventStore, RecordedEvent } from '../stores/event-store/port.ts';

/** Where the index says that an event is. */
interface EventEntry {
  readonly stream: string;
  readonly revision: number;
  readonly team?: string;
}

interface ReadEvent {
  readonly recorded: RecordedEvent;
  /** In the newest version of its data. Undefined when a newer release wrote it. */
  readonly event: ProjectedEvent | undefined;
  readonly team: string | undefined;
}

/** Events of one stream are read together when they are not further apart than this. */
const readTogether = 100;

/** The events of entries, in their order. An event whose stream an operator deleted in the server is left out. */
export async function readEvents(store: EventStore, entries: readonly EventEntry[]): Promise<ReadEvent[]> {
  const read = new Map<string, RecordedEvent>();
  const byStream = Map.groupBy(entries, ({ stream }) => stream);
  await Promise.all(
    [...byStream].flatMap(([stream, ofStream]) =>
      rangesOf(ofStream.map(({ revision }) => revision)).map(async ([from, to]) => {
        const events = await store.readStream(stream, { from, limit: to - from + 1 });
        for (const event of events) read.set(`${stream}@${event.revision}`, event);
      }),
    ),
  );
  return entries.flatMap(({ stream, revision, team }) => {
    const recorded = read.get(`${stream}@${revision}`);
    return recorded ? [{ recorded, event: readableEvent(recorded), team }] : [];
  });
}

function rangesOf(revisions: readonly number[]): (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  for (const revision of [...revisions].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && revision - last[0] < readTogether) last[1] = revision;
    else ranges.push([revision, revision]);
  }
  return ranges;
}

/** In the newest version of its data. Undefined when a newer release wrote it. */
export function readableEvent(recorded: RecordedEvent): ProjectedEvent | undefined {
  try {
    return projected(recorded);
  } catch (error) {
    if (error instanceof UnknownEvent) return undefined;
    throw error;
  }
}
