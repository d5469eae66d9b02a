import { LRUCache } from 'lru-cache';
import { entries } from '../../../../ground/capacity.ts';
import { networkOf } from '../../../../ground/network.ts';

const windowMs = 60_000;
/** More networks than search in one minute. The one that searched longest ago is forgotten first. */
const networksKept = 20_000;

interface Window {
  readonly until: number;
  searches: number;
}

/**
 * Limits the searches of one network on the public pages, which need no key: each costs as much as twenty pages of a
 * list, and a crawler that follows every filter would take a core. Counted in memory by each process, so that no search
 * waits for a store, and no place keeps who searched.
 */
export class SearchLimit {
  readonly #windows = new LRUCache<string, Window>(entries(networksKept));
  readonly #perMinute: number;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts a search. Returns 0 when it may be made, else the seconds until the next one. */
  take(address: string, now: Date): number {
    const network = networkOf(address);
    const at = now.getTime();
    const known = this.#windows.get(network);
    // A clock that was set back must not refuse for longer than a window.
    const runs = known !== undefined && at < known.until && known.until - at <= windowMs;
    const window = runs ? known : { until: at + windowMs, searches: 0 };
    if (!runs) this.#windows.set(network, window);
    window.searches += 1;
    return window.searches <= this.#perMinute ? 0 : Math.ceil((window.until - at) / 1_000);
  }
}
