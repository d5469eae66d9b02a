import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import './test/support/compile-cache.ts';

/** What runs over real processes and browsers takes longest, and begins first: nothing long is left for the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /\/test\/(e2e|browser)\//.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/temporary-files.ts'],
    pool: 'forks',
    // Loading the product anew for each of some 200 files took half a second of CPU each.
    isolate: false,
    // One more than the processors of the smallest machine that runs this: many tests wait for disks and leases.
    maxWorkers: 3,
    // They end a test that hangs, and measure nothing: a slow machine with one processor takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
  },
});
