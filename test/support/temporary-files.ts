import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const neededBytes = 2 * 2 ** 30;

/**
 * Temporary files of a run are in memory, where there is room. Each of some thousand data folders is written through
 * to its disk again and again, and a disk made the suite wait for a third of its time. No test can tell the
 * difference: what is not on a disk is lost with the power, and not with a process.
 */
export default function setup(): (() => void) | undefined {
  if (process.env['TMPDIR'] !== undefined || !existsSync(memory)) return undefined;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < neededBytes) return undefined;
  const folder = mkdtempSync(join(memory, 'commonweal-tests-'));
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
