import { commonProblem } from '../http/errors.ts';

/** Lets a few pieces of work run at once, and the others wait. Too many of them are refused, to be asked again. */
export class Turns {
  readonly #atOnce: number;
  readonly #waitAtMost: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number, waitAtMost: number) {
    this.#atOnce = atOnce;
    this.#waitAtMost = waitAtMost;
  }

  /** @throws Problem unavailable, when too many wait already */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#waitAtMost)
        throw commonProblem(
          'unavailable',
          'Too many questions about the past at once. Ask again in a moment.',
          {
            headers: { 'retry-after': '5' },
          },
        );
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
