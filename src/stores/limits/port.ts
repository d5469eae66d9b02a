import { channel } from 'node:diagnostics_channel';
import type { LimitName } from '../../tables/limits.ts';

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

/** Which limit counts, for whom, and how many are allowed where that is not said by the table of limits. */
export type Count = readonly [limit: LimitName, of: string | readonly string[], points?: number];

/** The limits of the table (`tables/limits.ts`), each counted in the place that it names. */
export interface Limits {
  /**
   * Takes one attempt of each, in order, until one is refused: what a narrow limit refuses does not use up a wider one.
   * Those before it stay taken, unless they are given back.
   */
  take(...counts: readonly Count[]): Promise<Taken>;
  /** Gives one attempt of each back, when it turned out not to count. */
  giveBack(...counts: readonly Count[]): Promise<void>;
  /** Gives back all attempts of those who are counted. */
  forget(...counts: readonly Count[]): Promise<void>;
  /** How many a limit allows. */
  pointsOf(limit: LimitName): number;
  /** The name under which somebody is counted. */
  nameOf(limit: LimitName, of: string | readonly string[]): string;
}

export interface Taken {
  /** 0 when all were taken. Else the seconds until the refused one has room. */
  readonly seconds: number;
  readonly refused?: LimitName;
  readonly giveBack: () => Promise<void>;
}

/** What a limit refuses, for metrics. While nobody listens, nothing is published. */
export const limitRefusals = channel('commonweal:limit-refusal');

export interface MeasuredRefusal {
  readonly limit: LimitName;
}
