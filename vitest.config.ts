import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import './test/support/compile-cache.ts';

const ofBrowser = 'test/browser/**/*.test.ts';
/** They start the product in a process of its own, as people do. */
const ofProcesses = ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts', 'test/**/*.process.test.ts'];

/** The rooms whose files take longest, most of it waiting. */
const longest = [/\/test\/(contract|dispatch|erasure|backup)\//, /\/test\/(api|cli|audit)\//];

/** They begin first: nothing long is left for the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const room = longest.findIndex((each) => each.test(moduleId));
      return room === -1 ? longest.length : room;
    };
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

/**
 * Three commands, each with one project: `npm test`, `npm run test:processes`, `npm run test:browser`. More workers than
 * the two processors of the smallest machine that runs this: many tests wait for timers, leases and disks, and those that
 * start processes or a browser have more at work than their worker.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/temporary-files.ts'],
    pool: 'forks',
    // Loading the product anew for each of some 200 files took half a second of CPU each.
    isolate: false,
    // They end a test that hangs, and measure nothing: a slow machine with one processor takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [ofBrowser, ...ofProcesses],
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'processes', include: ofProcesses, maxWorkers: 3, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: { name: 'browser', include: [ofBrowser], maxWorkers: 3, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
