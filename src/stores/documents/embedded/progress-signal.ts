import { BroadcastChannel } from 'node:worker_threads';
import { onBroadcast } from '../../broadcast.ts';
import { progressChannel } from './schema.ts';

/** How often waiters check for progress of other processes. */
const pollMs = 5;

/** Tells those who wait, in this thread and in others of the process, that read models have advanced. */
export class ProgressSignal {
  readonly #path: string;
  readonly #dataVersion: () => number;
  readonly #waiters = new Set<() => void>();
  #channel: BroadcastChannel | undefined;
  #telling = false;
  #closed = false;

  /** `dataVersion`: another number after every commit, also of other processes. */
  constructor(path: string, dataVersion: () => number) {
    this.#path = path;
    this.#dataVersion = dataVersion;
  }

  /** Resolves with the next commit, at the latest after the timeout. */
  async changed(timeoutMs: number): Promise<void> {
    this.#onChannel();
    const version = this.#dataVersion();
    await new Promise<void>((resolve) => {
      const deadline = Date.now() + timeoutMs;
      const done = () => {
        clearInterval(timer);
        this.#waiters.delete(done);
        resolve();
      };
      const timer = setInterval(() => {
        if (this.#dataVersion() !== version || Date.now() >= deadline) done();
      }, pollMs);
      this.#waiters.add(done);
    });
  }

  /** Wakes waiters here, and other threads once per tick: many projections advance together. */
  tell(): void {
    this.#wake();
    if (this.#telling) return;
    this.#telling = true;
    setImmediate(() => {
      this.#telling = false;
      // After closing, waiters in other threads poll.
      if (!this.#closed) this.#onChannel().postMessage(null);
    });
  }

  close(): void {
    this.#closed = true;
    this.#channel?.close();
    this.#wake();
  }

  /** Opened on first use: a thread that only reads should not get messages. */
  #onChannel(): BroadcastChannel {
    if (this.#channel) return this.#channel;
    this.#channel = new BroadcastChannel(progressChannel(this.#path));
    onBroadcast(this.#channel, () => this.#wake());
    this.#channel.unref();
    return this.#channel;
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }
}
