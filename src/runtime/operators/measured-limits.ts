import type { Measurements } from '../../metrics/measurements.ts';
import type { AttemptLimiterOf, RateLimiter } from '../../stores/limits/port.ts';

interface Limits {
  readonly rateLimiter: RateLimiter;
  readonly attemptLimiter: AttemptLimiterOf;
}

/** The same limits, which also count what they refuse. Their names are ours, so they are few. */
export function measuredLimits({ rateLimiter, attemptLimiter }: Limits, { throttled }: Measurements): Limits {
  return {
    rateLimiter: {
      points: rateLimiter.points,
      windowSeconds: rateLimiter.windowSeconds,
      async consume(key) {
        const allowance = await rateLimiter.consume(key);
        if (!allowance.allowed) throttled.inc({ limit: 'key' });
        return allowance;
      },
    },
    attemptLimiter: (name, limit) => {
      const limiter = attemptLimiter(name, limit);
      return {
        async take(key) {
          const seconds = await limiter.take(key);
          if (seconds > 0) throttled.inc({ limit: name });
          return seconds;
        },
        giveBack: (key) => limiter.giveBack(key),
        forget: (key) => limiter.forget(key),
      };
    },
  };
}
