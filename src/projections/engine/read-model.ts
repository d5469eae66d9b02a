import { upcast, type DomainEvent, type EventType } from '../../events/catalogue.ts';
import type { Metadata } from '../../events/metadata.ts';
import type { CollectionSpec } from '../../stores/documents/port.ts';
import type { EventFilter, RecordedEvent } from '../../stores/event-store/port.ts';

/** An event as a projection sees it: upcast, with its position and metadata. */
export type ProjectedEvent<Event extends DomainEvent = DomainEvent> = Event & {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  readonly metadata: Metadata;
  /** What the first event of the stream says, where a projection asks for it: see `Projection.fromFirst`. */
  firstSays?: string | undefined;
};

/**
 * One read model. A fold uses only the document and the events that change it: no other document, no clock, no vault.
 * So folding the same events again gives the same document.
 */
export interface Projection<Doc extends object, Event extends DomainEvent = DomainEvent> {
  readonly collection: CollectionSpec<Doc>;
  /** Raise it with every change of the fold or of the documents' shape. The read model is then rebuilt. */
  readonly version: number;
  /** The event types it folds. */
  readonly events: readonly (Event['type'] & EventType)[];
  /** True when folding is expensive and may lag. It then runs in a second tail and delays no other read model. */
  readonly deferred?: boolean;
  /**
   * False when no command waits for this read model: commands succeed while it is stalled. If it is deferred too, it runs
   * in a third tail, with fewer, larger commits.
   */
  readonly awaited?: false;
  /**
   * For folds that need to know something that only the first event of a stream says, such as its team. That event never
   * changes, so a fold of the same events still gives the same document. Folds find it in `event.firstSays`.
   */
  readonly fromFirst?: FromFirst;
  /**
   * Whether an event overwrites all that the one before it in its stream, of the same type, has changed: whoever reads a
   * whole stream may leave out that one.
   */
  readonly overwrites?: (event: Event, before: Event) => boolean;
  /** The id of the document that an event changes. */
  readonly idOf: (event: ProjectedEvent<Event>) => string;
  /** The document after the event. Undefined deletes it. */
  readonly fold: (doc: Doc | undefined, event: ProjectedEvent<Event>) => Doc | undefined;
  /** Sums over all its documents, kept in the same collection. */
  readonly sums?: Sums<Doc, Event>;
}

/**
 * Sums over the documents of a projection. Each is a document as well, with the position of the last event that changed it.
 * They are written before the documents that they are taken from (`Change.first`). So an event whose document is written is
 * in all of its sums, and one whose document is not is folded again and passes over those sums that have it: each counts
 * once, wherever a batch was interrupted and however the events are divided into batches the next time.
 */
export interface Sums<Doc extends object, Event extends DomainEvent = DomainEvent> {
  /** What an event that changes a document adds to sums, by their ids. No document that is folded has such an id. */
  readonly of: (
    before: Doc | undefined,
    after: Doc | undefined,
    event: ProjectedEvent<Event>,
  ) => ReadonlyMap<string, number>;
  /** The document of a sum after an addition. Undefined deletes it, and is that of 0. */
  readonly add: (sum: Doc | undefined, id: string, amount: number) => Doc | undefined;
}

export type AnyProjection = Projection<object>;

export interface FromFirst {
  /** Whether the fold of an event needs it. */
  readonly isNeeded: (event: ProjectedEvent) => boolean;
  /** What the first event of the stream says. */
  readonly read: (first: ProjectedEvent) => string | undefined;
}

/**
 * Defines a projection. Its fold gets only the event types in `events`. The stored name of its collection contains the
 * version.
 */
export const projection = <Doc extends object, Event extends DomainEvent>(
  definition: Projection<Doc, Event>,
): Projection<Doc, Event> => {
  const model = modelNamed(definition.collection.name);
  const name = storedName(model, definition.version);
  return { ...definition, collection: { ...definition.collection, name } };
};

/** Each version of a read model is a separate collection, so that releases can run side by side. */
export const storedName = (model: string, version: number): string =>
  version === 1 ? model : `${model}-v${version}`;

/** The name of a read model without its version, as in commands and in the streams of rebuild requests. */
export const modelOf = (each: Pick<AnyProjection, 'collection'>): string => modelNamed(each.collection.name);

/** The name of the read model with this stored name. */
export const modelNamed = (name: string): string => name.replace(/-v\d+$/, '');

/** The stored names of a read model's older versions. */
export const namesOfOlderVersions = (each: Pick<AnyProjection, 'collection' | 'version'>): string[] =>
  Array.from({ length: each.version - 1 }, (_, before) => storedName(modelOf(each), before + 1));

/** The name under which a read model is stored. */
export const nameOf = (each: Pick<AnyProjection, 'collection'>): string => each.collection.name;

export const filterOf = ({ events }: Pick<AnyProjection, 'events'>): { readonly filter: EventFilter } => ({
  filter: { types: events },
});

export const typesOf = (projections: readonly AnyProjection[]): EventType[] => [
  ...new Set(projections.flatMap(({ events }) => events)),
];

/** A recorded event as projections see it. @throws UnknownEvent when a newer release wrote it */
export function projected(event: RecordedEvent): ProjectedEvent {
  const { type, data } = upcast(event);
  return {
    type,
    data,
    id: event.id,
    stream: event.stream,
    revision: event.revision,
    position: event.position,
    metadata: event.metadata as unknown as Metadata,
  } as ProjectedEvent;
}
