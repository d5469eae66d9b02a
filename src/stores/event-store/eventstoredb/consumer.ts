import { LRUCache } from 'lru-cache';
import { entries } from '../../../ground/capacity.ts';
import type { FeedOptions } from '../group-source.ts';
import { parkAfterLastAttempt } from '../run-handler.ts';
import type { ConsumedEvent, RecordedEvent, HandlerResult } from '../port.ts';
import type { Entry } from './entry.ts';
import type { Membership } from './membership.ts';
import { messageOf } from '../../../ground/store-error.ts';

/** How many attempt counts are kept: more than a consumer has events in flight. */
const rememberedAttempts = 10_000;

/** When an event cannot be parked, it is tried again after this. */
const againMs = 1_000;

interface Out {
  readonly entry: Entry;
  readonly retryCount: number;
  /** The membership that delivered it last. With an older one, another consumer may have the event by now. */
  membership: number;
  state: 'queued' | 'handling' | 'held';
}

export interface ConsumerOptions extends Omit<FeedOptions, 'begin'> {
  /** The event of a delivered entry. Undefined when it does not concern this consumer. */
  readonly eventOf: (entry: Entry) => Promise<RecordedEvent | undefined>;
  readonly park: (event: RecordedEvent, attempts: number, reason: string) => Promise<void>;
}

/**
 * The state of one consumer: events in flight and the attempts of each.
 *
 * An event that the server delivers again while it is in flight here is not handled twice. An event to be retried
 * is held here until it is due and only then returned: the server would deliver it again at once.
 */
export class Consumer {
  readonly #options: ConsumerOptions;
  readonly #out = new Map<string, Out>();
  readonly #attempts = new LRUCache<string, number>(entries(rememberedAttempts));
  readonly #timers = new Set<NodeJS.Timeout>();
  #queue: string[] = [];
  #handled = 0;
  #finished: string[] = [];
  #membership: Membership | undefined;
  #memberships = 0;
  #wake: (() => void) | undefined;

  constructor(options: ConsumerOptions) {
    this.#options = options;
  }

  joined(membership: Membership): void {
    this.#memberships += 1;
    this.#membership = membership;
  }

  /** Drops queued events: other consumers get them. Events being handled are settled by the next membership. */
  lost(): void {
    this.#membership = undefined;
    for (const [id, { state }] of this.#out) if (state !== 'handling') this.#out.delete(id);
    this.#queue = [];
  }

  delivered(entry: Entry, retryCount: number): void {
    const outstanding = this.#out.get(entry.id);
    if (outstanding) {
      outstanding.membership = this.#memberships;
      return;
    }
    this.#out.set(entry.id, { entry, retryCount, membership: this.#memberships, state: 'queued' });
    this.#queue.push(entry.id);
    this.#wake?.();
  }

  /** The number of events in flight here. */
  get unsettled(): number {
    return this.#out.size;
  }

  /** Handles what is delivered, a batch at a time, until the signal aborts and all results are there. */
  async run(): Promise<void> {
    const { signal, batchSize, underWay } = this.#options;
    while (!signal.aborted || this.#handled > 0) {
      const room = signal.aborted ? 0 : Math.min(batchSize, underWay - this.#handled);
      if (this.#queue.length === 0 || room <= 0) await this.#change();
      else await this.#handle(this.#queue.splice(0, room));
      this.#acknowledge(this.#finished.splice(0));
    }
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Begins to handle events. Each is settled by its own result. */
  async #handle(ids: readonly string[]): Promise<void> {
    const consumed: { id: string; consumed: ConsumedEvent }[] = [];
    const events = await Promise.allSettled(
      ids.map(async (id) => {
        const out = this.#out.get(id);
        if (out) out.state = 'handling';
        return out && this.#options.eventOf(out.entry);
      }),
    );
    const none: string[] = [];
    for (const [index, id] of ids.entries()) {
      const event = events[index];
      if (event?.status === 'rejected') this.#hold(id, againMs, messageOf(event.reason));
      else if (event?.value)
        consumed.push({ id, consumed: { event: event.value, attempt: this.#attempt(id) } });
      else none.push(id);
    }
    this.#acknowledge(none);
    if (consumed.length === 0) return;
    this.#handled += consumed.length;
    const results = this.#options.handle(consumed.map((each) => each.consumed));
    for (const [index, { id, consumed: each }] of consumed.entries()) {
      void results[index]
        ?.then((result) => this.#settle(id, each, result))
        .finally(() => {
          this.#handled -= 1;
          this.#wake?.();
        });
    }
  }

  async #settle(id: string, { event, attempt }: ConsumedEvent, result: HandlerResult): Promise<void> {
    const final = parkAfterLastAttempt(result, attempt, this.#options.maximumAttempts);
    switch (final.kind) {
      case 'ack':
        this.#finished.push(id);
        return;
      case 'retry':
        this.#hold(id, final.afterMs, final.reason);
        return;
      case 'park':
        try {
          await this.#options.park(event, attempt, final.reason);
          this.#finished.push(id);
        } catch {
          this.#hold(id, againMs, final.reason);
        }
    }
  }

  /**
   * The number of this attempt. Our own count is exact. For attempts of others there is only the server's count,
   * which includes deliveries that were never handled, so it alone never parks an event.
   */
  #attempt(id: string): number {
    const before =
      this.#attempts.get(id) ??
      Math.min(this.#out.get(id)?.retryCount ?? 0, this.#options.maximumAttempts - 1);
    this.#attempts.set(id, before + 1);
    return before + 1;
  }

  #acknowledge(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#membership?.acknowledge(ids);
    for (const id of ids) {
      this.#out.delete(id);
      this.#attempts.delete(id);
    }
  }

  #hold(id: string, ms: number, reason: string): void {
    const out = this.#out.get(id);
    if (!out) return;
    // It came by an old membership: the server has delivered it again, perhaps to us.
    if (out.membership !== this.#memberships || !this.#membership) {
      this.#out.delete(id);
      return;
    }
    out.state = 'held';
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#out.get(id) !== out) return;
      this.#out.delete(id);
      this.#membership?.giveBack(id, reason);
    }, ms);
    this.#timers.add(timer);
  }

  /** Resolves when something was delivered or has its result, at the end of the tick, so that a burst is complete. */
  async #change(): Promise<void> {
    const { signal } = this.#options;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#wake = undefined;
        signal.removeEventListener('abort', done);
        setImmediate(resolve);
      };
      this.#wake = done;
      if (!signal.aborted) signal.addEventListener('abort', done, { once: true });
    });
  }
}
