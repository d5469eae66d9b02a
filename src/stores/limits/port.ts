/** So many requests in a window of time. */
export interface Limit {
  readonly points: number;
  readonly windowSeconds: number;
}

/** How often a key may ask. Its window begins with its first request, and all is open again at its end. */
export interface RateLimiter extends Limit {
  /** Counts one request; also one that is refused. Never fails: what cannot be counted with others is so alone. */
  consume(key: string): Promise<Allowance>;
}

export interface Allowance {
  readonly allowed: boolean;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/** Something that may be tried so often in a window of time; a try is taken before it is made. */
export interface AttemptLimiter {
  /** Takes one; answers the seconds until there is another, 0 when there was one. Never fails, as `consume`. */
  take(key: string): Promise<number>;
  /** Gives one back: it was no try. */
  giveBack(key: string): Promise<void>;
  /** Gives all of a key back. */
  forget(key: string): Promise<void>;
}

/** Tries of one name are counted together; `name` begins no other's. */
export type AttemptLimiterOf = (name: string, limit: Limit) => AttemptLimiter;
