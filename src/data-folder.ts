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
 * Creates the data folder, accessible to its owner only. Removes access of others from an existing folder and from
 * our files in it, where permitted. @throws ConfigError when the folder cannot be created or written
 */
export function prepareDataFolder(directory: string): void {
  if (existsSync(restoringFolder(directory))) {
    throw new ConfigError(
      `A restore into DATA_DIR ${directory} is running or was interrupted. Let it end, or run \`commonweal restore\` again.`,
    );
  }
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
      // Owned by somebody else, or gone. The server warns about it at the start.
    }
  }
}

/** Holds a backup while it is restored. As long as it is there, nothing else opens the data folder. */
export const restoringFolder = (directory: string): string => join(directory, 'restoring');

/** About the space that a small change needs. */
const roomBytes = 64 * 1024;

/** The error code when the data folder is not writable, such as ENOSPC or EROFS. */
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

/** Paths that other users of this machine can read or write: the data folder and our files in it. */
export function exposedIn(directory: string): string[] {
  // Windows has no such file modes.
  if (process.platform === 'win32') return [];
  const leases = join(directory, 'leases');
  const uploads = join(directory, 'import-files');
  const files = [directory, leases, uploads]
    .filter((folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory())
    .flatMap((folder) => readdirSync(folder).map((name) => ({ name, path: join(folder, name) })))
    .filter(({ name, path }) => ours.test(name) && lstatSync(path, { throwIfNoEntry: false })?.isFile());
  return [directory, leases, uploads, ...files.map(({ path }) => path)].filter(
    (path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
}

/** Our files: databases with SQLite's journals, copies, keys, leases, and the setup link. */
const ours =
  /^(events|views|vault|side|consumers)\b|^log\.db|^(master\.key|setup-link|erasures\.log|\.writable-)|\.(db|lease)(-(wal|shm|journal))?$/;

/** A folder with other files (a home, /tmp) keeps its mode. */
const holdsOurFilesAlone = (directory: string): boolean =>
  readdirSync(directory).every(
    (name) => ours.test(name) || ['leases', 'import-files', 'restoring', 'lost+found'].includes(name),
  );

/** Creates one folder after the other: Node's recursive mkdir never ends where none can be created, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has created it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Checks that the data folder holds an installation, for commands that must not create one: with a mistyped
 * DATA_DIR an empty store would look healthy.
 * @throws ConfigError when the expected files are missing
 */
export function requireData({ dataDir, eventStoreUrl, mongoUrl }: Config): void {
  const isThere = (name: string) => existsSync(join(dataDir, name));
  const kept = eventStoreUrl === undefined ? ['events.db'] : ['vault.db', 'side.db', 'views.db'];
  if ((eventStoreUrl !== undefined && mongoUrl !== undefined) || kept.some(isThere)) return;
  throw new ConfigError(
    `There is no Commonweal in DATA_DIR ${dataDir}: it holds no ${kept[0] ?? ''}. Check the spelling of DATA_DIR. To create a new one, use serve, import or demo.`,
  );
}

/**
 * The master key: the given one, else the one in the data folder, which is created at the first start.
 * @throws ConfigError when there is sealed data but no key: a new key could not open it
 */
export function masterKeyOf(directory: string, configured: string | undefined): Buffer {
  if (configured !== undefined) return Buffer.from(configured, 'base64');
  const path = masterKeyPath(directory);
  if (!existsSync(path)) {
    if (existsSync(join(directory, 'vault.db'))) {
      throw new ConfigError(
        `MASTER_KEY is unset and ${path} is gone, but there is data sealed with it; restore the file.`,
      );
    }
    // Written to a temporary file and then linked, so that two concurrent first starts read the same key.
    const draft = `${path}.${randomBytes(6).toString('hex')}`;
    writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600 });
    // Synced before anything is sealed with it, so that a power cut cannot lose the file or its name.
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
  const key = Buffer.from(keyText(path), 'base64');
  if (key.length !== 32) throw new ConfigError(`${path} does not hold 32 bytes in base64; restore it.`);
  return key;
}

function keyText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}; restore it.`);
  }
}

/** Whether a data folder holds a master key already. */
export const hasMasterKey = (directory: string): boolean => existsSync(masterKeyPath(directory));

const masterKeyPath = (directory: string): string => join(directory, 'master.key');

/** Syncs a file or a folder to the device. */
export function sync(path: string): void {
  // Folders cannot be opened on Windows.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
