/** A number of requests in a window of time. */
export interface Limit {
  readonly points: number;
  readonly windowSeconds: number;
}

/**
 * Limits the requests of a key. The window begins with the first request; when it ends, the full limit is available
 * again.
 */
export interface RateLimiter extends Limit {
  /**
   * Counts one request, also a refused one. Never fails: falls back to a local count when the shared store is down.
   */
  consume(key: string): Promise<Allowance>;
}

export interface Allowance {
  readonly allowed: boolean;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/** Limits attempts, such as password guesses. An attempt is taken before it is made. */
export interface AttemptLimiter {
  /**
   * Takes one attempt. Returns 0 when one was left, else the seconds until the next. Never fails, like `consume`.
   */
  take(key: string): Promise<number>;
  /** Gives one attempt back, when it turned out not to count. */
  giveBack(key: string): Promise<void>;
  /** Gives back all attempts of a key. */
  forget(key: string): Promise<void>;
}

/** Attempts with the same `name` are counted together. No name may be a prefix of another. */
export type AttemptLimiterOf = (name: string, limit: Limit) => AttemptLimiter;
