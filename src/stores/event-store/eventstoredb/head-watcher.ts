import { beginning, type Position } from '../port.ts';
import type { Labelled } from './namespace.ts';

export interface EntryHeader extends Labelled {
  readonly position: Position;
}

/** Entry headers kept of the end of the log. */
const remembered = 4_096;
/** The most entries in one read. When there are more, the next read follows at once. */
export const headersPerRead = 500;
/** When it is further behind than this, it starts again at the head. */
const worthReading = 4_000;
/** How often the head is read while somebody waits, and how soon after our own appends. */
const everyMs = 50;
const nudgedMs = 5;

export interface LogEnd {
  head(): Promise<Position>;
  after(position: Position, limit: number): Promise<readonly EntryHeader[]>;
}

/**
 * Reads the headers of the newest log entries, once for all subscriptions of a store and only while one of them
 * waits. A silent subscription learns here whether the new entries concern it: the server does not report that.
 */
export class HeadWatcher {
  readonly #log: LogEnd;
  readonly #waiters = new Set<{ readonly past: Position; readonly wake: () => void }>();
  #entries: EntryHeader[] = [];
  #from: Position | undefined;
  #to: Position = beginning;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #nudged = false;

  constructor(log: LogEnd) {
    this.#log = log;
  }

  /** The newest entry that was read. */
  get end(): Position {
    return this.#to;
  }

  /** Resolves when there is an entry after a position, or when the signal aborts. */
  async past(position: Position, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#to > position) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const waiter = { past: position, wake };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', wake, { once: true });
      this.#schedule(0);
    });
  }

  /** After our own append: reads the head soon. */
  nudge(): void {
    if (this.#waiters.size === 0) return;
    this.#nudged = this.#looking;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#schedule(nudgedMs);
  }

  /**
   * How far a position can advance without skipping a wanted entry, and whether a wanted one comes next. Undefined
   * when the position is older than the kept headers.
   */
  unwanted(
    after: Position,
    wanted: (entry: Labelled) => boolean,
  ): { readonly upTo: Position; readonly wantedNext: boolean } | undefined {
    if (this.#from === undefined || after < this.#from) return undefined;
    return skipUnwanted(this.#entries, after, wanted);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const { wake } of [...this.#waiters]) wake();
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#looking) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#look();
    }, ms);
  }

  async #look(): Promise<void> {
    this.#looking = true;
    try {
      await this.#readOn();
    } catch {
      // Each waiter has a subscription, which fails by itself when the server is down.
    }
    this.#looking = false;
    for (const waiter of [...this.#waiters]) if (this.#to > waiter.past) waiter.wake();
    if (this.#waiters.size > 0) this.#schedule(this.#nextMs());
  }

  /** A nudge during the read may have come too late for it: read again at once. */
  #nextMs(): number {
    const nudged = this.#nudged;
    this.#nudged = false;
    return nudged ? nudgedMs : everyMs;
  }

  async #readOn(): Promise<void> {
    if (this.#from === undefined) {
      this.#startAt(await this.#log.head());
      return;
    }
    for (let read = 0; read < worthReading; read += headersPerRead) {
      const entries = await this.#log.after(this.#to, headersPerRead);
      for (const { position, stream, type } of entries) this.#entries.push({ position, stream, type });
      this.#to = entries.at(-1)?.position ?? this.#to;
      this.#forget();
      if (entries.length < headersPerRead) return;
    }
    this.#startAt(await this.#log.head());
  }

  #startAt(position: Position): void {
    this.#entries = [];
    this.#from = position;
    this.#to = position;
  }

  #forget(): void {
    if (this.#entries.length <= remembered) return;
    const dropped = this.#entries.splice(0, this.#entries.length - remembered / 2);
    this.#from = dropped.at(-1)?.position ?? this.#from;
  }
}

/** How far a position can advance through entries without skipping a wanted one. */
export function skipUnwanted(
  entries: readonly EntryHeader[],
  after: Position,
  wanted: (entry: Labelled) => boolean,
): { readonly upTo: Position; readonly wantedNext: boolean } {
  let upTo = after;
  for (let index = firstAfter(entries, after); index < entries.length; index++) {
    const entry = entries[index] as EntryHeader;
    if (wanted(entry)) return { upTo, wantedNext: true };
    upTo = entry.position;
  }
  return { upTo, wantedNext: false };
}

function firstAfter(entries: readonly EntryHeader[], after: Position): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as EntryHeader).position <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
