import { pagesOf, type EventStore, type Position } from '../stores/event-store/port.ts';

export interface StreamLength {
  readonly stream: string;
  readonly events: number;
}

const pageSize = 5_000;
/** Shorter streams are of no interest. They are not kept either, so memory does not grow with the number of streams. */
const fromEvents = 100;

/** The longest streams, longest first. Reads the whole log: no store knows the lengths of its streams. */
export async function longestStreams(
  store: Pick<EventStore, 'readAll' | 'head'>,
  onPage: (at: { readonly position: Position }) => void,
  limit = 20,
): Promise<StreamLength[]> {
  const lengths = new Map<string, number>();
  const head = await store.head();
  for await (const { events, position } of pagesOf(store, { upTo: head, limit: pageSize })) {
    for (const { stream, revision } of events)
      if (revision + 1 >= fromEvents) lengths.set(stream, revision + 1);
    onPage({ position });
  }
  return [...lengths]
    .map(([stream, events]) => ({ stream, events }))
    .sort((one, other) => other.events - one.events)
    .slice(0, limit);
}
