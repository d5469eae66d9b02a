import { onTestFinished } from 'vitest';
import { temporaryFolder } from './folder.ts';

/**
 * A new empty folder for the test that calls this, removed when that test ends. Not a hook of a file: all test files of
 * a worker share the module that would set it, and only the first of them would have it.
 */
export function folderOfThisTest(): string {
  const { path, remove } = temporaryFolder();
  onTestFinished(remove);
  return path;
}
