/** What a serving process registers about itself, so that an older and a newer release can run side by side. */
export interface NodeEntry {
  readonly release: string;
  /** Whether it runs the projector. */
  readonly projects: boolean;
  /** The version that it reads of each read model, by name. */
  readonly readModels: Readonly<Record<string, number>>;
  /** The newest schema version that it reads of each event type. */
  readonly events: Readonly<Record<string, number>>;
  /** The ids of the master keys with which it opens. */
  readonly keys: readonly string[];
  /** Absent for a process that serves no requests, or of an older release. */
  readonly answered?: AnsweredRequests;
}

/** The requests that a process has answered lately. */
export interface AnsweredRequests {
  /** ISO 8601 UTC. Counted from here on. */
  readonly since: string;
  /** By class of the status, such as `5xx`. */
  readonly by_status: Readonly<Record<string, number>>;
  /** How many took at most so many seconds, and longer than the pair before says; null: any longer time. */
  readonly seconds: readonly (readonly [atMost: number | null, requests: number])[];
}

export interface Node extends NodeEntry {
  readonly id: string;
}

/**
 * The nodes that share the stores: every process that serves registers while it runs. Short commands do not.
 * A node that was killed is still listed for `listedForMs`.
 */
export interface Nodes {
  /** Registers this process, or renews its registration. Call it every `announceEveryMs`. */
  announce(entry: NodeEntry): Promise<void>;

  /** Removes this process from the list. */
  leave(): Promise<void>;

  /** Every registered node, including this one. May be up to a second old. */
  present(): Promise<readonly Node[]>;
}

export const announceEveryMs = 5_000;
export const listedForMs = 30_000;
