/**
 * Small things that are no events and survive a rebuild: attempt notes, response texts, "last used" times.
 * Each table is a map from id to a JSON value, ordered by id, whose entries may expire.
 */
export interface SideStore {
  table<Value>(name: string): SideTable<Value>;
  close(): Promise<void>;
}

export interface SideTable<Value> {
  /** Durable when it resolves; puts of one turn of the event loop share one commit. */
  put(id: string, value: Value, expiresAt?: Date): Promise<void>;
  /**
   * Puts where nothing unexpired is under the id, and answers whether it did: of many at once, on all clients, one
   * does. Not to be mixed with `put` and `delete` of the same id at the same time.
   */
  putIfAbsent(id: string, value: Value, expiresAt?: Date): Promise<boolean>;
  get(id: string): Promise<Value | undefined>;
  delete(id: string): Promise<void>;
  /** Entries after an id, in the order of ids; expired ones are left out. */
  list(options?: {
    readonly after?: string;
    readonly limit?: number;
  }): Promise<{ id: string; value: Value }[]>;
}
