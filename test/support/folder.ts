import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder, and what removes it. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

/** A new empty folder. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'commonweal-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
