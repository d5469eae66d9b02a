import { BroadcastChannel } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';
import { wakeChannel } from './writer-client.ts';

/** How often another process's appends are looked for while somebody waits. */
const pollMs = 10;

/**
 * After so many commits within one rest they come in a rush, and waiters are woken once a rest, until a rest has
 * fewer. With 400 sign-ins a second, each woke twenty projections and the dispatcher: 0.9 ms of CPU for each
 * commit, most of it for looking whether there was anything. Resting took that to 0.4 ms, folding included.
 */
const rush = 4;
const restMs = 50;

/**
 * Tells waiters that there may be new events: at once when this process appended them, after a rest when they
 * come in a rush, and within one poll when another process appended them (`PRAGMA data_version` costs three
 * microseconds). Listens from the first waiter on: to a thread that only reads, each message would be a waste.
 */
export class Wakeup {
  readonly #path: string;
  readonly #version: () => number;
  readonly #waiters = new Set<() => void>();
  #channel: BroadcastChannel | undefined;
  #seen: number;
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
  }

  /** Resolves when there may be something new, or when the signal aborts. Take the token before you look. */
  async next(token: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#listen();
    if (token !== this.token() && !this.#restsInRush()) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#waiters.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiters.add(done);
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
    this.#timer = undefined;
    this.#channel?.close();
    this.#wake();
  }

  #listen(): void {
    if (this.#channel) return;
    this.#channel = new BroadcastChannel(wakeChannel(this.#path));
    this.#channel.onmessage = () => this.#noticed();
    // A channel keeps the process alive unless told otherwise; whoever waits keeps it alive by a timer.
    this.#channel.unref();
  }

  #noticed(): void {
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
    this.#noticed();
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }
}
