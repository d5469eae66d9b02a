import { BroadcastChannel } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';
import type { EventFilter } from '../port.ts';
import { wakeChannel, type Committed } from './writer-client.ts';

/** How often another process's appends are looked for while somebody waits. */
const pollMs = 10;

/**
 * After so many commits within one rest they come in a rush, and waiters are woken once a rest, until a rest has
 * fewer. With 400 sign-ins a second, each woke twenty projections and the dispatcher: 0.9 ms of CPU for each
 * commit, most of it for looking whether there was anything. Resting took that to 0.4 ms, folding included.
 */
const rush = 4;
const restMs = 50;

/** Waiters whom a commit does not concern are woken so much later, once for all commits until then. */
const unconcernedMs = 100;

/**
 * Tells waiters that there may be new events: at once when this process appended events of their types, after a rest
 * when they come in a rush, and within one poll when another process appended them (`PRAGMA data_version` costs three
 * microseconds). Those whom a commit does not concern only move their position on, and may do so later.
 * Listens from the first waiter on: to a thread that only reads, each message would be a waste.
 */
export class Wakeup {
  readonly #path: string;
  readonly #version: () => number;
  readonly #head: () => number;
  /** Whom to wake, and which types concern them; undefined for all. */
  readonly #waiters = new Map<() => void, ReadonlySet<string> | undefined>();
  #channel: BroadcastChannel | undefined;
  #seen: number;
  /** The newest position that waiters have been told of. */
  #toldUpTo: number;
  /** What a rest has gathered: the types of its commits; undefined when they are not known. */
  #gathered: Set<string> | undefined = new Set();
  #unconcerned: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;
  #countedFrom = -Infinity;
  #counted = 0;
  #rushing = false;

  constructor(path: string, db: DatabaseSync) {
    this.#path = path;
    const statement = db.prepare('PRAGMA data_version');
    this.#version = () => (statement.get() as { data_version: number }).data_version;
    this.#seen = this.#version();
    const newest = db.prepare('SELECT coalesce(max(position), 0) AS head FROM events');
    this.#head = () => (newest.get() as { head: number }).head;
    this.#toldUpTo = this.#head();
  }

  /**
   * Resolves when there may be something new that the filter lets through, a little later when there is anything
   * else, or when the signal aborts. Take the token before you look.
   */
  async next(token: number, signal: AbortSignal, filter?: EventFilter): Promise<void> {
    if (signal.aborted) return;
    this.#listen();
    if (token !== this.token() && !this.#restsInRush()) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#waiters.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiters.set(done, filter && 'types' in filter ? new Set(filter.types) : undefined);
      signal.addEventListener('abort', done, { once: true });
      this.#timer ??= setInterval(() => this.#poll(), pollMs);
    });
  }

  /** Changes whenever any connection but the reader's own has committed. */
  token(): number {
    return this.#version();
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#resting);
    clearTimeout(this.#unconcerned);
    this.#timer = undefined;
    this.#channel?.close();
    for (const waiter of [...this.#waiters.keys()]) waiter();
  }

  #listen(): void {
    if (this.#channel) return;
    this.#channel = new BroadcastChannel(wakeChannel(this.#path));
    this.#toldUpTo = this.#head();
    this.#channel.onmessage = ({ data }) => this.#heard(data as Committed);
    // A channel keeps the process alive unless told otherwise; whoever waits keeps it alive by a timer.
    this.#channel.unref();
  }

  /** A commit of this process. What stands before it and was not told of is another's, of unknown types. */
  #heard({ first, last, types }: Committed): void {
    if (last <= this.#toldUpTo) return;
    const isNext = first === this.#toldUpTo + 1;
    this.#toldUpTo = last;
    this.#noticed(isNext ? types : undefined);
  }

  #noticed(types: readonly string[] | undefined): void {
    if (types === undefined) this.#gathered = undefined;
    else for (const type of types) this.#gathered?.add(type);
    const now = performance.now();
    if (now - this.#countedFrom >= restMs) {
      this.#rushing = now - this.#countedFrom < 2 * restMs && this.#counted > rush;
      this.#countedFrom = now;
      this.#counted = 0;
    }
    this.#counted += 1;
    if (!this.#restsInRush()) this.#wake();
  }

  /** Whether everybody rests, and is woken at the end of it; begins a rest in a rush. */
  #restsInRush(): boolean {
    if (this.#resting) return true;
    if (!this.#rushing && this.#counted <= rush) return false;
    const left = this.#countedFrom + restMs - performance.now();
    if (left <= 0) return false;
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      this.#wake();
    }, left);
    return true;
  }

  #poll(): void {
    if (this.#waiters.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const version = this.#version();
    if (version === this.#seen) return;
    this.#seen = version;
    const head = this.#head();
    if (head <= this.#toldUpTo) return;
    this.#toldUpTo = head;
    this.#noticed(undefined);
  }

  /** Wakes whom the gathered commits concern; the others soon. */
  #wake(): void {
    const types = this.#gathered;
    this.#gathered = new Set();
    for (const [waiter, wanted] of [...this.#waiters]) {
      if (types === undefined || wanted === undefined || [...types].some((type) => wanted.has(type)))
        waiter();
    }
    if (this.#waiters.size === 0) return;
    this.#unconcerned ??= setTimeout(() => {
      this.#unconcerned = undefined;
      for (const waiter of [...this.#waiters.keys()]) waiter();
    }, unconcernedMs);
  }
}
