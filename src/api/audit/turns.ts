import { commonProblem } from '../http/errors/errors.ts';

type Begin = () => void;

/**
 * Lets a few pieces of work run at once, and the others wait. Those who wait take turns, and of each who asks only so
 * many may wait: whoever asks for much waits for themselves, and keeps out nobody else.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #waitAtMost: number;
  /** By who asks. Whoever was let in last stands last. */
  readonly #waiting = new Map<string, Begin[]>();
  #running = 0;

  /** `waitAtMost`: pieces of work of one who asks. */
  constructor(atOnce: number, waitAtMost: number) {
    this.#atOnce = atOnce;
    this.#waitAtMost = waitAtMost;
  }

  /** `whose`: who asks, such as a team. @throws Problem unavailable, when too many of theirs wait already */
  async run<Result>(whose: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#atOnce) await this.#wait(whose);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next) next();
      else this.#running -= 1;
    }
  }

  #wait(whose: string): Promise<void> {
    const theirs = this.#waiting.get(whose) ?? [];
    if (theirs.length >= this.#waitAtMost)
      throw commonProblem(
        'unavailable',
        'Too many questions about the past at once. Ask again in a moment.',
        {
          headers: { 'retry-after': '5' },
        },
      );
    this.#waiting.set(whose, theirs);
    return new Promise<void>((resolve) => theirs.push(resolve));
  }

  #next(): Begin | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [whose, theirs] = first;
    const next = theirs.shift();
    this.#waiting.delete(whose);
    if (theirs.length > 0) this.#waiting.set(whose, theirs);
    return next;
  }
}
