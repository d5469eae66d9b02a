import { isOfOneTeam, teamOf } from '../events/audit-subjects.ts';
import { eventTypes, type DomainEvent, type EventType } from '../events/catalogue.ts';
import { projection } from './engine/read-model.ts';
import { termsOf } from './audit-terms.ts';

/** By what an event is found. Its contents are read from the event store. */
export interface AuditEventDocument {
  /** The position in the log, exact in JSON up to 2^53: EventStoreDB counts bytes. */
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** The team that the event belongs to: it says so itself, or the first event of its stream does. */
  readonly team?: string;
  /** See audit-terms.ts. */
  readonly terms: string;
}

/** The index of the audit log: one document for each event, in the order of the log. */
export const auditEvents = projection<AuditEventDocument, DomainEvent>({
  // 2: the terms say which events are no part of an operation.
  version: 2,
  deferred: true,
  awaited: false,
  events: eventTypes as readonly EventType[],
  collection: {
    name: 'audit-events',
    fields: ['position', 'stream', 'revision', 'at', 'team'],
    indexes: [['position']],
    terms: 'terms',
    cluster: { field: 'position', fromId: Number },
  },
  fromFirst: {
    isNeeded: (event) => isOfOneTeam(event.stream) && teamOf(event) === undefined,
    read: teamOf,
  },
  idOf: ({ position }) => String(position),
  fold(_, event) {
    const team = teamOf(event) ?? event.firstSays;
    const { position, stream, revision } = event;
    return {
      position: Number(position),
      stream,
      revision,
      at: event.metadata.at,
      ...(team === undefined ? {} : { team }),
      terms: termsOf(event, team),
    };
  },
});
