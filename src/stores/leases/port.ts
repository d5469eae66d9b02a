/** Who of several processes does a job that only one may do. */
export interface Leases {
  /** The lease, when nobody holds it now. */
  tryAcquire(name: string): Promise<Lease | undefined>;
  /** Waits for the lease until the signal aborts. */
  acquire(name: string, signal: AbortSignal, options?: AcquireOptions): Promise<Lease | undefined>;
  close(): Promise<void>;
}

export interface AcquireOptions {
  /** The lease's epoch is higher than this, where epochs count. */
  readonly above?: number;
  /**
   * The lease is not taken before this answers true. Whether its holder lives is watched from the first moment, so
   * that of several leases of one dead holder the second is free as soon as the first.
   */
  readonly when?: () => boolean;
}

export interface Lease {
  readonly name: string;
  /** Fencing token: rises with every new holder, so that stores refuse writes with an older one. */
  readonly epoch: number;
  /** Aborts when the lease is no longer ours: the work must stop at once. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}
