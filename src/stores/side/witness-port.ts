/** The largest tree of a log that a witness has cosigned. */
export interface CosignedTree {
  readonly size: number;
  readonly root: Buffer;
  /** The checkpoint with the signature of its log and our cosignature. */
  readonly note: string;
}

/** What a witness remembers: of each log the newest checkpoint that it cosigned. */
export interface WitnessStore {
  /**
   * A random id that is made with the store. A store that was lost and begins anew has another one, and must get another
   * key: what was cosigned with the old key is no longer remembered.
   */
  id(): Promise<string>;
  newest(origin: string): Promise<CosignedTree | undefined>;
  /**
   * Puts a tree in the place of `former` (undefined: there is none yet). Durable when it resolves. False, and nothing is
   * stored, when the newest is no longer `former`: of two at the same time one wins.
   */
  advance(origin: string, tree: CosignedTree, former: CosignedTree | undefined): Promise<boolean>;
  close(): Promise<void>;
}
