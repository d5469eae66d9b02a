import { beginning, type Position } from '../port.ts';
import type { Labelled } from './scope.ts';

export interface EntryHeader extends Labelled {
  readonly position: Position;
}

/** Entries remembered of the end of the log. */
const remembered = 4_096;
/** The most entries read in one look; when there are more, the look goes on at once. */
export const headersPerRead = 500;
/** Further behind than this the tail starts anew at the head. */
const worthReading = 4_000;
/** How often somebody who waits is told of what others have appended; and how soon after our own appends. */
const everyMs = 50;
const nudgedMs = 5;

export interface LogEnd {
  head(): Promise<Position>;
  after(position: Position, limit: number): Promise<readonly EntryHeader[]>;
}

/**
 * What stands at the end of the log, by its labels alone: looked at for all subscriptions of a store together,
 * and only while one of them waits. A subscription that hears nothing learns here whether there was nothing for
 * it to hear: the server does not say so by itself.
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

  /** The newest entry that has been looked at. */
  get end(): Position {
    return this.#to;
  }

  /** Resolves once something stands after a position, or when the signal aborts. */
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

  /** We have appended something ourselves: whoever waits should not wait for the next look. */
  nudge(): void {
    if (this.#waiters.size === 0) return;
    this.#nudged = this.#looking;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#schedule(nudgedMs);
  }

  /**
   * How far one can go after a position without passing anything wanted, and whether something wanted comes
   * next. Undefined when the position lies further back than what is remembered.
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
      // Whoever waits has a subscription that fails by itself when the server is away.
    }
    this.#looking = false;
    for (const waiter of [...this.#waiters]) if (this.#to > waiter.past) waiter.wake();
    if (this.#waiters.size > 0) this.#schedule(this.#nextMs());
  }

  /** After a nudge that came while we looked, perhaps past what it was for, at once again. */
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

/** How far one can go through entries, in order, without passing anything wanted. */
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
