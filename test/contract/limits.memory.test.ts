import { MemoryLimits } from '../../src/stores/limits/memory.ts';
import { limitsContract } from './limits.ts';

limitsContract('memory', () =>
  Promise.resolve({
    open: (limit) => new MemoryLimits(limit),
    shared: false,
    dispose: () => Promise.resolve(),
  }),
);
