import type { EventBatch, Position, RecordedEvent } from '../port.ts';

/**
 * The buffer between a subscription and its reader: events in order, and the position up to which there is nothing
 * else.
 */
export class SubscriptionBuffer {
  readonly #limit: number;
  readonly #onRoom: () => void;
  #events: RecordedEvent[] = [];
  #last: Position;
  #taken: Position;
  #wake: (() => void) | undefined;
  #full = false;

  /** Calls `onRoom` when it was full and has room again. */
  constructor(after: Position, limit: number, onRoom: () => void) {
    this.#last = after;
    this.#taken = after;
    this.#limit = limit;
    this.#onRoom = onRoom;
  }

  /** Everything at or before this has been received, or was not for this reader. */
  get last(): Position {
    return this.#last;
  }

  /** Whether there is something to take. */
  get waiting(): boolean {
    return this.#last > this.#taken;
  }

  /** Events to be taken. */
  get size(): number {
    return this.#events.length;
  }

  /** Returns whether the sender must pause. Duplicates are dropped. */
  push(event: RecordedEvent): boolean {
    if (event.position <= this.#last) return this.#full;
    this.#events.push(event);
    this.pass(event.position);
    this.#full ||= this.#events.length >= this.#limit;
    return this.#full;
  }

  /** Up to here there is nothing more for this reader. */
  pass(position: Position): void {
    if (position <= this.#last) return;
    this.#last = position;
    this.wake();
  }

  take(limit: number): EventBatch {
    if (this.#events.length <= limit) {
      const events = this.#events;
      this.#events = [];
      this.#taken = this.#last;
      this.#roomMade();
      return { events, position: this.#taken };
    }
    const events = this.#events.splice(0, limit);
    this.#taken = events.at(-1)?.position ?? this.#taken;
    this.#roomMade();
    return { events, position: this.#taken };
  }

  /** Wakes the waiter of `change`. */
  wake(): void {
    this.#wake?.();
  }

  /** Resolves when there is something to take, after `atMostMs`, or when the signal aborts. */
  async change(signal: AbortSignal, atMostMs?: number): Promise<void> {
    if (!this.waiting) await this.more(signal, atMostMs);
  }

  /**
   * Resolves when something has arrived, after `atMostMs`, or when the signal aborts. The wait ends with the tick
   * of the event loop, so that a burst is complete.
   */
  async more(signal: AbortSignal, atMostMs?: number): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#wake = undefined;
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        setImmediate(resolve);
      };
      const timer = atMostMs === undefined ? undefined : setTimeout(done, atMostMs);
      this.#wake = done;
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #roomMade(): void {
    if (!this.#full || this.#events.length > this.#limit / 2) return;
    this.#full = false;
    this.#onRoom();
  }
}
