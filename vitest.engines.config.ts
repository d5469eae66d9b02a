import { defineConfig } from 'vitest/config';
import './test/support/compile-cache.ts';

const suites = {
  pool: 'forks' as const,
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/**
 * `npm run test:engines`: what must hold on EventStoreDB and MongoDB as it does embedded. The servers are those
 * of EVENTSTORE_URL and MONGODB_URL, else containers where a Docker engine answers, else every suite is skipped
 * by name. One file at a time: the servers are shared, and the measured times are theirs.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/containers.ts'],
    maxWorkers: 1,
    projects: [
      {
        test: {
          ...suites,
          name: 'contracts',
          include: ['test/contract/**/*.test.ts', 'test/stores/**/*.test.ts'],
        },
      },
      ...(['servers', 'eventstoredb'] as const).map((engines) => ({
        test: {
          ...suites,
          name: engines,
          include: ['test/e2e/**/*.test.ts', 'test/engines/**/*.test.ts'],
          env: { COMMONWEAL_ENGINES: engines },
        },
      })),
    ],
  },
});
