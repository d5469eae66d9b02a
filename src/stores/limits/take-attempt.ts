import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** Takes one of what a key has left; answers the seconds until there is more, 0 when there was one. */
export async function takeAttempt(limiter: RateLimiterAbstract, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    return Math.max(1, Math.ceil(rejection.msBeforeNext / 1_000));
  }
}
