import type { SideStore } from '../stores/side/port.ts';
import { RecentKeyRequests } from './key-requests.ts';
import type { Outcome, RequestKind } from './request-kinds.ts';
import {
  dayOf,
  entryId,
  expiryOf,
  sinceTable,
  unnamedKey,
  usageTable,
  type StoredUsage,
} from './stored-key-usage.ts';

/** How often counts are written. A process that is killed loses what it counted since. */
export const flushSeconds = 5;

/** Keys that a process counts at a time. With more, it writes those it has and begins anew. */
const mostKeys = 10_000;
/** Entries that are written in one transaction. */
const batchSize = 500;

interface Entry {
  readonly id: string;
  readonly day: number;
  readonly usage: StoredUsage;
  /** Whether it has counts that are not written. It is then among the unwritten ones. */
  changed: boolean;
}

interface Options {
  readonly now: () => Date;
  readonly mostKeys?: number;
}

/**
 * Counts the requests of keys in memory, and writes the counts when told to. Counting costs no reading and no waiting.
 * Each run of this class writes entries of its own, so no other process is asked and no count is lost to another's.
 */
export class KeyUsageCounts {
  readonly #side: SideStore;
  readonly #now: () => Date;
  readonly #mostKeys: number;
  readonly #process = crypto.randomUUID().slice(0, 13);
  readonly #startedAt: Date;
  #isSinceStored = false;
  /** Entries of one day. */
  #entries = new Map<string, Entry>();
  #day = -1;
  /** Changes with every new map of entries: an entry that is no longer in memory must not be overwritten. */
  #generation = 0;
  #unwritten: Entry[] = [];
  #flushing: Promise<void> = Promise.resolve();

  /** The last requests of each key, which are written with the counts. */
  readonly requests: RecentKeyRequests;

  constructor(side: SideStore, { now, mostKeys: most = mostKeys }: Options) {
    this.#side = side;
    this.requests = new RecentKeyRequests(side, now);
    this.#now = now;
    this.#mostKeys = most;
    this.#startedAt = now();
  }

  count(keyId: string, kind: RequestKind, outcome: Outcome): void {
    const at = this.#now().getTime();
    const day = dayOf(at);
    if (day !== this.#day) this.#begin(day);
    const entry = this.#entries.get(keyId) ?? this.#add(keyId);
    if (!entry.changed) {
      entry.changed = true;
      this.#unwritten.push(entry);
    }
    const ofKind = (entry.usage[kind] ??= {});
    const counted = ofKind[outcome];
    if (counted) {
      counted[0]++;
      // The clock may have been set back.
      if (at > counted[2]) counted[2] = at;
      else if (at < counted[1]) counted[1] = at;
    } else ofKind[outcome] = [1, at, at];
  }

  /**
   * Writes what was counted up to now. Calls follow each other.
   * @throws StoreError: the counts stay in memory for the next call
   */
  flush(): Promise<void> {
    const flushed = this.#flushing.then(async () => {
      await this.#write();
      await this.requests.flush();
    });
    this.#flushing = flushed.catch(() => undefined);
    return flushed;
  }

  #begin(day: number): void {
    this.#day = day;
    this.#entries = new Map();
    this.#generation++;
  }

  #add(keyId: string): Entry {
    if (this.#entries.size >= this.#mostKeys) this.#begin(this.#day);
    // The store has not taken them for long: keys that are new are counted as one.
    const named = this.#unwritten.length < 2 * this.#mostKeys ? keyId : unnamedKey;
    const existing = this.#entries.get(named);
    if (existing) return existing;
    const id = entryId(named, this.#day, `${this.#process}-${this.#generation}`);
    const entry = { id, day: this.#day, usage: {}, changed: false };
    this.#entries.set(named, entry);
    return entry;
  }

  async #write(): Promise<void> {
    if (this.#unwritten.length === 0) return;
    if (!this.#isSinceStored) {
      await sinceTable(this.#side).putIfAbsent('since', this.#startedAt.toISOString());
      this.#isSinceStored = true;
    }
    const table = usageTable(this.#side);
    const entries = this.#unwritten;
    this.#unwritten = [];
    try {
      while (entries.length > 0) {
        const batch = entries.slice(0, batchSize);
        // A put takes the value at the call. What is counted after it belongs to the next flush.
        const writing = batch.map((entry) => {
          entry.changed = false;
          return table.put(entry.id, entry.usage, expiryOf(entry.day));
        });
        const written = await Promise.allSettled(writing);
        // Those that were counted meanwhile are among the unwritten ones already.
        const failed = batch.filter(
          (entry, place) => written[place]?.status === 'rejected' && !entry.changed,
        );
        for (const entry of failed) entry.changed = true;
        entries.splice(0, batch.length, ...failed);
        const failure = written.find(({ status }) => status === 'rejected');
        if (failure?.status === 'rejected') throw failure.reason;
      }
    } finally {
      this.#unwritten = entries.concat(this.#unwritten);
    }
  }
}
