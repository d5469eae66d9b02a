import { afterEach, beforeEach } from 'vitest';
import { startProjector } from './projector.ts';
import { dataFolder, type DataFolder, type Stores } from './stores.ts';

/**
 * For the tests of a file: hands each test a new data folder with its stores. Returns `startProjector`, with projectors
 * that are stopped when their test ends.
 */
export function projectorsInAFolder(opened: (test: { folder: DataFolder; stores: Stores }) => void) {
  let folder: DataFolder;
  let running: { stop(): Promise<void> }[];
  beforeEach(() => {
    folder = dataFolder();
    running = [];
    opened({ folder, stores: folder.open() });
  });
  afterEach(async () => {
    await Promise.allSettled(running.map((each) => each.stop()));
    await folder.dispose();
  });
  return (...options: Parameters<typeof startProjector>) => {
    const projector = startProjector(...options);
    running.push(projector);
    return projector;
  };
}
