import { randomUUID } from 'node:crypto';
import type { SideStore, SideTable } from '../../stores/side/port.ts';

/** How often a dispatcher says that it is there, and looks who else is. */
export const heartbeatMs = 1_000;

/**
 * A member that has missed this many milliseconds of beats is not counted when shards are taken: those it holds
 * cannot be, as long as it lives, and where it does not, the eight seconds after which a lease is free begin
 * only when somebody first asks for it.
 */
const doubtfulAfterMs = 3_000;

/** A member is counted for so long when shards are given back: a slow one must find its share when it returns. */
const goneAfterMs = 10_000;

/** Its entry goes by itself, also where nobody has a clock that agrees with ours. */
const entryKeptMs = 60_000;

interface Announcement {
  readonly started_at: string;
  /** Counts up; whether it moves, not when, tells others that we live: clocks of machines differ. */
  readonly beat: number;
}

/** DispatcherRegistry in one order for all who look: by age, so that a newcomer changes nobody's place. */
export interface LiveDispatchers {
  readonly certain: readonly string[];
  /** With those who have not been heard of for a while. */
  readonly possible: readonly string[];
}

export interface DispatcherRegistryOptions {
  readonly side: SideStore;
  readonly now: () => Date;
  /** Milliseconds that only ever go forward. */
  readonly clock?: () => number;
}

/** The dispatchers of all machines, as one of them sees them. It is no lock: leases decide, this only divides. */
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

  /** Says that we are there, and tells who is. */
  async announce(): Promise<LiveDispatchers> {
    this.#beat += 1;
    const announcement = { started_at: this.#startedAt, beat: this.#beat };
    await this.#table.put(this.id, announcement, new Date(this.#now().getTime() + entryKeptMs));
    const others = (await this.#table.list()).filter(({ id }) => id !== this.id);
    // We are there, also for a store whose clock says that our entry is out of date.
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

  /** Lets the others divide without us. */
  async leave(): Promise<void> {
    await this.#table.delete(this.id);
  }
}
