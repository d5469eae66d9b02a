import { DamagedEvent } from '../../stores/errors.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Difference } from './compare-leaves.ts';
import type { Places } from './describe.ts';
import { named, type Finding } from './finding.ts';
import { eventAt, nameOf, type LogPlace, type WrongRevision } from './log-leaves.ts';

/** The most events of a stream that are searched for a second one of the same id. */
const mostOfStream = 10_000;

/** Names events by their places in the log. */
export const logPlaces = (store: EventStore): Places<LogPlace> => ({
  async event(ref) {
    try {
      const event = await eventAt(store, ref);
      return event ? { name: nameOf(event) } : {};
    } catch (error) {
      if (!(error instanceof DamagedEvent)) throw error;
      const { id, stream, revision } = error;
      return {
        name: { type: 'an event', id, stream, revision },
        damaged: 'Its content cannot be read: it is not JSON.',
      };
    }
  },
  place: ({ position }) => `position ${position.toString()} of the log`,
  async more(difference) {
    switch (difference.kind) {
      case 'missing':
        return inItsPlace(store, difference);
      case 'added':
        return twins(store, difference.found.ref);
      case 'changed':
      case 'moved':
      case 'duplicated':
        return [];
    }
  },
});

/** An event whose metadata was changed may no longer be one of ours. */
async function inItsPlace(
  store: EventStore,
  { previous }: Extract<Difference<LogPlace>, { readonly kind: 'missing' }>,
): Promise<readonly string[]> {
  const page = await readable(() => store.readAll({ after: previous?.ref.position ?? -1n, limit: 10 }));
  const next = page?.events[0]?.position;
  const between = page?.foreign?.filter(({ position }) => next === undefined || position < next) ?? [];
  return between
    .slice(0, 1)
    .map((event) => `In its place is ${named(event)}, whose metadata does not say that it is ours.`);
}

/** Other events of the stream with the same id, or of the same revision. */
async function twins(store: EventStore, place: LogPlace): Promise<readonly string[]> {
  const event = await readable(() => eventAt(store, place));
  const stream = event && (await readable(() => store.readStream(event.stream, { limit: mostOfStream })));
  const twin = stream?.find(
    ({ id, revision, position }) =>
      position !== event?.position && (id === event?.id || revision === event?.revision),
  );
  return twin ? [`It is a duplicate of ${named(twin)}.`] : [];
}

/** What cannot be read is told elsewhere. */
async function readable<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DamagedEvent) return undefined;
    throw error;
  }
}

/** Names the event whose revision is not the next one of its stream. */
export async function describeRevision(store: EventStore, wrong: WrongRevision): Promise<Finding> {
  const { name } = await logPlaces(store).event(wrong);
  const { due, revision } = wrong;
  const stream = name?.stream ?? 'a stream';
  const sentence =
    revision > due
      ? `${stream}@${due}${revision - due > 1 ? ` to @${revision - 1}` : ''} is missing: @${revision} follows @${due - 1}.`
      : `${stream}@${revision} comes after @${due - 1}.`;
  const event = name ? { event: name } : {};
  return { kind: 'revision', ...event, sentence: `${name ? named(name) : ''}: ${sentence}` };
}
