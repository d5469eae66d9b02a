import { definitionOf } from '../../events/catalogue.ts';
import type { EventBatch } from '../../stores/event-store/port.ts';
import type { SideStore } from '../../stores/side/port.ts';

/** An event type that a newer release has written. Read models of this release do not show such events. */
export interface UnknownEventType {
  readonly type: string;
  /** ISO 8601 UTC. When the first such event was read. */
  readonly since: string;
}

const table = (side: SideStore) => side.table<{ readonly since: string }>('unknown-events');

/** Records each event type that this release does not know, once. */
export class UnknownEvents {
  readonly #side: SideStore;
  readonly #now: () => Date;
  readonly #noted = new Set<string>();

  constructor(side: SideStore, now: () => Date) {
    this.#side = side;
    this.#now = now;
  }

  async look(events: EventBatch['events']): Promise<void> {
    for (const { type } of events) {
      if (this.#noted.has(type) || definitionOf(type) !== undefined) continue;
      await table(this.#side).putIfAbsent(type, { since: this.#now().toISOString() });
      this.#noted.add(type);
    }
  }
}

/** The recorded types that this release does not know. A type may be recorded by an older release. */
export async function unknownEvents(side: SideStore): Promise<UnknownEventType[]> {
  const noted = await table(side).list();
  return noted
    .filter(({ id }) => definitionOf(id) === undefined)
    .map(({ id, value }) => ({ type: id, since: value.since }));
}
