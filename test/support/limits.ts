import { randomBytes } from 'node:crypto';
import { readConfig } from '../../src/config.ts';
import type { LimitNumbers } from '../../src/tables/limits.ts';
import { MemoryAttemptLimiter } from '../../src/stores/limits/memory-attempt-limiter.ts';
import type { AttemptLimiter, Limit } from '../../src/stores/limits/port.ts';
import { TableLimits } from '../../src/stores/limits/table-limits.ts';

/** The limits of the table, as one process alone counts them. */
export const memoryLimits = (
  numbers: Partial<LimitNumbers> = {},
  open: (name: string, limit: Limit) => AttemptLimiter = (_, limit) => new MemoryAttemptLimiter(limit),
): TableLimits =>
  new TableLimits({ open, masterKey: randomBytes(32), numbers: { ...readConfig({}).limits, ...numbers } });
