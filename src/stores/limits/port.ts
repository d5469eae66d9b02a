/** So many requests in a window of time. */
export interface Limit {
  readonly points: number;
  readonly windowSeconds: number;
}

/** How often a key may ask. Its window begins with its first request, and all is open again at its end. */
export interface Limits extends Limit {
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
