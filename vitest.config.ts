import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import './test/support/compile-cache.ts';

const ofBrowser = 'test/browser/**/*.test.ts';
/** They start the product in a process of its own, as people do. */
const ofProcesses = ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts', 'test/**/*.process.test.ts'];

/** Files that boot a system take longest, and begin first: nothing long is left for the end. */
class SystemsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bootsSystem = ({ moduleId }: TestSpecification) => /\/test\/(api|cli|dispatch)\//.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(bootsSystem), ...sorted.filter((file) => !bootsSystem(file))];
  }
}

/** Three commands, each with one project: `npm test`, `npm run test:processes`, `npm run test:browser`. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/temporary-files.ts'],
    pool: 'forks',
    // Loading the product anew for each of some 200 files took half a second of CPU each.
    isolate: false,
    // One more than the processors of the smallest machine that runs this: many tests wait for disks and leases.
    maxWorkers: 3,
    // They end a test that hangs, and measure nothing: a slow machine with one processor takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: SystemsFirst },
    projects: [
      {
        extends: true,
        test: { name: 'tests', include: ['test/**/*.test.ts'], exclude: [ofBrowser, ...ofProcesses] },
      },
      { extends: true, test: { name: 'processes', include: ofProcesses } },
      { extends: true, test: { name: 'browser', include: [ofBrowser] } },
    ],
  },
});
