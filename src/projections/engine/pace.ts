import { pause } from '../../ground/back-off.ts';

/** How closely read models follow the log. */
export interface Pace {
  /** The target duration of a round, which is one commit. */
  readonly roundMs: number;
  /** Events requested at a time. A store parses about as many in the time of one round. */
  readonly batchSize: number;
  /** Awaited after each batch that was not full. What is appended meanwhile is written together. */
  rest(signal: AbortSignal): Promise<void>;
}

/** Short rounds, so that a change becomes visible soon even in a large batch. */
export const promptly: Pace = { roundMs: 50, batchSize: 5_000, rest: () => Promise.resolve() };

/**
 * For read models that no command waits for: what comes within a quarter of a second is one commit. A change after a
 * break is visible as soon as with `promptly`.
 */
export const leisurely: Pace = {
  roundMs: 50,
  batchSize: 5_000,
  rest: (signal) => pause(250, signal),
};

/**
 * For a command that changes much, and waits for the read models at its end: few large commits. Most pages of an index
 * change in every commit, so fewer commits write fewer pages. While somebody waits, there is no rest.
 */
export class BulkPace implements Pace {
  readonly roundMs = 200;
  /** Fewer than otherwise: they are of records as large as an import brings, and its memory must stay small. */
  readonly batchSize = 500;
  readonly #restMs: number;
  #awaited = 0;
  #hurry = new AbortController();

  constructor(restMs = 400) {
    this.#restMs = restMs;
  }

  async rest(signal: AbortSignal): Promise<void> {
    if (this.#awaited > 0) return;
    const ends = AbortSignal.any([signal, this.#hurry.signal]);
    await pause(this.#restMs, ends);
  }

  /** Waits for something that the read models will show, without rests until then. */
  async hurried<Result>(waiting: Promise<Result>): Promise<Result> {
    this.#awaited += 1;
    this.#hurry.abort();
    try {
      return await waiting;
    } finally {
      this.#awaited -= 1;
      this.#hurry = new AbortController();
    }
  }
}
