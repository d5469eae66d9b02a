/** A step of work. Returns whether there is more to do. */
export type Step = () => Promise<boolean>;

interface Work {
  readonly step: Step;
  readonly done: (of: undefined) => void;
  readonly failed: (error: unknown) => void;
}

interface Asker {
  readonly waiting: Work[];
  running: number;
}

interface Limits {
  readonly atOnce: number;
  /** Default: as many as at once. */
  readonly ofOneAtOnce?: number;
  /** How many pieces of work of one who asks may wait, and what is thrown when there are more. Default: any number. */
  readonly waiting?: { readonly ofOne: number; readonly refusal: () => Error };
}

/**
 * So many pieces of work run at a time, the others wait. Those who ask take turns: after one piece, or one step, of one
 * of them, every other that waits gets one before it. So a wait depends on how many ask, not on how much another asks
 * for. Of one who asks, work that began first ends first.
 */
export class FairShare {
  readonly #limits: Limits;
  /** In the order of their turns. */
  readonly #askers = new Map<string, Asker>();
  #running = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Runs the work when it has its turn. When the signal aborts before, it gives up its turn and does not run the work.
   * @throws the reason of the signal, the refusal, and what the work throws
   */
  async run<Result>(whose: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    let result: { readonly is: Result } | undefined;
    await this.steps(
      whose,
      async () => {
        signal?.throwIfAborted();
        result = { is: await work() };
        return false;
      },
      signal,
    );
    return (result as unknown as { readonly is: Result }).is;
  }

  /** Runs work step by step. Resolves when the step has nothing more to do. Rejects when it has thrown. */
  async steps(whose: string, step: Step, signal?: AbortSignal): Promise<undefined> {
    signal?.throwIfAborted();
    const { promise, resolve: done, reject: failed } = Promise.withResolvers<undefined>();
    const asker = this.#askers.get(whose) ?? { waiting: [], running: 0 };
    const { waiting } = this.#limits;
    if (waiting && !this.#isFree(asker) && asker.waiting.length >= waiting.ofOne) throw waiting.refusal();
    this.#askers.set(whose, asker);
    const work = { step, done, failed };
    asker.waiting.push(work);
    const giveUp = () => {
      const place = asker.waiting.indexOf(work);
      // Once it runs, the work itself heeds the signal.
      if (place === -1) return;
      asker.waiting.splice(place, 1);
      this.#keep(whose, asker);
      failed(signal?.reason);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#next();
    return promise.finally(() => signal?.removeEventListener('abort', giveUp));
  }

  #isFree({ running }: Asker): boolean {
    const { atOnce, ofOneAtOnce = atOnce } = this.#limits;
    return this.#running < atOnce && running < ofOneAtOnce;
  }

  #next(): void {
    for (const [whose, asker] of this.#askers) {
      if (this.#running >= this.#limits.atOnce) return;
      const work = this.#isFree(asker) ? asker.waiting.shift() : undefined;
      if (work) void this.#step(whose, asker, work);
    }
  }

  async #step(whose: string, asker: Asker, work: Work): Promise<void> {
    this.#running += 1;
    asker.running += 1;
    this.#keep(whose, asker, { last: true });
    let more = false;
    try {
      more = await work.step();
      if (more) asker.waiting.unshift(work);
      else work.done(undefined);
    } catch (error) {
      work.failed(error);
    } finally {
      this.#running -= 1;
      asker.running -= 1;
      // Who came during a step has a turn before the next one of the same work.
      this.#keep(whose, asker, { last: more });
      this.#next();
    }
  }

  /** Forgets who asks for nothing. `last`: every other has a turn first. */
  #keep(whose: string, asker: Asker, { last = false } = {}): void {
    const isIdle = asker.running === 0 && asker.waiting.length === 0;
    if (isIdle || last) this.#askers.delete(whose);
    if (!isIdle && last) this.#askers.set(whose, asker);
  }
}
