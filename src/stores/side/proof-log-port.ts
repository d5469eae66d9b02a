/**
 * What one log signed: the hashes of its Merkle tree and its checkpoints. Nothing here is ever computed again from the
 * events, for that would hide a change to them. So it is kept apart from read models, and only grows.
 */
export interface SignedLog {
  /** The newest checkpoint. Undefined when none was ever signed. */
  newest(): Promise<SignedTree | undefined>;
  /** Checkpoints of trees larger than `after` (default: all), smallest first. */
  checkpoints(options: { readonly after?: number; readonly limit: number }): Promise<SignedTree[]>;
  /**
   * Adds a checkpoint. Its tiles must be stored before.
   * @throws StoreError fenced, when the newest checkpoint is not of size `extends` (0: there is none), was added under a
   * newer epoch, or the log has ended
   */
  add(
    tree: SignedTree,
    options: {
      readonly extends: number;
      /** Of the lease that the signer holds. */
      readonly epoch: number;
    },
  ): Promise<void>;
  /**
   * Stores the hashes of tiles. A tile that is stored already may be stored again, as it is or longer: it then keeps
   * its longest form. Durable when it resolves.
   * @throws StoreError incompatible, when a tile is stored with other hashes. Other tiles may then be stored.
   */
  putTiles(tiles: readonly ProofTile[]): Promise<void>;
  /** The hashes of tiles in their longest form, in the order asked for. Undefined for one that is not stored. */
  tiles(tiles: readonly TilePlace[]): Promise<readonly (Buffer | undefined)[]>;
  /** Stores where bundles of entries begin in the event store, replacing what is stored for the same bundles. */
  putBundles(bundles: readonly BundlePlace[]): Promise<void>;
  /** The stored bundle with the highest index that is not above `index`. */
  bundleAtOrBefore(index: number): Promise<BundlePlace | undefined>;
  /** Stores cosignatures beside their checkpoints, in the place of earlier ones by the same cosigners. */
  addCosignatures(cosignatures: readonly StoredCosignature[]): Promise<void>;
  /** The cosignatures of trees larger than `after` (default: all), smallest first, and in the order of cosigners. */
  cosignatures(options: { readonly after?: number; readonly limit: number }): Promise<StoredCosignature[]>;
}

/**
 * The log that is signed now, and those before it, which ended. What a log has signed stays as it is when it ends: the
 * next one has a name of its own and begins with an empty tree.
 */
export interface ProofLog extends SignedLog {
  /** The logs that ended, in the order in which they did. */
  ended(): Promise<readonly EndedLog[]>;
  /** One of the logs by its number: how many ended before it. Nothing is signed in one that has ended. */
  log(number: number): SignedLog;
  /**
   * Ends the log with this number, and begins the next one. Nothing is done where it has ended with the same successor.
   * @throws StoreError fenced, when it is not the one that is signed now, or was signed under a newer epoch
   */
  end(
    log: EndedLog,
    options: {
      readonly number: number;
      /** Of the lease that the signer holds. */
      readonly epoch: number;
    },
  ): Promise<void>;
  close(): Promise<void>;
}

/** A log that ended. Another one, under another name, goes on. */
export interface EndedLog {
  readonly origin: string;
  /** The key that verifies its newest checkpoints. */
  readonly vkey: string;
  /** The keys that signed before it. */
  readonly earlier?: readonly string[] | undefined;
  /** The largest tree that it is known to have signed. 0: none. */
  readonly size: number;
  /** The root of that tree, in base64. */
  readonly root: string;
  /** The signed note of that tree. Undefined where it is lost, or there is none. */
  readonly checkpoint?: string | undefined;
  /** ISO 8601 UTC. */
  readonly endedAt: string;
  /** A backup was restored to behind what it had signed, or may have; or an operator replaced it. */
  readonly reason: 'restored' | 'replaced';
  /** The origin of the log that goes on. */
  readonly successor: string;
}

/** A checkpoint, and the tree that it is of. */
export interface SignedTree {
  /** How many entries the tree has. */
  readonly size: number;
  /** The signed note. */
  readonly note: string;
  /** ISO 8601 UTC. Not signed. */
  readonly signedAt: string;
}

/** The cosignature of a checkpoint by a witness. */
export interface StoredCosignature {
  /** Of the tree. */
  readonly size: number;
  /** The name and id of the witness's key. */
  readonly cosigner: string;
  /** The line in the note, with its newline. */
  readonly line: string;
}

/** Where a tile is in the tree. */
export interface TilePlace {
  /** 0 for the hashes of entries. */
  readonly level: number;
  readonly index: number;
}

export interface ProofTile extends TilePlace {
  /** 32 bytes a hash, at most 256 hashes. A partial tile is a beginning of its full form. */
  readonly hashes: Uint8Array;
}

/** Where a bundle of 256 entries begins. */
export interface BundlePlace {
  readonly index: number;
  /**
   * Its first event is the first of ours after this position. Depends on the event store: another store has other
   * positions. No proof uses it.
   */
  readonly after: bigint;
}
