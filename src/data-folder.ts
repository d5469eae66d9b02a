import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config.ts';

/** Makes the data folder, for its owner alone. @throws ConfigError when it cannot be made or written. */
export function prepareDataFolder(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const probe = join(directory, `.writable-${randomBytes(6).toString('hex')}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${directory} cannot be written: ${(error as Error).message}`);
  }
}

/**
 * The master key: the one given, else the one kept in the data folder, made there at the first start.
 * @throws ConfigError when there is sealed data but its key is gone: a new one would open nothing
 */
export function masterKeyOf(directory: string, given: string | undefined): Buffer {
  if (given !== undefined) return Buffer.from(given, 'base64');
  const path = masterKeyPath(directory);
  if (!existsSync(path)) {
    if (existsSync(join(directory, 'vault.db'))) {
      throw new ConfigError(
        `MASTER_KEY is unset and ${path} is gone, but there is data sealed with it; restore the file.`,
      );
    }
    // Written whole under another name and then linked, so that of two first starts both read the same key.
    const draft = `${path}.${randomBytes(6).toString('hex')}`;
    writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600 });
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
  }
  const key = Buffer.from(readFileSync(path, 'utf8'), 'base64');
  if (key.length !== 32) throw new ConfigError(`${path} does not hold 32 bytes in base64; restore it.`);
  return key;
}

/** Whether a data folder holds a master key already. */
export const hasMasterKey = (directory: string): boolean => existsSync(masterKeyPath(directory));

const masterKeyPath = (directory: string): string => join(directory, 'master.key');
