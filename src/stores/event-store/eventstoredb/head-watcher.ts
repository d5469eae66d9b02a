import {
  debounceTime,
  defer,
  filter,
  firstValueFrom,
  fromEvent,
  race,
  repeat,
  share,
  Subject,
  takeUntil,
  timer,
} from 'rxjs';
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
  readonly #closing = new Subject<void>();
  readonly #nudges = new Subject<void>();
  /** Nudged during a read, which may have been too early for the append. */
  #nudged = false;
  #reading: Promise<Position> | undefined;
  /** The end of the log, read again and again while somebody waits for it. */
  readonly #ends = defer(() => this.#look()).pipe(
    repeat({ delay: () => this.#next() }),
    takeUntil(this.#closing),
    share(),
  );
  #entries: EntryHeader[] = [];
  #from: Position | undefined;
  #to: Position = beginning;

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
    const until = takeUntil<Position>(fromEvent(signal, 'abort'));
    await firstValueFrom(
      this.#ends.pipe(
        filter((end) => end > position),
        until,
      ),
      { defaultValue: undefined },
    );
  }

  /** After our own append: reads the head soon. */
  nudge(): void {
    this.#nudged = this.#reading !== undefined;
    this.#nudges.next();
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
    this.#closing.next();
  }

  /** One read at a time. A waiter that comes during a read gets its result. */
  #look(): Promise<Position> {
    // When it fails: each waiter has a subscription, which fails by itself when the server is down.
    return (this.#reading ??= this.#readOn()
      .catch(() => undefined)
      .then(() => {
        this.#reading = undefined;
        return this.#to;
      }));
  }

  #next() {
    const nudged = this.#nudged;
    this.#nudged = false;
    return nudged ? timer(nudgedMs) : race(timer(everyMs), this.#nudges.pipe(debounceTime(nudgedMs)));
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
