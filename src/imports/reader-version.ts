import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What makes records of rows, and the packages that it uses. */
const reading = ['hsds', 'tables', 'places', 'events/directory', 'ground', '../package.json'];

let version: string | undefined;

/**
 * The version of what reads sources: a digest of its files, so that nobody has to remember to raise a number, and a better
 * reader reads everything again. Takes about 20 ms, once a process.
 */
export function readerVersion(): string {
  if (version !== undefined) return version;
  const hash = createHash('sha256').update(process.version);
  const root = join(import.meta.dirname, '..');
  for (const place of reading)
    for (const file of filesIn(join(root, place)))
      hash.update(`\0${file.slice(root.length)}\0`).update(readFileSync(file));
  return (version = hash.digest('base64url'));
}

const filesIn = (path: string): string[] =>
  path.endsWith('.json')
    ? [path]
    : readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .sort();
