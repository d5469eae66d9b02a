import type { MasterKey } from '../ground/master-key.ts';
import type { SideStore } from '../stores/side/port.ts';
import { closeWhatIsOver } from './close.ts';
import { DayCounts, type MostCounted } from './day-counts.ts';
import { countedNetwork, DayKeys } from './day-key.ts';
import type { Need } from './need.ts';
import { did } from './stored-row.ts';
import { dateOf } from './weeks-and-days.ts';

/** How often counts are written. A process that is killed loses what it counted since. */
export const flushSeconds = 5;
/** How often it is looked whether a day is over that nobody has closed. */
const closeEveryMs = 60_000;

interface Options {
  readonly side: SideStore;
  readonly masterKey: MasterKey;
  readonly now: () => Date;
  /** False: nothing is counted. Days that were counted are still closed. */
  readonly counts?: boolean;
  readonly most?: MostCounted;
}

/**
 * What people look for, counted: see docs/security.md for what is published of it, and when. Nothing here is about a person,
 * and no typed text comes here.
 */
export class SearchCounts {
  readonly #side: SideStore;
  readonly #masterKey: MasterKey;
  readonly #keys: DayKeys;
  readonly #now: () => Date;
  readonly #most: MostCounted | undefined;
  /** False: nothing is counted. */
  readonly counts: boolean;
  /** The newest day last: the one before it may have something to write. */
  #days: DayCounts[] = [];
  #beginning: Promise<DayCounts> | undefined;
  #closedAt = -Infinity;
  #flushing: Promise<void> = Promise.resolve();

  constructor({ side, masterKey, now, counts = true, most }: Options) {
    this.#side = side;
    this.#masterKey = masterKey;
    this.#keys = new DayKeys(side, masterKey);
    this.#now = now;
    this.counts = counts;
    this.#most = most;
  }

  /**
   * Counts a search of a network, and whether it found something that has all that was asked for. Returns what a link to a
   * record says of it, see `opened`. `onPage`: it has such links. @throws StoreError, on the first search of a day
   */
  async search(need: Need, address: string, found: boolean, onPage = true): Promise<string> {
    const day = this.#today() ?? (await this.#begin());
    const network = countedNetwork(address);
    day.add(need, network, did.searched | (found ? did.found : 0) | (onPage ? did.onPage : 0));
    return day.key.linkOf(need, network);
  }

  /** The same link, for another page of what was found. Nothing is counted. */
  async linkOf(need: Need, address: string): Promise<string> {
    const day = this.#today() ?? (await this.#begin());
    return day.key.linkOf(need, countedNetwork(address));
  }

  /** Somebody opened a record by a link of a list of results. A link of another day, or of nobody's, says nothing. */
  async opened(link: string, address: string): Promise<void> {
    const day = this.#today() ?? (await this.#begin());
    const need = day.key.needOfLink(link);
    if (need) day.add(need, countedNetwork(address), did.opened);
  }

  #today(): DayCounts | undefined {
    const day = this.#days.at(-1);
    return day?.key.date === dateOf(this.#now()) ? day : undefined;
  }

  #begin(): Promise<DayCounts> {
    const date = dateOf(this.#now());
    this.#beginning ??= this.#keys
      .of(date)
      .then((key) => {
        const existing = this.#days.find((each) => each.key.date === date);
        const day = existing ?? new DayCounts(this.#side, key, this.#most);
        if (!existing) this.#days.push(day);
        return day;
      })
      .finally(() => {
        this.#beginning = undefined;
      });
    return this.#beginning;
  }

  /**
   * Writes what was counted up to now, forgets days that are over, and closes them. Calls follow each other.
   * @throws StoreError: the next call does the rest
   */
  flush(): Promise<void> {
    const flushed = this.#flushing.then(async () => {
      const today = dateOf(this.#now());
      for (const day of [...this.#days]) {
        await day.flush();
        // With it the process forgets the key of the day.
        if (day.key.date < today) this.#days = this.#days.filter((each) => each !== day);
      }
      const at = this.#now().getTime();
      if (at >= this.#closedAt && at - this.#closedAt < closeEveryMs) return;
      await closeWhatIsOver({ side: this.#side, masterKey: this.#masterKey }, this.#now());
      this.#closedAt = at;
    });
    this.#flushing = flushed.catch(() => undefined);
    return flushed;
  }
}
