import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '../../src/events/catalogue.ts';
import type { Actor } from '../../src/events/metadata.ts';
import { projections } from '../../src/projections/all.ts';
import {
  projected,
  type AnyProjection,
  type ProjectedEvent,
  type Projection,
} from '../../src/projections/engine/read-model.ts';
import type { RecordedEvent } from '../../src/stores/event-store/port.ts';

export const all = projections;

/** The time of the n-th event of a story. */
export const at = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();

export const somebody: Actor = { kind: 'user', id: 'somebody' };

/** An event in a stream, and who made it happen. */
export type Step<Event extends DomainEvent> = readonly [stream: string, event: Event, by?: Actor];

/**
 * What a story of events, one a minute and one a position, makes of a read model's documents: folded one after
 * another, without an engine.
 */
export function given<Doc extends object, Event extends DomainEvent>(
  projection: Projection<Doc, Event>,
  ...steps: readonly Step<Event>[]
): ReadonlyMap<string, Doc> {
  const revisions = new Map<string, number>();
  const documents = new Map<string, Doc>();
  steps.forEach(([stream, event, by = somebody], n) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const commandId = randomUUID();
    apply(documents, projection, {
      ...event,
      id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      stream,
      revision,
      position: BigInt(n),
      metadata: {
        commonweal_schema: 1,
        actor: by,
        command_id: commandId,
        correlation_id: commandId,
        causation_id: commandId,
        at: at(n),
      },
    });
  });
  return documents;
}

/** The documents that recorded events make, folded one after another. */
export function foldOf(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
): ReadonlyMap<string, object> {
  const documents = new Map<string, object>();
  const firsts = new Map<string, ProjectedEvent>();
  for (const recorded of events) {
    const event = projected(recorded);
    if (event.revision === 0) firsts.set(event.stream, event);
    const first = firsts.get(event.stream);
    if (first && projection.fromFirst?.isNeeded(event)) event.firstSays = projection.fromFirst.read(first);
    apply(documents, projection, event);
  }
  return documents;
}

function apply<Doc extends object, Event extends DomainEvent>(
  documents: Map<string, Doc>,
  projection: Projection<Doc, Event>,
  event: ProjectedEvent<Event>,
): void {
  if (!(projection.events as readonly string[]).includes(event.type)) return;
  const id = projection.idOf(event);
  const before = documents.get(id);
  const doc = projection.fold(before, event);
  const put = (key: string, value: Doc | undefined) =>
    value ? documents.set(key, value) : documents.delete(key);
  put(id, doc);
  for (const [sum, amount] of projection.sums?.of(before, doc, event) ?? [])
    if (amount !== 0) put(sum, projection.sums?.add(documents.get(sum), sum, amount));
}
