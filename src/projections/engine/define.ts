import { upcast, type DomainEvent, type EventType } from '../../events/catalogue.ts';
import type { Metadata } from '../../events/metadata.ts';
import type { CollectionSpec } from '../../stores/documents/port.ts';
import type { EventFilter, RecordedEvent } from '../../stores/event-store/port.ts';

/** An event of ours, as a projection sees it: brought up to date, with its place and its time. */
export type ProjectedEvent<Event extends DomainEvent = DomainEvent> = Event & {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  readonly metadata: Metadata;
};

/**
 * One read model: each document is folded from itself and the events that touch it, and from nothing else: no
 * other document, no clock, no vault. So any document can be folded again, from anywhere, to the same result.
 */
export interface Projection<Doc extends object, Event extends DomainEvent = DomainEvent> {
  readonly collection: CollectionSpec<Doc>;
  /** Raised with every change of the fold or the documents' shape; the read model is then built anew. */
  readonly version: number;
  /** The event types it folds. */
  readonly events: readonly (Event['type'] & EventType)[];
  /** True where folding is dear and may be late: nothing that must be seen at once waits for it. */
  readonly deferred?: boolean;
  /** False where no command waits for this read model: while it stands still, commands succeed all the same. */
  readonly awaited?: false;
  /** The document that an event touches. */
  readonly idOf: (event: ProjectedEvent<Event>) => string;
  /** The document after the event; undefined deletes it. */
  readonly fold: (doc: Doc | undefined, event: ProjectedEvent<Event>) => Doc | undefined;
}

export type AnyProjection = Projection<object>;

/**
 * A projection among others; what its fold is given is what its `events` let through. Its collection is stored
 * under a name that tells the version.
 */
export const projection = <Doc extends object, Event extends DomainEvent>(
  definition: Projection<Doc, Event>,
): Projection<Doc, Event> => {
  const model = modelNamed(definition.collection.name);
  const name = storedName(model, definition.version);
  return { ...definition, collection: { ...definition.collection, name } };
};

/** Release 0.1 stored these versions under the plain name, and version 1 of every other read model. */
const plainVersions: Readonly<Record<string, number>> = { consents: 2, people: 2, 'resource-search': 2 };

/** Each version of a read model is a collection of its own, so that releases can run side by side. */
export const storedName = (model: string, version: number): string =>
  version <= (plainVersions[model] ?? 1) ? model : `${model}-v${version}`;

/** What a read model is called whatever its version: in commands, and in the streams that ask for rebuilds. */
export const modelOf = (each: Pick<AnyProjection, 'collection'>): string => modelNamed(each.collection.name);

/** What the read model is called that is stored under a name. */
export const modelNamed = (name: string): string => name.replace(/-v\d+$/, '');

/** The versions of a read model before its own, by the names under which they are stored. */
export const namesOfOlderVersions = (each: Pick<AnyProjection, 'collection' | 'version'>): string[] =>
  Array.from({ length: each.version - 1 }, (_, before) => storedName(modelOf(each), before + 1)).filter(
    (name) => name !== nameOf(each),
  );

/** The name of the collection in which a read model is stored. */
export const nameOf = (each: Pick<AnyProjection, 'collection'>): string => each.collection.name;

export const filterOf = ({ events }: Pick<AnyProjection, 'events'>): { readonly filter: EventFilter } => ({
  filter: { types: events },
});

export const typesOf = (projections: readonly AnyProjection[]): EventType[] => [
  ...new Set(projections.flatMap(({ events }) => events)),
];

/** A recorded event as projections see it. @throws Error when a newer release wrote it */
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
