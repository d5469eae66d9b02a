/** So many things run at a time; the others wait in turn. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Runs the work when there is room. When the signal aborts before, it gives up its turn and does not run the work.
   * @throws the reason of the signal
   */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<undefined>();
    const begin = () => turn.resolve(undefined);
    const giveUp = () => {
      // Once it has its turn, it passes that on itself.
      if (this.#waiting.delete(begin)) turn.reject(signal.reason as Error);
    };
    this.#waiting.add(begin);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Passes the turn to the one that has waited longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
