import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** Takes one attempt of a key. Returns 0 when one was left, else the seconds until the window ends. */
export async function takeAttempt(limiter: RateLimiterAbstract, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    return Math.max(1, Math.ceil(rejection.msBeforeNext / 1_000));
  }
}
