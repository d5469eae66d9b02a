/**
 * Small data that is not in events and survives a rebuild: the attempt journal, "last used" times.
 * Each table maps ids to JSON values, ordered by id. Entries may expire.
 */
export interface SideStore {
  table<Value>(name: string): SideTable<Value>;
  /** A name is that of a table or that of a journal, not of both. */
  journal<Value>(name: string): SideJournal<Value>;
  /**
   * Removes what the files keep of values that were deleted or replaced. Embedded: empties the write-ahead log. MongoDB
   * does that by itself, in its own time.
   */
  scrub(): Promise<void>;
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

/**
 * A record of work. An entry is opened before the work and completed after it. An open entry does not expire, and can
 * be found by its group: whoever takes over the group sees which work was interrupted.
 */
export interface SideJournal<Value> {
  /** Writes an open entry, or replaces one. Durable when it resolves. Writes of one tick share one commit. */
  open(group: string, id: string, value: Value): Promise<void>;
  /** Writes the final value of an entry, in one step with its end as an open one. From then on it can expire. */
  complete(group: string, id: string, value: Value, expiresAt: Date): Promise<void>;
  /** Removes an open entry. A complete one stays. */
  withdraw(group: string, id: string): Promise<void>;
  /** The value of an open entry. */
  opened(group: string, id: string): Promise<Value | undefined>;
  /** The open entries of some groups, ordered by id. */
  listOpen(groups: readonly string[]): Promise<{ id: string; value: Value }[]>;
  /** Entries whose id begins with this text, open or complete and not expired, ordered by id. */
  listBeginning(prefix: string, limit: number): Promise<{ id: string; value: Value; open: boolean }[]>;
}
