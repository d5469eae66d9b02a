import type { DomainEvent } from '../../events/catalogue.ts';
import { projection } from '../engine/define.ts';

/** Where every event of ours is found by who, what, where and in which connection. */
export interface AuditEntry {
  readonly event_id: string;
  /** The position, for ordering; 2^53 suffices for both stores. */
  readonly order: number;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** `kind:id`. */
  readonly actor: string;
  readonly correlation: string;
  readonly at: string;
}

export const auditIndex = projection<AuditEntry, DomainEvent>({
  version: 1,
  events: undefined,
  collection: {
    name: 'audit-index',
    fields: ['order', 'stream', 'type', 'actor', 'correlation', 'at'],
    indexes: [
      ['order'],
      ['stream', 'order'],
      ['type', 'order'],
      ['actor', 'order'],
      ['correlation', 'order'],
      ['at'],
    ],
  },
  perEvent: true,
  idOf: (event) => event.id,
  fold: (_doc, event) => ({
    event_id: event.id,
    order: Number(event.position),
    stream: event.stream,
    revision: event.revision,
    type: event.type,
    actor: `${event.metadata.actor.kind}:${event.metadata.actor.id}`,
    correlation: event.metadata.correlation_id,
    at: event.metadata.at,
  }),
});
