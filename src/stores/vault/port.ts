/**
 * What must never stand in an event: signing secrets, private keys, data keys. Sealed at rest under the master
 * key; deleting a secret destroys everything that was encrypted with it.
 */
export interface Vault {
  /** Keeps a secret under a name; the same name with other bytes replaces it. */
  put(name: string, secret: Uint8Array): Promise<void>;
  /** Keeps a secret unless there is one of that name; answers the one that is kept. */
  putIfAbsent(name: string, secret: Uint8Array): Promise<Uint8Array>;
  get(name: string): Promise<Uint8Array | undefined>;
  delete(name: string): Promise<void>;
  /** Names that begin with a prefix, sorted. */
  names(prefix: string): Promise<string[]>;
  close(): Promise<void>;
}
