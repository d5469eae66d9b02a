import type { EventBatch, Position, RecordedEvent } from '../port.ts';
import { Inbox } from './inbox.ts';
import { Backoff } from './retry.ts';
import type { Labelled, ServerFilter } from './scope.ts';
import type { Entry, Feed, FeedListener } from './server.ts';
import { headersPerRead, skipUnwanted, type EntryHeader, type HeadWatcher } from './head-watcher.ts';

/**
 * While the server sends what lies behind, it comes by the 64 kB, some 50 events. Written one by one, each with
 * its checkpoint, they took the projection of resources twice as long as they do by the thousand.
 */
const gatheredAtLeast = 1_000;
/** What is sent without a pause comes sooner than this. */
const pauseMs = 5;
/** After this long without a word from the server the end of the log is looked at. */
const silenceMs = 50;
/** The server tells how far it has scanned much oftener than a reader needs to hear it. */
const scannedEveryMs = 250;
/** A feed that keeps back for so long what stands in the log is not alive any more. */
const overdueMs = 2_000;

/** What a catch-up subscription needs of the store. */
export interface LogSource {
  readonly tail: HeadWatcher;
  subscribe(after: Position, filter: ServerFilter, listener: FeedListener): Feed;
  /** Entries after a position. */
  after(position: Position, limit: number): Promise<readonly EntryHeader[]>;
  /** The newest entry before a place in the log, which need not be an entry's own. */
  newestBefore(place: Position): Promise<Position | undefined>;
  recorded(entry: Entry): RecordedEvent;
  /** Answers when trying again may help. @throws StoreError when it will not */
  mayRetry(error: unknown, position: Position): Promise<void>;
}

export interface CatchUpOptions {
  readonly after: Position;
  readonly filter: ServerFilter;
  readonly wanted: (entry: Labelled) => boolean;
  readonly batchSize: number;
  readonly signal: AbortSignal;
}

/** Everything wanted after a position, and then whatever comes: in order, each once, across dropped connections. */
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
  readonly #inbox: Inbox;
  readonly #backoff = new Backoff();
  #feed: Feed | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** Somewhere behind this place the server is scanning. */
  #scanned: Position | undefined;
  #scannedAt = 0;
  /** The server has said something since we last looked. */
  #heard = false;
  /** The server has nothing more to send for the moment: no need to wait for its silence. */
  #level = false;
  /** The server sends what is appended, as it is appended. */
  #live = false;

  constructor(source: LogSource, options: CatchUpOptions) {
    this.#source = source;
    this.#options = options;
    this.#inbox = new Inbox(options.after, options.batchSize, () => this.#feed?.resume());
  }

  /** The next batch, or nothing when it is time to ask again. */
  async next(): Promise<EventBatch | undefined> {
    const inbox = this.#inbox;
    if (inbox.waiting) {
      await this.#gather();
      this.#heard = false;
      return inbox.take(this.#options.batchSize);
    }
    if (this.#failure) return this.#recover(this.#failure.error);
    this.#feed ??= this.#open();
    if (this.#scanned !== undefined) await this.#tellScanned(this.#scanned);
    if (!this.#level) {
      await inbox.change(this.#options.signal, silenceMs);
      if (this.#stirred()) return undefined;
    }
    this.#level = false;
    await this.#passUnwanted();
    return undefined;
  }

  /** Lets what the server is sending in one go come in. */
  async #gather(): Promise<void> {
    const enough = Math.min(gatheredAtLeast, this.#options.batchSize);
    for (let before = -1n; !this.#live && !this.#failure && this.#inbox.size < enough;) {
      if (this.#inbox.last === before || this.#options.signal.aborted) return;
      before = this.#inbox.last;
      await this.#inbox.more(this.#options.signal, pauseMs);
    }
  }

  close(): void {
    this.#live = false;
    this.#feed?.close();
    this.#feed = undefined;
  }

  /** Whether anything has happened since it was last asked. */
  #stirred(): boolean {
    const heard = this.#heard;
    this.#heard = false;
    return heard || this.#level || this.#inbox.waiting || this.#failure !== undefined;
  }

  #open(): Feed {
    const { filter, wanted } = this.#options;
    const feed = this.#source.subscribe(this.#inbox.last, filter, {
      entry: (entry) => {
        this.#heard = true;
        this.#backoff.reset();
        if (!wanted(entry)) this.#inbox.pass(entry.position);
        else if (this.#inbox.push(this.#source.recorded(entry))) feed.pause();
      },
      scannedTo: (place) => {
        this.#heard = true;
        this.#scanned = place;
        this.#inbox.wake();
      },
      caughtUp: () => {
        this.#level = true;
        this.#live = true;
        this.#backoff.reset();
        this.#inbox.wake();
      },
      failed: (error) => {
        this.#failure = { error };
        this.#inbox.wake();
      },
    });
    return feed;
  }

  async #recover(error: unknown): Promise<undefined> {
    this.close();
    await this.#source.mayRetry(error, this.#inbox.last);
    await this.#backoff.pause(this.#options.signal);
    this.#failure = undefined;
    this.#scanned = undefined;
    return undefined;
  }

  /**
   * Moves on over what the server has scanned and left out. Whether it means "up to and with this place" or
   * "up to before it" differs between servers, and the place may be no entry's own: the entry before it is safe.
   */
  async #tellScanned(place: Position): Promise<void> {
    if (place <= this.#inbox.last) {
      this.#scanned = undefined;
      return;
    }
    if (performance.now() - this.#scannedAt < scannedEveryMs) return;
    this.#scanned = undefined;
    this.#scannedAt = performance.now();
    const position = await this.#source.newestBefore(place).catch(ignored);
    if (position !== undefined) this.#inbox.pass(position);
  }

  /** The server is silent, though it may stand behind entries that it need not send: looks for itself. */
  async #passUnwanted(): Promise<void> {
    const { tail } = this.#source;
    const { signal, wanted } = this.#options;
    const position = this.#inbox.last;
    await either(
      signal,
      (ends) => tail.past(position, ends),
      (ends) => this.#inbox.change(ends),
    );
    if (signal.aborted || this.#failure || this.#inbox.last !== position) return;
    if (tail.end <= position) return;
    const ahead = tail.unwanted(position, wanted) ?? (await this.#looked(position));
    if (!ahead) return;
    if (ahead.upTo > position) this.#inbox.pass(ahead.upTo);
    else if (ahead.wantedNext) await this.#expectEntry();
  }

  async #looked(position: Position) {
    const entries = await this.#source.after(position, headersPerRead).catch(ignored);
    return entries && skipUnwanted(entries, position, this.#options.wanted);
  }

  /** Something for us stands in the log: the feed brings it soon, or is dead. */
  async #expectEntry(): Promise<void> {
    await this.#inbox.change(this.#options.signal, overdueMs);
    if (this.#inbox.waiting || this.#failure || this.#options.signal.aborted) return;
    this.#failure = { error: new Error('the subscription has fallen silent') };
  }
}

/** Whichever of two waits ends first ends the other. */
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
