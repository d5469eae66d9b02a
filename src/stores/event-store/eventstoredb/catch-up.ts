import { Backoff } from '../../../ground/back-off.ts';
import type { EventBatch, Position, RecordedEvent } from '../port.ts';
import { SubscriptionBuffer } from './subscription-buffer.ts';
import { retryWaits } from './retry.ts';
import type { Labelled, ServerFilter } from './namespace.ts';
import type { Entry } from './entry.ts';
import type { Feed, FeedListener } from './client-subscription.ts';
import { headersPerRead, skipUnwanted, type EntryHeader, type HeadWatcher } from './head-watcher.ts';

/**
 * While catching up, the server sends chunks of 64 kB, about 50 events. Batches of a thousand halve the time of the
 * resources projection, which writes a checkpoint per batch.
 */
const gatheredAtLeast = 1_000;
/** Longer than the gap between two chunks of one burst. */
const pauseMs = 5;
/** After this long without a message from the server we read the end of the log. */
const silenceMs = 50;
/** The server reports its scan position more often than a reader needs it. */
const scannedEveryMs = 250;
/** A feed that does not deliver an existing event for so long is dead. */
const overdueMs = 2_000;

/** What a catch-up subscription needs from the store. */
export interface LogSource {
  readonly tail: HeadWatcher;
  subscribe(after: Position, filter: ServerFilter, listener: FeedListener): Feed;
  /** Entries after a position. */
  after(position: Position, limit: number): Promise<readonly EntryHeader[]>;
  /** The newest entry before a position, which need not be that of an entry. */
  newestBefore(place: Position): Promise<Position | undefined>;
  recorded(entry: Entry): RecordedEvent;
  /** Returns when a retry may help. @throws StoreError when it will not */
  mayRetry(error: unknown, position: Position): Promise<void>;
}

export interface CatchUpOptions {
  readonly after: Position;
  readonly filter: ServerFilter;
  readonly wanted: (entry: Labelled) => boolean;
  readonly batchSize: number;
  readonly signal: AbortSignal;
}

/** All wanted events after a position and then new ones: in order, exactly once, across dropped connections. */
export async function* catchUp(source: LogSource, options: CatchUpOptions): AsyncGenerator<EventBatch> {
  const subscription = new CatchUp(source, options);
  try {
    while (!options.signal.aborted) {
      const batch = await subscription.next();
      if (batch) yield batch;
    }
  } finally {
    subscription.close();
  }
}

class CatchUp {
  readonly #source: LogSource;
  readonly #options: CatchUpOptions;
  readonly #buffer: SubscriptionBuffer;
  readonly #backoff = new Backoff(retryWaits);
  #feed: Feed | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** The server has scanned up to about this position. */
  #scanned: Position | undefined;
  #scannedAt = 0;
  /** The server has sent a message since the last check. */
  #heard = false;
  /** The server has reported that we are caught up: no need to wait for silence. */
  #level = false;
  /** The server sends new events live. */
  #live = false;

  constructor(source: LogSource, options: CatchUpOptions) {
    this.#source = source;
    this.#options = options;
    this.#buffer = new SubscriptionBuffer(options.after, options.batchSize, () => this.#feed?.resume());
  }

