import { LRUCache } from 'lru-cache';
import type { FeedOptions } from '../groups/source.ts';
import { parkAfterLastAttempt } from '../groups/run-handler.ts';
import type { ConsumedEvent, RecordedEvent, HandlerResult } from '../port.ts';
import type { Entry, Membership } from './server.ts';

/** A longer memory of attempts than any consumer has events out. */
const rememberedAttempts = 10_000;

/** When what an event was set aside for cannot be written down, it is tried again after this. */
const againMs = 1_000;

interface Out {
  readonly entry: Entry;
  readonly retryCount: number;
  /** Which of our memberships it came by last: another consumer may have it by now. */
  membership: number;
  state: 'queued' | 'handling' | 'held';
}

export interface ConsumerOptions extends Omit<FeedOptions, 'begin'> {
  /** The event that an entry hands over; nothing when it is none of this consumer's. */
  readonly eventOf: (entry: Entry) => Promise<RecordedEvent | undefined>;
  readonly park: (event: RecordedEvent, attempts: number, reason: string) => Promise<void>;
}

/**
 * One consumer's books: what it was given and has not settled, and how often each event was tried.
 *
 * An event that the server hands out again while we still have it is the same event: it is not handled beside
 * itself. What is to be retried is held here until its time has come and given back only then, for the server
 * would hand it out again at once.
 */
export class Consumer {
  readonly #options: ConsumerOptions;
  readonly #out = new Map<string, Out>();
  readonly #attempts = new LRUCache<string, number>({ max: rememberedAttempts });
  readonly #timers = new Set<NodeJS.Timeout>();
  #queue: string[] = [];
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

  /** What has not been begun goes to somebody else; what is being handled is settled by the next membership. */
  lost(): void {
    this.#membership = undefined;
    for (const [id, { state }] of this.#out) if (state !== 'handling') this.#out.delete(id);
    this.#queue = [];
  }

  delivered(entry: Entry, retryCount: number): void {
    const known = this.#out.get(entry.id);
    if (known) {
      known.membership = this.#memberships;
      return;
    }
    this.#out.set(entry.id, { entry, retryCount, membership: this.#memberships, state: 'queued' });
    this.#queue.push(entry.id);
    this.#wake?.();
  }

  /** How many events we have and have not settled. */
  get unsettled(): number {
    return this.#out.size;
  }

  /** Handles what is delivered, a batch at a time, until the signal aborts. */
  async run(): Promise<void> {
    const { signal, batchSize } = this.#options;
    while (!signal.aborted) {
      if (this.#queue.length === 0) await this.#delivery();
      else await this.#handle(this.#queue.splice(0, batchSize));
    }
    for (const timer of this.#timers) clearTimeout(timer);
  }

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
      if (event?.status === 'rejected') this.#hold(id, againMs, reasonOf(event.reason));
      else if (event?.value)
        consumed.push({ id, consumed: { event: event.value, attempt: this.#attempt(id) } });
      else none.push(id);
    }
    this.#acknowledge(none);
    if (consumed.length === 0) return;
    const verdicts = await this.#options.handle(consumed.map((each) => each.consumed));
    this.#acknowledge(
      consumed.filter((_, index) => (verdicts[index]?.kind ?? 'ack') === 'ack').map(({ id }) => id),
    );
    await Promise.all(
      consumed.map(({ id, consumed: each }, index) => this.#unhandled(id, each, verdicts[index])),
    );
  }

  async #unhandled(
    id: string,
    { event, attempt }: ConsumedEvent,
    verdict: HandlerResult | undefined,
  ): Promise<void> {
    const final = parkAfterLastAttempt(verdict ?? { kind: 'ack' }, attempt, this.#options.maximumAttempts);
    if (final.kind === 'ack') return;
    if (final.kind === 'retry') {
      this.#hold(id, final.afterMs, final.reason);
      return;
    }
    try {
      await this.#options.park(event, attempt, final.reason);
      this.#acknowledge([id]);
    } catch {
      this.#hold(id, againMs, final.reason);
    }
  }

  /**
   * Which attempt this is. Our own count is exact; of what others did, the server's count is all there is. It
   * counts what was never handled, too (handed to a consumer that left), so it alone does not end an event.
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
    // It came by a membership that is gone: the server has given it to somebody, us perhaps.
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

  /** Resolves when something has been delivered; what comes in one go is there in one go. */
  async #delivery(): Promise<void> {
    const { signal } = this.#options;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#wake = undefined;
        signal.removeEventListener('abort', done);
        setImmediate(resolve);
      };
      this.#wake = done;
      signal.addEventListener('abort', done, { once: true });
    });
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
