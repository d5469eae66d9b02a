import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { StoreError } from '../errors.ts';
import { mongoError } from '../mongodb-errors.ts';
import { isInForce, type Claim } from './claim.ts';
import { atMostSince, momentOf, systemClock, type Clock, type Moment } from './clock.ts';
import { HeldLeases } from './held-leases.ts';
import type { AcquireOptions, Lease, Leases } from './port.ts';
import { Terms, type Term } from './terms.ts';
import { checked, defaultTimings, type LeaseTimings } from './timings.ts';

export interface MongoLeasesOptions extends Partial<LeaseTimings> {
  readonly clock?: Clock;
}

/** One attempt to take a lease. */
interface Asker {
  /** False when the caller has stopped waiting: then the lease must not be taken. */
  readonly isWanted: () => boolean;
  /** The new epoch must be higher than this. */
  readonly above: number;
  readonly resolve: (lease: Lease | undefined) => void;
  readonly reject: (error: StoreError) => void;
}

/** A caller that waits for a lease. */
interface Waiter {
  readonly above: number;
  readonly when: () => boolean;
  readonly give: (lease: Lease | undefined) => void;
  readonly fail: (error: StoreError) => void;
}

/**
 * Leases for processes on several machines, kept by heartbeats. A challenger takes a lease when it is free, or when
 * it has seen no new heartbeat for 8 s by its own clock. A holder that could not send one for 5 s has stopped by
 * then. Clocks of different machines are never compared. A holder that was blocked or suspended learns that the
 * lease is lost as soon as it looks at `lost`.
 *
 * The cost does not depend on the number of leases: one query for all that were requested in one tick of the event
 * loop, one query every 300 ms for all that are waited for, and one update every 1.5 s for all that are held.
 */
