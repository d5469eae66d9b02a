import { LRUCache } from 'lru-cache';
import { entries } from '../../ground/capacity.ts';
import { UnknownEvent } from '../../events/catalogue.ts';
import type { Change, CollectionWriter, Stored } from '../../stores/documents/port.ts';
import {
  beginning,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../stores/event-store/port.ts';
import {
  nameOf,
  projected,
  type AnyProjection,
  type FromFirst,
  type ProjectedEvent,
  type Sums,
} from './read-model.ts';
import { messageOf } from '../../ground/store-error.ts';

/** An event that several projections fold. It is upcast once, when the first of them needs it. */
export class SharedEvent {
  readonly recorded: RecordedEvent;
  #upcast: { readonly event: ProjectedEvent } | { readonly error: unknown } | undefined;

  constructor(recorded: RecordedEvent) {
    this.recorded = recorded;
  }

  /** @throws Error for a type or version that this release does not know */
  get projected(): ProjectedEvent {
    this.#upcast ??= this.#tryUpcast();
    if ('error' in this.#upcast) throw this.#upcast.error;
    return this.#upcast.event;
  }

  #tryUpcast() {
    try {
      return { event: projected(this.recorded) };
    } catch (error) {
      return { error };
    }
  }
}

/**
 * Folds events into the documents that they change. Returns one change per document. Events at or before a document's
 * own position are skipped: an earlier batch or another node has folded them. The sums come first; see `Sums`.
 *
 * @throws FoldError, naming projection and event
 * @throws StoreError when the documents cannot be loaded
 */
export async function foldBatch(
  projection: AnyProjection,
  events: readonly SharedEvent[],
  writer: CollectionWriter<object>,
  firsts: FirstEvents,
): Promise<Change<object>[]> {
  const touching: { id: string; event: ProjectedEvent }[] = [];
  for (const event of events) {
    const upcast = named(projection, event.recorded, () => event.projected);
    touching.push({ id: named(projection, upcast, () => projection.idOf(upcast)), event: upcast });
  }
  if (touching.length === 0) return [];
  await firsts.tell(
    projection,
    touching.map(({ event }) => event),
  );
  const documents = new Map<string, Stored<object>>(
    await writer.load([...new Set(touching.map(({ id }) => id))]),
  );
  const changed = new Set<string>();
  const additions: Addition[] = [];
  for (const { id, event } of touching) {
    const before = documents.get(id);
    if (before && event.position <= before.position) continue;
    const doc = named(projection, event, () => projection.fold(before?.doc, event));
    if (doc === undefined && before?.doc === undefined) continue;
    for (const [sum, amount] of named(projection, event, () =>
      projection.sums?.of(before?.doc, doc, event),
    ) ?? [])
      if (amount !== 0) additions.push({ id: sum, amount, position: event.position });
    documents.set(id, { doc, position: event.position });
    changed.add(id);
  }
  const sums = projection.sums ? await addedUp(projection.sums, additions, writer) : [];
  return [
    ...sums,
    ...[...changed].map((id) => ({
      id,
      ...(documents.get(id) ?? { doc: undefined, position: beginning }),
    })),
  ];
}

/** What an event adds to a sum. */
interface Addition {
  readonly id: string;
  readonly amount: number;
  readonly position: Position;
}

/** The sums after additions, in the order of their events. One that a sum has already is passed over. */
async function addedUp(
  { add }: Sums<object>,
  additions: readonly Addition[],
  writer: CollectionWriter<object>,
): Promise<Change<object>[]> {
  if (additions.length === 0) return [];
  const sums = new Map<string, Stored<object>>(
    await writer.load([...new Set(additions.map(({ id }) => id))]),
  );
  const changed = new Map<string, Change<object>>();
  for (const { id, amount, position } of additions) {
    const before = sums.get(id);
    if (before && position <= before.position) continue;
    const after = { doc: add(before?.doc, id, amount), position };
    sums.set(id, after);
    changed.set(id, { id, ...after, first: true });
  }
  return [...changed.values()];
}

/** Streams whose first event is remembered. A rebuild reads most streams soon after they began. */
const remembered = 50_000;
/** Streams that are read at once. */
const atOnce = 32;

type FirstValue = { readonly value: string | undefined };

/** What the first events of streams say, for projections that ask for it (`Projection.fromFirst`). */
export class FirstEvents {
  readonly #store: Pick<EventStore, 'readStream'>;
  readonly #cached = new Map<FromFirst, LRUCache<string, FirstValue>>();

  constructor(store: Pick<EventStore, 'readStream'>) {
    this.#store = store;
  }

  /** Sets `firstSays` of the events whose fold needs it. */
  async tell(
    { fromFirst }: Pick<AnyProjection, 'fromFirst'>,
    events: readonly ProjectedEvent[],
  ): Promise<void> {
    if (!fromFirst) return;
    const cached = this.#cached.get(fromFirst) ?? new LRUCache<string, FirstValue>(entries(remembered));
    this.#cached.set(fromFirst, cached);
    const needing: ProjectedEvent[] = [];
    for (const event of events) {
      if (event.revision === 0) cached.set(event.stream, { value: fromFirst.read(event) });
      else if (fromFirst.isNeeded(event)) needing.push(event);
    }
    const values = new Map<string, FirstValue | undefined>();
    for (const { stream } of needing) values.set(stream, cached.get(stream));
    const missing = [...values].filter(([, value]) => value === undefined).map(([stream]) => stream);
    for (let from = 0; from < missing.length; from += atOnce) {
      await Promise.all(
        missing.slice(from, from + atOnce).map(async (stream) => {
          const value = await this.#read(fromFirst, stream);
          values.set(stream, value);
          cached.set(stream, value);
        }),
      );
    }
    for (const event of needing) event.firstSays = values.get(event.stream)?.value;
  }

  async #read(fromFirst: FromFirst, stream: string): Promise<FirstValue> {
    const [first] = await this.#store.readStream(stream, { limit: 1 });
    return { value: first && fromFirst.read(projected(first)) };
  }
}

/** The event that a projection cannot fold. */
export type FailedEvent = Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'revision'>;

/** A projection cannot fold an event. The message names both. */
export class FoldError extends Error {
  readonly event: FailedEvent;
  readonly eventType: string;
  /** Whether a newer release wrote the event. */
  readonly isUnknown: boolean;

  constructor(projection: AnyProjection, { id, type, stream, revision }: FailedEvent, cause: unknown) {
    const why = messageOf(cause);
    super(`${nameOf(projection)} cannot fold ${type} (${stream}, revision ${revision}): ${why}`, { cause });
    this.name = 'FoldError';
    this.event = { id, type, stream, revision };
    this.eventType = type;
    this.isUnknown = cause instanceof UnknownEvent;
  }
}

function named<Result>(projection: AnyProjection, event: FailedEvent, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new FoldError(projection, event, cause);
  }
}
