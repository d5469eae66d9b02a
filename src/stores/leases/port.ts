/** Who of several processes does a job that only one may do. */
export interface Leases {
  /** The lease, when nobody holds it now. */
  tryAcquire(name: string): Promise<Lease | undefined>;
  /** Waits for the lease until the signal aborts. */
  acquire(name: string, signal: AbortSignal): Promise<Lease | undefined>;
  close(): Promise<void>;
}

export interface Lease {
  readonly name: string;
  /** Rises with every new holder: a store that is told it can refuse a holder who does not know he was one. */
  readonly epoch: number;
  /** Aborts when the lease is no longer ours: the work must stop at once. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}
