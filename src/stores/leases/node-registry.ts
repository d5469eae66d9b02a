import { randomUUID } from 'node:crypto';
import type { SideStore } from '../side/port.ts';
import { listedForMs, type Node, type NodeEntry, type Nodes } from './nodes-port.ts';

/** Every append asks for the list of nodes, so it is cached for a second. */
const keptMs = 1_000;

/** The node registry in the side store. Entries expire, so a killed node disappears. */
export class NodeRegistry implements Nodes {
  readonly #side: () => SideStore;
  readonly #id = randomUUID();
  #present: { readonly at: number; readonly nodes: Promise<readonly Node[]> } | undefined;

  constructor(side: () => SideStore) {
    this.#side = side;
  }

  async announce(entry: NodeEntry): Promise<void> {
    await this.#table.put(this.#id, entry, new Date(Date.now() + listedForMs));
    this.#present = undefined;
  }

  async leave(): Promise<void> {
    await this.#table.delete(this.#id);
    this.#present = undefined;
  }

  present(): Promise<readonly Node[]> {
    const now = performance.now();
    if (!this.#present || now - this.#present.at > keptMs) {
      const kept = { at: now, nodes: this.#list() };
      this.#present = kept;
      kept.nodes.catch(() => {
        if (this.#present === kept) this.#present = undefined;
      });
    }
    return this.#present.nodes;
  }

  async #list(): Promise<readonly Node[]> {
    return (await this.#table.list()).map(({ id, value }) => ({ ...value, id }));
  }

  get #table() {
    return this.#side().table<NodeEntry>('nodes');
  }
}
