import type { DomainEvent } from '../../src/events/catalogue.ts';
import { newEvent } from '../../src/events/new-event.ts';
import type { Appended, EventStore } from '../../src/stores/event-store/port.ts';
import { aCommand } from './context.ts';

/** Appends an event that no command stands behind. */
export function appending(store: EventStore, stream: string, event: DomainEvent): Promise<Appended> {
  return store.append(stream, [newEvent(stream, event, 0, aCommand())], 'any');
}