export class MongoLeases implements Leases {
  readonly #me = randomUUID();
  #claimed = 0;
  readonly #timings: LeaseTimings;
  readonly #clock: Clock;
  readonly #terms: Terms;
  readonly #held: HeldLeases;
  /** The newest term of a lease, and since when its heartbeat has not changed. */
  readonly #seen = new Map<string, { readonly term: Term; readonly since: Moment }>();
  /** Leases to be requested at the end of this tick. */
  #queued = new Map<string, Asker>();
  /** Leases being requested. */
  readonly #trying = new Set<string>();
  readonly #unfinished = new Set<Promise<void>>();
  readonly #waiters = new Map<string, Set<Waiter>>();
  #poll: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(db: Db, { clock = systemClock, ...timings }: MongoLeasesOptions = {}) {
    this.#timings = checked({ ...defaultTimings, ...timings });
    this.#clock = clock;
    // An answer that takes longer than a lease lasts is useless.
    this.#terms = new Terms(db, this.#timings.stopAfterMs);
    this.#held = new HeldLeases({
      terms: this.#terms,
      timings: this.#timings,
      clock,
      onReleased: (name) => this.#tryForWaiters(name),
    });
  }

  async tryAcquire(name: string): Promise<Lease | undefined> {
    if (this.#closed || this.#held.has(name) || this.#trying.has(name)) return undefined;
    return this.#try(name, () => true, 0);
  }

  async acquire(
    name: string,
    signal: AbortSignal,
    { above = 0, when = () => true }: AcquireOptions = {},
  ): Promise<Lease | undefined> {
    if (this.#closed || signal.aborted) return undefined;
    const waiters = this.#waiters.get(name) ?? new Set();
    this.#waiters.set(name, waiters);
    return new Promise((resolve, reject) => {
      const settled = () => {
        waiters.delete(waiter);
        if (waiters.size === 0 && this.#waiters.get(name) === waiters) this.#waiters.delete(name);
        signal.removeEventListener('abort', leave);
      };
      const waiter: Waiter = {
        above,
        when,
        give: (lease) => {
          settled();
          resolve(lease);
        },
        fail: (error) => {
          settled();
          reject(error);
        },
      };
      const leave = () => waiter.give(undefined);
      signal.addEventListener('abort', leave, { once: true });
      waiters.add(waiter);
      this.#tryForWaiters(name);
      this.#pollNext();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#poll);
    for (const waiters of [...this.#waiters.values()]) for (const { give } of [...waiters]) give(undefined);
    // Leases that are still being taken are held afterwards, and released with the others.
    while (this.#unfinished.size > 0) await Promise.all(this.#unfinished);
    await this.#held.close();
  }

  #pollNext(): void {
    if (this.#poll || this.#waiters.size === 0) return;
    this.#poll = setTimeout(() => {
      this.#poll = undefined;
      for (const name of this.#waiters.keys()) this.#tryForWaiters(name);
      this.#pollNext();
    }, this.#timings.pollMs);
  }

  /** Makes one attempt for all waiters, unless one is under way or this client holds the lease. */
  #tryForWaiters(name: string): void {
    if (!this.#waiters.has(name) || this.#held.has(name) || this.#trying.has(name)) return;
    const waiters = () => [...(this.#waiters.get(name) ?? [])];
    const ready = () => waiters().find((each) => each.when());
    const above = Math.max(0, ...waiters().map((each) => each.above));
    this.#try(name, () => ready() !== undefined, above).then(
      (lease) => {
        if (!lease) return;
        const first = ready();
        if (first) first.give(lease);
        // Nobody waits any more. `close` releases it with all others.
        else if (!this.#closed) void lease.release();
      },
      (error: unknown) => {
        // Waiters wait through an outage. Other errors are passed to them.
        if (!(error instanceof StoreError) || error.code === 'unavailable') return;
        for (const { fail } of [...(this.#waiters.get(name) ?? [])]) fail(error);
      },
    );
  }

  #try(name: string, isWanted: () => boolean, above: number): Promise<Lease | undefined> {
    return new Promise((resolve, reject) => {
      this.#trying.add(name);
      this.#queued.set(name, { isWanted, above, resolve, reject });
      if (this.#queued.size > 1) return;
      this.#finishing(new Promise((endOfTurn) => setImmediate(endOfTurn)).then(() => this.#tryAll()));
    });
  }

  async #tryAll(): Promise<void> {
    const queued = this.#queued;
    this.#queued = new Map();
    try {
      const taken = await this.#take(queued);
      for (const [name, { resolve }] of queued) {
        this.#trying.delete(name);
        resolve(taken.get(name));
      }
    } catch (error) {
      const failure = mongoError(error, 'taking a lease');
      for (const [name, { reject }] of queued) {
        this.#trying.delete(name);
        reject(failure);
      }
    }
  }

  /** Takes those of the leases that can be had now. */
  async #take(queued: ReadonlyMap<string, Asker>): Promise<ReadonlyMap<string, Lease>> {
    const claims = (await this.#claims(queued)).filter(({ term }) => queued.get(term.name)?.isWanted());
    if (claims.length === 0) return new Map();
    const sentAt = momentOf(this.#clock);
    const ours = await this.#begin(claims);
    // A late answer does not count: we may have been suspended, and somebody else may have taken the lease.
    const inTime = atMostSince(this.#clock, sentAt) < this.#timings.stopAfterMs ? ours : [];
    this.#forget([
      ...ours.filter((claim) => !inTime.includes(claim)).map(({ term }) => term),
      ...inTime.flatMap(({ past }) => past),
    ]);
    return new Map(inTime.map(({ term }) => [term.name, this.#held.hold(term, sentAt)]));
  }

  /** The next term of every lease that is free or whose holder is dead. */
  async #claims(queued: ReadonlyMap<string, Asker>): Promise<Claim[]> {
    const sentAt = momentOf(this.#clock);
    const found = await this.#terms.look([...queued.keys()]);
    const seenAt = momentOf(this.#clock);
    return [...queued].flatMap(([name, { above }]) => {
      const past = found.get(name) ?? [];
      const [newest] = past;
      if (newest && newest.holder !== null && !this.#isGone(newest, sentAt, seenAt)) return [];
      // Unique for each attempt, so that a leftover of a failed one is not mistaken for a later one.
      const holder = `${this.#me}#${++this.#claimed}`;
      return [{ term: { name, epoch: Math.max(newest?.epoch ?? 0, above) + 1, holder, beat: 0 }, past }];
    });
  }

  /** Whether the holder has sent no heartbeat since we first saw its last one, for long enough. */
  #isGone(newest: Term, sentAt: Moment, seenAt: Moment): boolean {
    const { name } = newest;
    const seen = this.#seen.get(name);
    if (seen?.term.epoch === newest.epoch && seen.term.beat === newest.beat) {
      // From the first answer to the sending of this query: never counts too long.
      const waited = sentAt.monotonic - seen.since.monotonic;
      return waited >= this.#timings.takeAfterMs;
    }
    this.#seen.set(name, { term: newest, since: seenAt });
    return false;
  }

  /** Inserts the terms and returns those that are valid. */
  async #begin(claims: readonly Claim[]): Promise<Claim[]> {
    try {
      const begun = new Set(await this.#terms.begin(claims.map(({ term }) => term)));
      const ours = claims.filter(({ term }) => begun.has(term));
      if (ours.length === 0) return [];
      const found = await this.#terms.look(ours.map(({ term }) => term.name));
      const inForce = ours.filter((claim) => isInForce(claim, found.get(claim.term.name) ?? []));
      this.#forget(ours.filter((claim) => !inForce.includes(claim)).map(({ term }) => term));
      return inForce;
    } catch (error) {
      // Some may have been inserted. Nobody renews them, so they are removed; otherwise challengers would wait.
      this.#forget(claims.map(({ term }) => term));
      throw error;
    }
  }

  /** Runs in the background. A leftover term does no harm; the next holder removes it. */
  #forget(terms: readonly Term[]): void {
    this.#finishing(this.#terms.forget(terms).catch(() => undefined));
  }

  /** Registers work that `close` waits for. */
  #finishing(doing: Promise<void>): void {
    this.#unfinished.add(doing);
    void doing.then(() => this.#unfinished.delete(doing));
  }
}
