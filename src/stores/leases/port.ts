/** Leases: of several processes only the holder does the work. */
export interface Leases {
  /** Returns the lease, or undefined when somebody holds it. */
  tryAcquire(name: string): Promise<Lease | undefined>;
  /** Waits for the lease until the signal aborts. */
  acquire(name: string, signal: AbortSignal, options?: AcquireOptions): Promise<Lease | undefined>;
  close(): Promise<void>;
}

export interface AcquireOptions {
  /** The epoch of the lease will be higher than this (adapters with epochs only). */
  readonly above?: number;
  /**
   * The lease is not taken before this returns true. The holder's heartbeat is watched from the start, so that
   * several leases of one dead holder become free at the same time.
   */
  readonly when?: () => boolean;
}

export interface Lease {
  readonly name: string;
  /** Fencing token: rises with every new holder. The stores refuse writes with an older epoch. */
  readonly epoch: number;
  /** Aborts when the lease is lost. The work must stop at once. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}
