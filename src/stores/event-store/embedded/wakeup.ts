import { BroadcastChannel } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';
import type { EventFilter } from '../port.ts';
import { wakeChannel, type Committed } from './writer-client.ts';

/** How often waiters check for appends of other processes. */
const pollMs = 10;

/**
 * After this many commits within `restMs`, waiters are woken only once per `restMs`, until there are fewer commits.
 * At 400 sign-ins a second each commit woke twenty projections and the dispatcher and cost 0.9 ms of CPU, mostly to
 * find nothing. Batching took that to 0.4 ms, folding included.
 */
const rush = 4;
const restMs = 50;

/** Waiters that a commit does not concern are woken this much later, once for all commits until then. */
const unconcernedMs = 100;

/**
 * Wakes waiters when there may be new events: at once for appends of this process with their types, batched under
 * load, and within one poll for appends of other processes (`PRAGMA data_version` costs three microseconds).
 * Waiters that a commit does not concern only advance their position, so they are woken later. Listens only once
 * somebody waits: a thread that only reads should not get messages.
 */
export class Wakeup {
  readonly #path: string;
  readonly #version: () => number;
  readonly #head: () => number;
  /** Waiters and the types that concern them; undefined for all types. */
  readonly #waiters = new Map<() => void, ReadonlySet<string> | undefined>();
  #channel: BroadcastChannel | undefined;
  #seen: number;
  /** The newest position that waiters were woken for. */
  #toldUpTo: number;
  /** The types of the commits since the last wake-up; undefined when they are not known. */
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
   * Resolves when there may be a new matching event, a little later for other events, or when the signal aborts.
   * Take the token before you read.
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

  /** Changes when any other connection has committed. */
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
    // An open channel would keep the process alive. Waiters keep it alive by their timer.
    this.#channel.unref();
  }

  /** A commit of this process. A gap before it is a commit of another process, with unknown types. */
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

  /** Whether wake-ups are being batched. Starts a batch under load. */
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

  /** Wakes the waiters that the commits concern, and the others soon after. */
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
