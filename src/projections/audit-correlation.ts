import type { Documents } from '../stores/documents/port.ts';
import type { Position } from '../stores/event-store/port.ts';
import { auditEvents, type AuditEventDocument } from './audit.ts';
import { correlationTerm } from './audit-terms.ts';
import { visible } from './engine/read-your-writes.ts';

/** Where an event of a correlation is. Its contents are read from the event store. */
export type CorrelatedEvent = Pick<AuditEventDocument, 'stream' | 'revision' | 'position'>;

/** Up to where the index must be, and how long to wait for it: it follows the log at leisure. */
export interface IndexWait {
  readonly upTo: Position;
  readonly timeoutMs: number;
}

const fields = ['stream', 'revision', 'position'] as const;
/** Entries that are read at once. */
const readAtOnce = 1_000;

/**
 * The places of all events of one correlation, in the order of the log, those after `upTo` left out. They are found by
 * the audit index, which shortens ids (audit-terms.ts): compare the correlation id of each event that you read.
 * @throws NotYetVisible when the index is not there in time
 */
export async function* eventsOfCorrelation(
  documents: Documents,
  correlationId: string,
  { upTo, timeoutMs }: IndexWait,
): AsyncGenerator<CorrelatedEvent> {
  await visible(documents, [auditEvents.collection.name], upTo, timeoutMs);
  const index = documents.collection(auditEvents.collection);
  const matching = { every: [[correlationTerm(correlationId)]] };
  for (let place = -1; ;) {
    const found = await index.select(
      { matching, orderBy: ['position'], after: [place], upTo: [Number(upTo)], limit: readAtOnce },
      fields,
    );
    yield* found;
    const last = found.at(-1);
    if (!last || found.length < readAtOnce) return;
    place = last.position;
  }
}

/** The streams of a correlation in the order in which it came to them, each with its first event in it. */
export async function* streamsOfCorrelation(
  documents: Documents,
  correlationId: string,
  wait: IndexWait,
): AsyncGenerator<CorrelatedEvent> {
  const seen = new Set<string>();
  for await (const event of eventsOfCorrelation(documents, correlationId, wait)) {
    if (seen.has(event.stream)) continue;
    seen.add(event.stream);
    yield event;
  }
}
