import { UnknownEvent } from '../../events/catalogue.ts';
import type { Change, CollectionWriter, Stored } from '../../stores/documents/port.ts';
import {
  beginning,
  type EventBatch,
  type EventPlace,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../stores/event-store/port.ts';
import { filterOf, nameOf, projected, type AnyProjection, type ProjectedEvent } from './define.ts';

/** An event at which a read model stands still. */
export class CannotFold extends Error {
  readonly eventType: string;
  /** A newer release has written it. */
  readonly isUnknown: boolean;

  constructor(eventType: string, message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'CannotFold';
    this.eventType = eventType;
    this.isUnknown = cause instanceof UnknownEvent;
  }
}

export interface RunOptions {
  readonly store: EventStore;
  readonly writer: CollectionWriter<object>;
  readonly signal: AbortSignal;
  /** Told every batch before it is folded, of a projection that is shown the whole log. */
  readonly onBatch?: (batch: EventBatch) => Promise<void>;
  /** Called once, when everything has been folded that stood in the log a batch ago. */
  readonly onCaughtUp?: () => Promise<void> | void;
}

/** The most events folded between two commits. */
const batchSize = 5_000;

/**
 * Folds the log into one generation of a read model until the signal aborts: batch by batch, each written with
 * its checkpoint. It never skips: an event that cannot be folded ends the run with an error that names it.
 */
export async function run(
  projection: AnyProjection,
  { store, writer, signal, onBatch, onCaughtUp }: RunOptions,
): Promise<void> {
  let behind = onCaughtUp;
  // The head as it was before the batch was read: while others append, nobody ever stands at the head itself.
  let head = await store.head();
  const caughtUp = async (position: Position) => {
    if (!behind) return;
    if (position < head) {
      head = await store.head();
      return;
    }
    const tell = behind;
    behind = undefined;
    await tell();
  };
  await caughtUp(writer.checkpoint);
  const subscription = store.subscribe({
    after: writer.checkpoint,
    ...filterOf(projection),
    signal,
    batchSize,
  });
  for await (const batch of subscription) {
    await onBatch?.(batch);
    await writer.write(
      await fold(projection, batch.events, writer),
      batch.position,
      placeOf(batch.events.at(-1)),
    );
    await caughtUp(batch.position);
  }
}

const placeOf = (event: RecordedEvent | undefined): EventPlace | undefined =>
  event && { position: event.position, id: event.id };

/** What a batch of events makes of the documents it touches: one change a document, however many events. */
async function fold(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  writer: CollectionWriter<object>,
): Promise<Change<object>[]> {
  const touching: { id: string; event: ProjectedEvent }[] = [];
  for (const each of events) {
    const event = attempt(projection, each, () => projected(each));
    touching.push({ id: attempt(projection, each, () => projection.idOf(event)), event });
  }
  if (touching.length === 0) return [];
  const documents = new Map<string, Stored<object>>(
    projection.perEvent ? [] : await writer.load([...new Set(touching.map(({ id }) => id))]),
  );
  const changed = new Set<string>();
  for (const { id, event } of touching) {
    const before = documents.get(id);
    // Replayed in another batch, after a crash or by another node: folded already.
    if (before && event.position <= before.position) continue;
    const doc = attempt(projection, event, () => projection.fold(before?.doc, event));
    if (doc === undefined && before?.doc === undefined) continue;
    documents.set(id, { doc, position: event.position });
    changed.add(id);
  }
  return [...changed].map((id) => ({
    id,
    ...(documents.get(id) ?? { doc: undefined, position: beginning }),
  }));
}

function attempt<Result>(
  projection: AnyProjection,
  event: { readonly type: string; readonly stream: string; readonly revision: number },
  work: () => Result,
): Result {
  try {
    return work();
  } catch (cause) {
    throw new CannotFold(
      event.type,
      `${nameOf(projection)} cannot fold ${event.type} (${event.stream}, revision ${event.revision}): ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    );
  }
}
