import { email } from '../../commands/accounts/email.ts';
import type { Decider } from '../../commands/command-handler.ts';
import { signingKey } from '../../commands/oauth/signing-key.ts';
import { upcast, type DomainEvent, streams } from '../../events/catalogue.ts';
import { typesOf, type StreamDefinition } from '../../events/define.ts';
import { projections } from '../../projections/all.ts';
import { recordLookup } from '../../projections/directory/record-lookup.ts';
import { resourceSearch } from '../../projections/directory/resource-search.ts';
import { recordFreshness } from '../../projections/directory/upkeep/record-freshness.ts';
import {
  modelNamed,
  modelOf,
  projected,
  type AnyProjection,
  type ProjectedEvent,
  type Projection,
} from '../../projections/engine/read-model.ts';
import { formDailyCounts } from '../../projections/forms.ts';
import { attemptHours } from '../../projections/webhooks/attempt-hours.ts';
import type { RecordedEvent } from '../../stores/event-store/port.ts';

/** A document as its read model folds it. */
export interface FoldedDocument<Doc extends object = object> {
  readonly readModel: string;
  readonly id: string;
  readonly document: Doc;
}

/** Read models whose documents are folded from many streams, or say nothing that another does not say. */
const notOfOneStream: readonly string[] = [
  ...[formDailyCounts, attemptHours],
  ...[resourceSearch, recordLookup, recordFreshness],
].map(({ collection }) => modelNamed(collection.name));

/** The read models that one kind of stream has by itself: each of their documents is folded from one stream. */
export const readModelsOf = (kind: StreamDefinition): readonly AnyProjection[] =>
  projections.filter(
    (each) =>
      !notOfOneStream.includes(modelOf(each)) && each.events.every((type) => typesOf(kind).includes(type)),
  );

/** Streams without a read model: what commands decide on. */
const deciders = [email, signingKey] as unknown as readonly Decider<unknown, never, DomainEvent>[];

/** The kind of a stream by its name. Undefined when it is none of ours. */
export function kindOf(stream: string): StreamDefinition | undefined {
  return streams
    .filter(({ name }) => stream.startsWith(`${name}-`))
    .reduce<StreamDefinition | undefined>(
      (longest, each) => (each.name.length > (longest?.name.length ?? 0) ? each : longest),
      undefined,
    );
}

/** What the read models fold from the events of one stream. Where there is none: the state that commands decide on. */
export function documentsOf(kind: StreamDefinition, events: readonly RecordedEvent[]): FoldedDocument[] {
  const models = readModelsOf(kind);
  const folded = models.flatMap((model) =>
    [...foldedBy(model, events)].map(([id, document]) => ({ readModel: modelOf(model), id, document })),
  );
  const decider = models.length === 0 && deciders.find(({ stream }) => stream.name === kind.name);
  if (!decider) return folded;
  const state = events.map((event) => upcast(event)).reduce(decider.evolve, decider.initial);
  const id = events[0]?.stream.slice(kind.name.length + 1) ?? '';
  return typeof state === 'object' && state !== null ? [{ readModel: 'state', id, document: state }] : folded;
}

/** The documents that a read model folds from all events of one stream, by id. */
export function foldedBy<Doc extends object, Event extends DomainEvent>(
  model: Projection<Doc, Event>,
  events: readonly RecordedEvent[],
): ReadonlyMap<string, Doc> {
  const documents = new Map<string, Doc>();
  for (const [place, event] of events.entries())
    if (!isOverwritten(model, event, events[place + 1])) fold(model, documents, event);
  return documents;
}

/** Whether the next event of the stream overwrites what this one changes. A record can be revised thousands of times. */
const isOverwritten = <Doc extends object, Event extends DomainEvent>(
  { overwrites }: Projection<Doc, Event>,
  event: RecordedEvent,
  next: RecordedEvent | undefined,
): boolean =>
  next?.type === event.type &&
  overwrites !== undefined &&
  overwrites(projected(next) as unknown as Event, projected(event) as unknown as Event);

/** Folds one event into the documents of a read model, as its tail does. */
export function fold<Doc extends object, Event extends DomainEvent>(
  model: Projection<Doc, Event>,
  documents: Map<string, Doc>,
  event: RecordedEvent,
): void {
  if (!(model.events as readonly string[]).includes(event.type)) return;
  const projectedEvent = projected(event) as ProjectedEvent<Event>;
  const id = model.idOf(projectedEvent);
  const document = model.fold(documents.get(id), projectedEvent);
  if (document) documents.set(id, document);
  else documents.delete(id);
}
