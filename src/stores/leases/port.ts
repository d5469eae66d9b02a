/** Who of several processes does a job that only one may do. */
export interface Leases {
  /** The lease, when nobody holds it now. */
  tryAcquire(name: string): Promise<Lease | undefined>;
  /** Waits for the lease until the signal aborts. `above`: its epoch is higher than this, where epochs count. */
  acquire(
    name: string,
    signal: AbortSignal,
    options?: { readonly above?: number },
  ): Promise<Lease | undefined>;
  close(): Promise<void>;
}

export interface Lease {
  readonly name: string;
  /** Fencing token: rises with every new holder, so that stores refuse writes with an older one. */
  readonly epoch: number;
  /** Aborts when the lease is no longer ours: the work must stop at once. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}
