import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe } from 'vitest';
import { engines, isEmbedded, missing, onEngines } from '../support/engine.ts';

const reason = isEmbedded ? 'embedded they run by themselves' : missing;
const folders = ['../actions/directory/upkeep', '../api/directory/upkeep', '../imports/followed'];

/**
 * The suites about how a directory is kept true, on the servers: confirmations, suggestions, asking agencies, claims, needs
 * and directories that follow each other.
 */
describe.skipIf(reason !== undefined)(onEngines('a directory that keeps itself true', reason), () => {
  const files = folders.flatMap((folder) => {
    const path = join(import.meta.dirname, folder);
    return readdirSync(path)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(path, name));
  });
  for (const file of files)
    describe(`${relative(join(import.meta.dirname, '..'), file)} on ${engines}`, async () => {
      if (reason === undefined) await import(file);
    });
});
