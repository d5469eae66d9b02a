import { atMostSince, momentOf, type Clock, type Moment } from './clock.ts';
import type { Lease } from './port.ts';
import type { Term, Terms } from './terms.ts';
import { answerWithinMs, type LeaseTimings } from './timings.ts';

/** The pause after a failed heartbeat. */
const retryMs = 250;

interface Held {
  readonly term: Term;
  /** When the last successful heartbeat was sent. */
  aliveAt: Moment;
  readonly loss: AbortController;
}

/**
 * The leases that one client holds, renewed by one heartbeat for all. A lease is lost when it was not renewed in
 * time for any reason (server down, process stopped, machine suspended), or when a newer term shows that somebody
 * else has taken it.
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

  /** Renews a term from now on. `sentAt` is when it was requested. */
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
        // After a long pause the caller may look before the timer has fired.
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

  /** Frees our leases by inserting the next, empty term. Otherwise challengers wait as for a dead holder. */
  async #sayEnded(held: readonly Held[]): Promise<void> {
    const free = held.map(({ term }) => ({ ...term, epoch: term.epoch + 1, holder: null, beat: 0 }));
    try {
      // An insert that finds the epoch taken does nothing: somebody else holds the lease.
      await this.#terms.begin(free);
    } catch {
      // The server is down. A challenger takes the lease after seeing no heartbeat for long enough.
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

  /** Sends one heartbeat for all leases. Returns whether it succeeded in time. */
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
      // Retried soon, several times before the leases run out.
      return false;
    }
  }

  /** Leases whose term is gone: whoever took them has removed it. */
  async #taken(leases: readonly Held[]): Promise<ReadonlySet<Held>> {
    const newest = await this.#terms.look(leases.map(({ term }) => term.name));
    return new Set(leases.filter(({ term }) => newest.get(term.name)?.[0]?.holder !== term.holder));
  }

  /** Checks again when the first lease would run out. */
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
