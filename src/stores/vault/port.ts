/**
 * Holds what must never be in an event: signing secrets, private keys, data keys. Sealed at rest with the master
 * key. Deleting a data key makes everything encrypted with it unreadable.
 */
export interface Vault {
  /** Stores a secret under a name, replacing an existing one. */
  put(name: string, secret: Uint8Array): Promise<void>;
  /** Stores a secret unless the name exists. Returns the stored one. */
  putIfAbsent(name: string, secret: Uint8Array): Promise<Uint8Array>;
  /** Stores each secret unless its name exists, all with one write. When it fails, some may be stored. */
  putAllIfAbsent(secrets: ReadonlyMap<string, Uint8Array>): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
  /** Those of the named secrets that exist, by name. */
  getMany(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  delete(name: string): Promise<void>;
  /** Names that begin with a prefix, sorted. */
  names(prefix: string): Promise<string[]>;
  close(): Promise<void>;
}
