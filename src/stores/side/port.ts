/**
 * Small data that is not in events and survives a rebuild: the attempt journal, response texts, "last used" times.
 * Each table maps ids to JSON values, ordered by id. Entries may expire.
 */
export interface SideStore {
  table<Value>(name: string): SideTable<Value>;
  close(): Promise<void>;
}

export interface SideTable<Value> {
  /** Durable when it resolves. Puts of one tick of the event loop share one commit. */
  put(id: string, value: Value, expiresAt?: Date): Promise<void>;
  /**
   * Puts unless an unexpired entry exists. Returns whether it did: of several concurrent callers on all clients,
   * exactly one gets true. Do not mix it with concurrent `put` or `delete` of the same id.
   */
  putIfAbsent(id: string, value: Value, expiresAt?: Date): Promise<boolean>;
  get(id: string): Promise<Value | undefined>;
  delete(id: string): Promise<void>;
  /** Entries after an id, ordered by id, without expired ones. */
  list(options?: {
    readonly after?: string;
    readonly limit?: number;
  }): Promise<{ id: string; value: Value }[]>;
}
