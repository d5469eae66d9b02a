import { MemoryRateLimiter } from '../../src/stores/limits/memory-rate-limiter.ts';
import { MemoryAttemptLimiter } from '../../src/stores/limits/memory-attempt-limiter.ts';
import { limitsContract, attemptLimiterContract } from './limits.ts';

limitsContract('memory', () =>
  Promise.resolve({
    open: (limit) => new MemoryRateLimiter(limit),
    shared: false,
    dispose: () => Promise.resolve(),
  }),
);

attemptLimiterContract('memory', () =>
  Promise.resolve({
    open: (_name, limit) => new MemoryAttemptLimiter(limit),
    shared: false,
    dispose: () => Promise.resolve(),
  }),
);
