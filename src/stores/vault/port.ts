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
  /**
   * Seals every secret under the newest key that is sealed under another one. Secrets that are written, replaced or
   * deleted meanwhile stay so. Interrupted, it can be called again.
   * @throws StoreError incompatible, naming a secret that no key opens
   */
  reseal(options: ResealOptions): Promise<Resealed>;
  close(): Promise<void>;
}

export interface ResealOptions {
  readonly signal: AbortSignal;
  /** Called with the number of secrets that were looked at. */
  readonly onSecrets?: (checked: number) => void;
}

export interface Resealed {
  readonly checked: number;
  /** How many were sealed under another key. */
  readonly resealed: number;
}

/** How many secrets are sealed anew with one write. */
export const resealedAtOnce = 500;
