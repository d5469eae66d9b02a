import { BroadcastChannel } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';
import { wakeChannel } from './writer-client.ts';

/** How often another process's appends are looked for while somebody waits. */
const pollMs = 10;

/**
 * Tells waiters that there may be new events: at once when this process appended them, and within one poll
 * when another process did (`PRAGMA data_version` costs a microsecond).
 */
export class Wakeup {
  readonly #channel: BroadcastChannel;
  readonly #version: () => number;
  readonly #waiters = new Set<() => void>();
  #seen: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, db: DatabaseSync) {
    const statement = db.prepare('PRAGMA data_version');
    this.#version = () => (statement.get() as { data_version: number }).data_version;
    this.#seen = this.#version();
    this.#channel = new BroadcastChannel(wakeChannel(path));
    this.#channel.onmessage = () => this.#wake();
    // A channel keeps the process alive unless told otherwise; whoever waits keeps it alive by a timer.
    this.#channel.unref();
  }

  /** Resolves when there may be something new, or when the signal aborts. Take the token before you look. */
  async next(token: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || token !== this.token()) return;
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
    this.#timer = undefined;
    this.#channel.close();
    this.#wake();
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
    this.#wake();
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }
}
