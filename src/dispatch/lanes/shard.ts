import type { Lease } from '../../stores/leases/port.ts';
import type { HeldShard } from '../context.ts';
import { Lanes, type LaneOptions } from './lanes.ts';

export interface ShardOptions {
  readonly number: number;
  readonly lease: Lease;
  readonly lanes: (shard: HeldShard) => LaneOptions;
}

/** A held shard: its lease and the lanes of its subscriptions. */
export class Shard implements HeldShard {
  readonly number: number;
  readonly lanes: Lanes;
  readonly #lease: Lease;
  readonly #trailing = new Set<Promise<void>>();

  constructor({ number, lease, lanes }: ShardOptions) {
    this.number = number;
    this.#lease = lease;
    this.lanes = new Lanes(lanes(this));
  }

  get lost(): AbortSignal {
    return this.#lease.lost;
  }

  /** Waits only for the end of the work. Its caller handles errors. */
  readonly trailing = (work: Promise<void>): void => {
    const ended = work.then(forget, forget);
    this.#trailing.add(ended);
    void ended.then(() => this.#trailing.delete(ended));
  };

  /** Starts no more attempts, waits for those under way and their trailing work, and releases the lease. */
  async leave(): Promise<void> {
    await this.lanes.close();
    await Promise.all(this.#trailing);
    await this.#lease.release();
  }
}

const forget = () => undefined;
