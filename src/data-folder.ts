import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError, type Config } from './config.ts';

/**
 * Makes the data folder, for its owner alone; one that is there, and our files in it, are closed to others as far
 * as we may. @throws ConfigError when it cannot be made or written
 */
export function prepareDataFolder(directory: string): void {
  try {
    makeFolder(resolve(directory));
    const probe = join(directory, `.writable-${randomBytes(6).toString('hex')}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${directory} cannot be written: ${(error as Error).message}`);
  }
  for (const path of exposedIn(directory)) {
    if (path === directory && !holdsOurFilesAlone(directory)) continue;
    try {
      chmodSync(path, lstatSync(path).mode & 0o700);
    } catch {
      // Somebody else's, or gone: a server that starts says what is left open.
    }
  }
}

/** About what a small change takes, in all files together. */
const roomBytes = 64 * 1024;

/** Why nothing can be written in the data folder now: the system's code for it, ENOSPC or EROFS. */
export function whyNotWritable(directory: string): string | undefined {
  const path = join(directory, `.writable-${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(path, Buffer.alloc(roomBytes));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    rmSync(path, { force: true });
  }
}

/** What of the data folder other users of this machine may read or write: the folder itself, our files in it. */
export function exposedIn(directory: string): string[] {
  // There are no such modes there.
  if (process.platform === 'win32') return [];
  const leases = join(directory, 'leases');
  const files = [directory, leases]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => ({ name, path: join(folder, name) })))
    .filter(({ name, path }) => ours.test(name) && lstatSync(path, { throwIfNoEntry: false })?.isFile());
  return [directory, leases, ...files.map(({ path }) => path)].filter(
    (path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
}

/** Databases with what SQLite writes beside them, copies of them, keys, leases, and the link of the first start. */
const ours =
  /^(events|views|vault|side|consumers)\b|^(master\.key|setup-link|\.writable-)|\.(db|lease)(-(wal|shm|journal))?$/;

/** A folder that somebody keeps other things in (a home, /tmp) is not ours to close. */
const holdsOurFilesAlone = (directory: string): boolean =>
  readdirSync(directory).every((name) => ours.test(name) || name === 'leases' || name === 'lost+found');

/** One folder after the other: where nobody can make any, as in /proc, Node's own recursion never ends. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Two processes start at once: the other one was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * What begins nothing must not make a store where a mistyped DATA_DIR leads: an empty one looks like a healthy one.
 * @throws ConfigError where nothing is kept in a data folder that should hold the log, or what goes with it
 */
export function requireData({ dataDir, eventStoreUrl, mongoUrl }: Config): void {
  const isThere = (name: string) => existsSync(join(dataDir, name));
  const kept = eventStoreUrl === undefined ? ['events.db'] : ['vault.db', 'side.db', 'views.db'];
  if ((eventStoreUrl !== undefined && mongoUrl !== undefined) || kept.some(isThere)) return;
  throw new ConfigError(
    `There is no Commonweal in DATA_DIR ${dataDir}: it holds no ${kept[0] ?? ''}. Look at how DATA_DIR is written; a new one is made by serve, import or demo.`,
  );
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
    // What is sealed with it must not outlive it in a power cut: neither the file nor its name.
    sync(draft);
    try {
      linkSync(draft, path);
      sync(directory);
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

/** Has the device keep a file, or the names in a folder. */
function sync(path: string): void {
  // Windows lets nobody open a folder.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
