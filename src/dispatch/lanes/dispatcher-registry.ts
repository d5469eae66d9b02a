import { randomUUID } from 'node:crypto';
import type { SideStore, SideTable } from '../../stores/side/port.ts';

/** How often a dispatcher renews its entry and reads the others. */
export const heartbeatMs = 1_000;

/**
 * A member without a heartbeat for this long is not counted when shards are taken. If it is alive, its leases
 * protect its shards. If it is dead, a challenger must request its leases early: they become free eight seconds
 * after the first request.
 */
const doubtfulAfterMs = 3_000;

/** A member is counted this long when shards are released, so that a slow one finds its share when it returns. */
const goneAfterMs = 10_000;

/** When the entry of a dead dispatcher expires. */
const entryKeptMs = 60_000;

interface Announcement {
  readonly started_at: string;
  /** Rises with every heartbeat. Others check whether it changes, not when, because clocks of machines differ. */
  readonly beat: number;
}

/** Dispatchers in the same order for all: by age, so that a new one does not change the others' places. */
export interface LiveDispatchers {
  readonly certain: readonly string[];
  /** Including members without a recent heartbeat. */
  readonly possible: readonly string[];
}

export interface DispatcherRegistryOptions {
  readonly side: SideStore;
  readonly now: () => Date;
  /** Milliseconds that only ever go forward. */
  readonly clock?: () => number;
}

/**
 * The dispatchers of all machines, as one of them sees them. Not a lock: it only divides the shards, leases decide
 * who owns one.
 */
export class DispatcherRegistry {
  readonly id: string = randomUUID();
  readonly #table: SideTable<Announcement>;
  readonly #now: () => Date;
  readonly #clock: () => number;
  readonly #startedAt: string;
  readonly #heard = new Map<string, { readonly beat: number; readonly at: number }>();
  #beat = 0;

  constructor({ side, now, clock = () => performance.now() }: DispatcherRegistryOptions) {
    this.#table = side.table<Announcement>('dispatchers');
    this.#now = now;
    this.#clock = clock;
    this.#startedAt = now().toISOString();
  }

  /** Renews our entry and returns the live dispatchers. */
  async announce(): Promise<LiveDispatchers> {
    this.#beat += 1;
    const announcement = { started_at: this.#startedAt, beat: this.#beat };
    await this.#table.put(this.id, announcement, new Date(this.#now().getTime() + entryKeptMs));
    const others = (await this.#table.list()).filter(({ id }) => id !== this.id);
    // Includes ourselves, even when the store's clock considers our entry expired.
    const entries = [...others, { id: this.id, value: announcement }];
    const at = this.#clock();
    const listed = new Set(entries.map(({ id }) => id));
    for (const id of this.#heard.keys()) if (!listed.has(id)) this.#heard.delete(id);
    for (const { id, value } of entries) {
      if (this.#heard.get(id)?.beat !== value.beat) this.#heard.set(id, { beat: value.beat, at });
    }
    const silentFor = (id: string) => at - (this.#heard.get(id)?.at ?? at);
    const inOrder = entries
      .map(({ id, value }) => ({ id, key: `${value.started_at} ${id}` }))
      .sort((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ id }) => id);
    return {
      certain: inOrder.filter((id) => silentFor(id) < doubtfulAfterMs),
      possible: inOrder.filter((id) => silentFor(id) < goneAfterMs),
    };
  }

  /** Removes our entry, so that the others divide the shards without us. */
  async leave(): Promise<void> {
    await this.#table.delete(this.id);
  }
}