  /** The next batch, or undefined when the caller should ask again. */
  async next(): Promise<EventBatch | undefined> {
    const buffer = this.#buffer;
    if (buffer.waiting) {
      await this.#gather();
      this.#heard = false;
      return buffer.take(this.#options.batchSize);
    }
    if (this.#failure) return this.#recover(this.#failure.error);
    this.#feed ??= this.#open();
    if (this.#scanned !== undefined) await this.#tellScanned(this.#scanned);
    if (!this.#level) {
      await buffer.change(this.#options.signal, silenceMs);
      if (this.#stirred()) return undefined;
    }
    this.#level = false;
    await this.#passUnwanted();
    return undefined;
  }

  /** Waits for the rest of a burst. */
  async #gather(): Promise<void> {
    const enough = Math.min(gatheredAtLeast, this.#options.batchSize);
    for (let before = -1n; !this.#live && !this.#failure && this.#buffer.size < enough;) {
      if (this.#buffer.last === before || this.#options.signal.aborted) return;
      before = this.#buffer.last;
      await this.#buffer.more(this.#options.signal, pauseMs);
    }
  }

  close(): void {
    this.#live = false;
    this.#feed?.close();
    this.#feed = undefined;
  }

  /** Whether anything has happened since the last call. */
  #stirred(): boolean {
    const heard = this.#heard;
    this.#heard = false;
    return heard || this.#level || this.#buffer.waiting || this.#failure !== undefined;
  }

  #open(): Feed {
    const { filter, wanted } = this.#options;
    const feed = this.#source.subscribe(this.#buffer.last, filter, {
      entry: (entry) => {
        this.#heard = true;
        this.#backoff.reset();
        if (!wanted(entry)) this.#buffer.pass(entry.position);
        else if (this.#buffer.push(this.#source.recorded(entry))) feed.pause();
      },
      scannedTo: (place) => {
        this.#heard = true;
        this.#scanned = place;
        this.#buffer.wake();
      },
      caughtUp: () => {
        this.#level = true;
        this.#live = true;
        this.#backoff.reset();
        this.#buffer.wake();
      },
      failed: (error) => {
        this.#failure = { error };
        this.#buffer.wake();
      },
    });
    return feed;
  }

  async #recover(error: unknown): Promise<undefined> {
    this.close();
    await this.#source.mayRetry(error, this.#buffer.last);
    await this.#backoff.pause(this.#options.signal);
    this.#failure = undefined;
    this.#scanned = undefined;
    return undefined;
  }

  /**
   * Advances past entries that the server's filter left out. Servers differ in whether the position is inclusive,
   * and it need not be that of an entry: the entry before it is safe.
   */
  async #tellScanned(place: Position): Promise<void> {
    if (place <= this.#buffer.last) {
      this.#scanned = undefined;
      return;
    }
    if (performance.now() - this.#scannedAt < scannedEveryMs) return;
    this.#scanned = undefined;
    this.#scannedAt = performance.now();
    const position = await this.#source.newestBefore(place).catch(ignored);
    if (position !== undefined) this.#buffer.pass(position);
  }

  /** The server is silent, but there may be entries that its filter leaves out: reads the end of the log. */
  async #passUnwanted(): Promise<void> {
    const { tail } = this.#source;
    const { signal, wanted } = this.#options;
    const position = this.#buffer.last;
    await either(
      signal,
      (ends) => tail.past(position, ends),
      (ends) => this.#buffer.change(ends),
    );
    if (signal.aborted || this.#failure || this.#buffer.last !== position) return;
    if (tail.end <= position) return;
    const ahead = tail.unwanted(position, wanted) ?? (await this.#looked(position));
    if (!ahead) return;
    if (ahead.upTo > position) this.#buffer.pass(ahead.upTo);
    else if (ahead.wantedNext) await this.#expectEntry();
  }

  async #looked(position: Position) {
    const entries = await this.#source.after(position, headersPerRead).catch(ignored);
    return entries && skipUnwanted(entries, position, this.#options.wanted);
  }

  /** The log has a wanted event: the feed delivers it soon, or is dead. */
  async #expectEntry(): Promise<void> {
    await this.#buffer.change(this.#options.signal, overdueMs);
    if (this.#buffer.waiting || this.#failure || this.#options.signal.aborted) return;
    this.#failure = { error: new Error('the subscription has fallen silent') };
  }
}

/** Waits for the first of several waits and ends the others. */
async function either(
  signal: AbortSignal,
  ...waits: readonly ((ends: AbortSignal) => Promise<void>)[]
): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  await Promise.race(waits.map((wait) => wait(stop.signal)));
  signal.removeEventListener('abort', end);
  end();
}

const ignored = () => undefined;
