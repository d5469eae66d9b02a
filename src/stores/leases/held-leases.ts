import { atMostSince, momentOf, type Clock, type Moment } from './clock.ts';
import type { Lease } from './port.ts';
import type { Term, Terms } from './terms.ts';
import { answerWithinMs, type LeaseTimings } from './timings.ts';

/** Wait after a sign of life that did not arrive. */
const retryMs = 250;

interface Held {
  readonly term: Term;
  /** When the last sign of life that arrived was sent. */
  aliveAt: Moment;
  readonly loss: AbortController;
}

/**
 * The leases that one client holds, kept alive by one sign of life for all. Each is lost when it was not renewed
 * in time, whatever kept us from it (the server away, the process stopped, the machine asleep), and when a
 * newer term shows that somebody has taken it.
 */
export class HeldLeases {
  readonly #terms: Terms;
  readonly #timings: LeaseTimings;
  readonly #clock: Clock;
  readonly #onReleased: (name: string) => void;
  readonly #held = new Map<string, Held>();
  readonly #endings = new Set<Promise<void>>();
  #renewal: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #renewing = false;

  constructor(options: {
    readonly terms: Terms;
    readonly timings: LeaseTimings;
    readonly clock: Clock;
    readonly onReleased: (name: string) => void;
  }) {
    this.#terms = options.terms;
    this.#timings = options.timings;
    this.#clock = options.clock;
    this.#onReleased = options.onReleased;
  }

  has(name: string): boolean {
    return this.#held.has(name);
  }

  /** Keeps a term alive from now on; `sentAt` is when it was asked for. */
  hold(term: Term, sentAt: Moment): Lease {
    const held: Held = { term, aliveAt: sentAt, loss: new AbortController() };
    this.#held.set(term.name, held);
    this.#renewAfter(this.#timings.renewMs);
    this.#watchNext();
    const check = () => this.#check(held);
    let released: Promise<void> | undefined;
    return {
      name: term.name,
      epoch: term.epoch,
      get lost() {
        // Whoever looks after a long pause may come before the timer that would have told.
        check();
        return held.loss.signal;
      },
      release: () => (released ??= this.#release(held)),
    };
  }

  async close(): Promise<void> {
    const held = [...this.#held.values()];
    for (const each of held) this.#lose(each, 'The client of this lease was closed.');
    void this.#end(held);
    await Promise.all(this.#endings);
  }

  async #release(held: Held): Promise<void> {
    this.#forget(held);
    await this.#end([held]);
    this.#onReleased(held.term.name);
  }

  #end(held: readonly Held[]): Promise<void> {
    const ending = this.#sayEnded(held);
    this.#endings.add(ending);
    return ending.finally(() => this.#endings.delete(ending));
  }

  /** Says that terms of ours are over. Without that, challengers take them for those of a dead holder. */
  async #sayEnded(held: readonly Held[]): Promise<void> {
    const free = held.map(({ term }) => ({ ...term, epoch: term.epoch + 1, holder: null, beat: 0 }));
    try {
      // One of that epoch: somebody has taken it from us, and it is not ours to free.
      await this.#terms.begin(free);
    } catch {
      // The server is away. The lease is free as soon as somebody has seen no sign of life for long enough.
    }
  }

  #renewAfter(delayMs: number): void {
    if (this.#renewing || this.#renewal) return;
    this.#renewal = setTimeout(() => void this.#renew(), delayMs);
  }

  async #renew(): Promise<void> {
    this.#renewal = undefined;
    this.#checkAll();
    if (this.#held.size === 0) return;
    this.#renewing = true;
    const renewed = await this.#signOfLife([...this.#held.values()]);
    this.#renewing = false;
    if (this.#held.size > 0) this.#renewAfter(renewed ? this.#timings.renewMs : retryMs);
  }

  /** One for all; answers whether it has arrived in time to count. */
  async #signOfLife(leases: readonly Held[]): Promise<boolean> {
    const sentAt = momentOf(this.#clock);
    const within = answerWithinMs(this.#timings);
    try {
      const terms = leases.map(({ term }) => term);
      const there = await this.#terms.beat(terms, within);
      if (atMostSince(this.#clock, sentAt) > within) return false;
      const taken = there < leases.length ? await this.#taken(leases) : new Set<Held>();
      for (const held of leases) {
        if (taken.has(held)) this.#lose(held, `Somebody else has taken the lease ${held.term.name}.`);
        else held.aliveAt = sentAt;
      }
      return true;
    } catch {
      // Tried again at once, and often enough before the time is up; then the lease is lost.
      return false;
    }
  }

  /** Those whose term is over, as whoever took them has removed it. */
  async #taken(leases: readonly Held[]): Promise<ReadonlySet<Held>> {
    const newest = await this.#terms.look(leases.map(({ term }) => term.name));
    return new Set(leases.filter(({ term }) => newest.get(term.name)?.[0]?.holder !== term.holder));
  }

  /** Looks again when the first of the leases would run out. */
  #watchNext(): void {
    if (this.#watch || this.#held.size === 0) return;
    const { stopAfterMs } = this.#timings;
    const left = [...this.#held.values()].map(
      ({ aliveAt }) => stopAfterMs - atMostSince(this.#clock, aliveAt),
    );
    this.#watch = setTimeout(
      () => {
        this.#watch = undefined;
        this.#checkAll();
        this.#watchNext();
      },
      Math.max(Math.min(...left), 1),
    );
  }

  #checkAll(): void {
    for (const held of this.#held.values()) this.#check(held);
  }

  #check(held: Held): void {
    const { stopAfterMs } = this.#timings;
    if (atMostSince(this.#clock, held.aliveAt) < stopAfterMs) return;
    this.#lose(held, `The lease ${held.term.name} was not renewed for ${stopAfterMs} ms.`);
  }

  #lose(held: Held, why: string): void {
    if (this.#held.get(held.term.name) !== held) return;
    this.#forget(held);
    held.loss.abort(new Error(why));
  }

  #forget(held: Held): void {
    if (this.#held.get(held.term.name) === held) this.#held.delete(held.term.name);
    if (this.#held.size > 0) return;
    clearTimeout(this.#renewal);
    clearTimeout(this.#watch);
    this.#renewal = this.#watch = undefined;
  }
}
