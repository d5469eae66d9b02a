import type { BroadcastChannel } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';
import { onBroadcast } from '../../broadcast.ts';
import { beginning, type EventFilter } from '../port.ts';
import { commitChannel, CommitNotices, lookEveryMs, type CommitNotice } from './commit-notices.ts';

/** Waiters that a commit does not concern are woken this much later, once for all commits until then. */
const unconcernedMs = 100;

/** How often a thread looks for itself, although the writer of its process tells it of commits. */
const doubtMs = 1_000;

/**
 * Wakes waiters when there may be new events. The writer thread of the process announces its commits with their types,
 * and those of other processes. Where the process has no writer, waiters look themselves. Waiters that a commit does not
 * concern only advance their position, so they are woken later. Listens only once somebody waits: a thread that only
 * reads should not get messages.
 */
export class Wakeup {
  readonly #path: string;
  readonly #hasWriter: () => boolean;
  readonly #head: () => number;
  /** Waiters and the types that concern them; undefined for all types. */
  readonly #waiters = new Map<() => void, ReadonlySet<string> | undefined>();
  /** What we saw ourselves comes in the same pace as what the writer announces. */
  readonly #seen: CommitNotices;
  /** The newest position that waiters were told of. */
  #newest: number;
  #channel: BroadcastChannel | undefined;
  #unconcerned: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `hasWriter`: whether a writer thread of this process announces what is committed. */
  constructor(path: string, db: DatabaseSync, hasWriter: () => boolean) {
    this.#path = path;
    this.#hasWriter = hasWriter;
    const newest = db.prepare('SELECT max(position) AS head FROM events');
    this.#head = () => (newest.get() as { head: number | null }).head ?? Number(beginning);
    this.#newest = this.#head();
    this.#seen = new CommitNotices(this.#newest, (notice) => this.#heard(notice));
  }

  /**
   * Resolves when there may be a matching event after the position up to which the caller has read, a little later for
   * other events, or when the signal aborts.
   */
  async next(after: number, signal: AbortSignal, filter?: EventFilter): Promise<void> {
    if (signal.aborted) return;
    this.#listen();
    if (this.#newest > after) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#waiters.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiters.set(done, filter && 'types' in filter ? new Set(filter.types) : undefined);
      signal.addEventListener('abort', done, { once: true });
      this.#look();
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#unconcerned);
    this.#seen.close();
    this.#timer = undefined;
    this.#channel?.close();
    for (const waiter of [...this.#waiters.keys()]) waiter();
  }

  #listen(): void {
    if (this.#channel) return;
    this.#channel = commitChannel(this.#path);
    onBroadcast(this.#channel, (notice) => this.#heard(notice as CommitNotice));
    // An open channel would keep the process alive. Waiters keep it alive by their timer.
    this.#channel.unref();
    this.#newest = this.#head();
  }

  #look(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        if (this.#waiters.size === 0) return;
        this.#seen.newest(this.#head());
        this.#look();
      },
      this.#hasWriter() ? doubtMs : lookEveryMs,
    );
  }

  /** Wakes the waiters that the commits concern, and the others soon after. */
  #heard({ upTo, types }: CommitNotice): void {
    if (upTo <= this.#newest) return;
    this.#newest = upTo;
    for (const [waiter, wanted] of [...this.#waiters]) {
      if (types === undefined || wanted === undefined || types.some((type) => wanted.has(type))) waiter();
    }
    if (this.#waiters.size === 0) return;
    this.#unconcerned ??= setTimeout(() => {
      this.#unconcerned = undefined;
      for (const waiter of [...this.#waiters.keys()]) waiter();
    }, unconcernedMs);
  }
}
