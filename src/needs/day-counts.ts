import type { SideStore } from '../stores/side/port.ts';
import type { DayKey } from './day-key.ts';
import { textOfNeed, type Need } from './need.ts';
import { passingExpiry, rowId, todayTable } from './stored-counts.ts';
import { textOfLeftOut, textOfRow } from './stored-row.ts';

/** How much one process counts of one day. Beyond it searches are left out, and how many is told with the week. */
export interface MostCounted {
  /** Different needs. */
  readonly needs: number;
  /** Networks, summed up over all needs. */
  readonly networks: number;
  /** Needs for which one network may be the first that asks. */
  readonly begunByNetwork: number;
}

export const mostCounted: MostCounted = { needs: 20_000, networks: 400_000, begunByNetwork: 50 };

/** With as many networks a row of the day appears, so it is never left out for want of room. */
export const crowd = 10;
/** So much is free after room was made. */
const freed = 0.25;
const batchSize = 500;

interface Row {
  readonly need: string;
  readonly id: string;
  readonly networks: Map<number, number>;
  changed: boolean;
}

/** What one process has counted of one day: in memory, written when told to. Counting waits for nothing. */
export class DayCounts {
  readonly key: DayKey;
  readonly #side: SideStore;
  readonly #most: MostCounted;
  readonly #process = crypto.randomUUID().slice(0, 13);
  readonly #rows = new Map<string, Row>();
  /** By 16 bits of a hash of a network: how many rows it began. So it does not grow with networks. */
  readonly #begun = new Uint16Array(65_536);
  #networks = 0;
  #numbers = 0;
  #leftOut = 0;
  #writtenLeftOut = 0;
  #isFull = false;
  /** Ids of stored rows that made room. */
  #removed: string[] = [];

  constructor(side: SideStore, key: DayKey, most: MostCounted = mostCounted) {
    this.#side = side;
    this.key = key;
    this.#most = most;
  }

  /** What a network did that counts once, however often it does it. */
  add(need: Need, network: string, done: number): void {
    if (this.#networks >= this.#most.networks) this.#makeRoom();
    const text = textOfNeed(need);
    const row = this.#rows.get(text) ?? this.#begin(text, network);
    const hash = this.key.hashOf(need, network);
    const before = row?.networks.get(hash);
    if (before !== undefined && (before & done) === done) return;
    if (!row || (before === undefined && this.#networks >= this.#most.networks)) {
      this.#leftOut++;
      return;
    }
    if (before === undefined) this.#networks++;
    row.networks.set(hash, (before ?? 0) | done);
    row.changed = true;
  }

  #begin(need: string, network: string): Row | undefined {
    const begun = this.key.hashOf({ words: [], kind: '', place: '' }, network);
    if ((this.#begun[begun] as number) >= this.#most.begunByNetwork) return undefined;
    if (this.#rows.size >= this.#most.needs) this.#makeRoom();
    if (this.#rows.size >= this.#most.needs || this.#networks >= this.#most.networks) return undefined;
    this.#begun[begun] = (this.#begun[begun] as number) + 1;
    const row = {
      need,
      id: rowId(this.key.date, this.#process, ++this.#numbers),
      networks: new Map<number, number>(),
      changed: false,
    };
    this.#rows.set(need, row);
    return row;
  }

  /**
   * Drops rows for which the fewest networks asked, as whoever sends random searches makes them. Rows that have a crowd of
   * networks stay.
   */
  #makeRoom(): void {
    const enough = (): boolean =>
      this.#rows.size <= this.#most.needs * (1 - freed) &&
      this.#networks <= this.#most.networks * (1 - freed);
    if (this.#isFull) return;
    for (let few = 1; few < crowd && !enough(); few++) {
      for (const row of this.#rows.values()) {
        if (enough()) break;
        if (row.networks.size > few) continue;
        this.#rows.delete(row.need);
        this.#removed.push(row.id);
        this.#networks -= row.networks.size;
        this.#leftOut += row.networks.size;
      }
    }
    // Crowds asked for nearly all of it. Looking again would cost each search, and free little.
    this.#isFull = !enough();
  }

  /** Writes what has changed. @throws StoreError: the rest is written with the next call */
  async flush(): Promise<void> {
    const table = todayTable(this.#side);
    const until = passingExpiry();
    const put = (id: string, text: string) => table.put(id, this.key.sealed(id, text), until);
    const changed = [...this.#rows.values()].filter((row) => row.changed);
    for (let at = 0; at < changed.length; at += batchSize) {
      const batch = changed.slice(at, at + batchSize);
      await all(
        batch.map(async (row) => {
          // What is counted while it is written belongs to the next flush.
          row.changed = false;
          try {
            await put(row.id, textOfRow(row.need, row.networks));
          } catch (error) {
            row.changed = true;
            throw error;
          }
        }),
      );
    }
    const removed = this.#removed.splice(0);
    await all(
      removed.map(async (id) => {
        try {
          await table.delete(id);
        } catch (error) {
          this.#removed.push(id);
          throw error;
        }
      }),
    );
    const leftOut = this.#leftOut;
    if (leftOut === this.#writtenLeftOut) return;
    await put(rowId(this.key.date, this.#process, 0), textOfLeftOut(leftOut));
    this.#writtenLeftOut = leftOut;
  }
}

/** Waits for all of them, also where one fails. */
async function all(works: readonly Promise<unknown>[]): Promise<void> {
  for (const each of await Promise.allSettled(works)) if (each.status === 'rejected') throw each.reason;
}
