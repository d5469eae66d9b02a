/** What a process that serves says of itself, so that an older and a newer release can run side by side. */
export interface NodeEntry {
  readonly release: string;
  /** Whether it keeps the read models. */
  readonly projects: boolean;
  /** The version of each read model that it reads, by name. */
  readonly readModels: Readonly<Record<string, number>>;
  /** The newest schema version that it reads of each event type. */
  readonly events: Readonly<Record<string, number>>;
}

export interface Node extends NodeEntry {
  readonly id: string;
}

/**
 * The nodes that share the stores: every process that serves registers while it runs. Short commands do not.
 * A node that was killed is still listed for `listedForMs`.
 */
export interface Nodes {
  /** Registers this process, or says again that it runs. To be repeated every `announceEveryMs`. */
  announce(entry: NodeEntry): Promise<void>;

  /** Removes this process from the list. */
  leave(): Promise<void>;

  /** Every node that is listed, this process included. May be up to a second old. */
  present(): Promise<readonly Node[]>;
}

export const announceEveryMs = 5_000;
export const listedForMs = 30_000;
