import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from '../ground/back-off.ts';
import type { SideStore, SideTable } from '../stores/side/port.ts';
import type { Holder } from './holder.ts';

/** A cache of data keys that drops what other processes have destroyed. */
export interface KeyCache {
  drop(holder: Holder): void;
  dropAll(): void;
  /** Called before the destroyed keys are read. The result, called afterwards, says that the cache is as fresh as that. */
  beginRefresh(): () => void;
}

/** How often a process looks for keys that were destroyed. */
const lookEveryMs = 500;
/** How often it says that it is alive when nothing was destroyed. */
const beatEveryMs = 2_000;
/** A process that has not looked for this long, because it is cut off or stands still, no longer uses what it has cached. */
export const trustedForMs = 5_000;
/** A process that says nothing for this long uses none of its cached keys: longer than `trustedForMs`. */
const silentAfterMs = 6_500;
/** How long the entry of a process outlives it, and how long a destroyed key is announced. */
const listedForMs = 60_000;
const announcedForMs = 120_000;

/** What a process with a cache says of itself. */
interface CacheEntry {
  /** Changes while the process is alive. Clocks of machines differ, so others look whether it changes, not when. */
  readonly beat: number;
  /** The announcements that it has seen: it uses none of these keys. */
  readonly seen: readonly string[];
}

/**
 * The caches of data keys in all processes that serve. Whoever destroys a key announces it, and waits until every process
 * that is alive has dropped it; one that is cut off stops using what it has cached.
 */
export class KeyCaches {
  readonly #side: () => SideStore;
  readonly #clock: () => number;
  readonly #id = randomUUID();

  constructor(side: () => SideStore, clock: () => number = () => performance.now()) {
    this.#side = side;
    this.#clock = clock;
  }

  /** Keeps a cache fresh until the signal aborts. `succeeded`: after each look. */
  async keepFresh(
    cache: KeyCache,
    signal: AbortSignal,
    succeeded: () => void = () => undefined,
  ): Promise<void> {
    cache.dropAll();
    let entry: CacheEntry = { beat: 0, seen: [] };
    let announcedAt = this.#clock();
    // Before the first look: whoever destroys a key after that look finds the entry.
    await this.#say(entry);
    try {
      while (!signal.aborted) {
        const refreshed = cache.beginRefresh();
        const announced = await this.#announced.list();
        for (const { id, value } of announced) if (!entry.seen.includes(id)) cache.drop(value.holder);
        refreshed();
        const seen = announced.map(({ id }) => id);
        const changed = seen.join() !== entry.seen.join();
        entry = { beat: entry.beat + 1, seen };
        if (changed || this.#clock() - announcedAt >= beatEveryMs) {
          announcedAt = this.#clock();
          await this.#say(entry);
        }
        succeeded();
        await pause(lookEveryMs, signal);
      }
    } finally {
      cache.dropAll();
      await this.#entries.delete(this.#id).catch(() => undefined);
    }
  }

  /** Resolves when no other process uses the key of this holder any more, which the vault no longer has. */
  async untilDropped(holder: Holder): Promise<void> {
    const announcement = randomUUID();
    await this.#announced.put(announcement, { holder }, new Date(Date.now() + announcedForMs));
    const heard = new Map<string, { readonly beat: number; readonly at: number }>();
    for (;;) {
      const entries = await this.#entries.list();
      const at = this.#clock();
      const waitsFor = entries.filter(({ id, value }) => {
        if (id === this.#id || value.seen.includes(announcement)) return false;
        const last = heard.get(id);
        if (last?.beat !== value.beat) heard.set(id, { beat: value.beat, at });
        return at - (heard.get(id)?.at ?? at) < silentAfterMs;
      });
      if (waitsFor.length === 0) return;
      await sleep(100);
    }
  }

  #say(entry: CacheEntry): Promise<void> {
    return this.#entries.put(this.#id, entry, new Date(Date.now() + listedForMs));
  }

  get #announced(): SideTable<{ readonly holder: Holder }> {
    return this.#side().table('destroyed-data-keys');
  }

  get #entries(): SideTable<CacheEntry> {
    return this.#side().table('data-key-caches');
  }
}
