import { StoreError } from '../stores/errors.ts';
import type { NewEvent } from '../stores/event-store/port.ts';
import type { Node, Nodes } from '../stores/leases/nodes-port.ts';

/**
 * Refuses an event while a node of an older release runs that cannot read it: the projections of that node would stop
 * at the event, and its commands could not load the stream.
 */
export class NodeCompatibility {
  readonly #nodes: Nodes;
  #lastPresent: readonly Node[] = [];

  constructor(nodes: Nodes) {
    this.#nodes = nodes;
  }

  /** @throws StoreError unavailable, while a registered node cannot read one of the events */
  async check(events: readonly Pick<NewEvent, 'type' | 'metadata'>[]): Promise<void> {
    for (const { type, metadata } of events) {
      const version = (metadata as { readonly commonweal_schema?: number }).commonweal_schema ?? 1;
      const older = (await this.#present()).find((node) => (node.events[type] ?? 0) < version);
      if (!older) continue;
      throw new StoreError(
        'unavailable',
        `${type} (schema ${version}) cannot be read by a node of release ${older.release} that still runs. It can be recorded when every node runs the new release.`,
      );
    }
  }

  /** The registered nodes. While the registry cannot be read: those of the last successful read. */
  async #present(): Promise<readonly Node[]> {
    try {
      return (this.#lastPresent = await this.#nodes.present());
    } catch {
      return this.#lastPresent;
    }
  }
}
