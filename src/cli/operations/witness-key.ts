import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isKeyName, type NoteSigner } from '../../audit/proof-log/format/note.ts';
import { ConfigError } from '../../config.ts';
import { sync } from '../../data-folder.ts';
import { UsageError } from '../options.ts';

const stored = z.strictObject({ name: z.string().refine(isKeyName), pkcs8: z.base64() });

/**
 * The key of the witness in its folder, which is made under this name at the first start. Its name never changes: those
 * who trust it have it in the vkey.
 * @throws ConfigError, UsageError
 */
export function witnessKey(folder: string, name: string | undefined): NoteSigner {
  const path = join(folder, 'witness.key');
  if (!existsSync(path)) {
    if (existsSync(join(folder, 'witness.db'))) {
      throw new ConfigError(
        `${path} is gone, and what was cosigned with it is there. Restore the file; or, if it is lost, begin a new witness in another folder and give its key to those who named the old one.`,
      );
    }
    if (name === undefined)
      throw new UsageError('--name: name the witness at its first start, such as witness.example.org/w1');
    if (!isKeyName(name)) throw new UsageError('--name: must have no spaces and no plus sign');
    create(folder, path, name);
  }
  const key = read(path);
  if (name !== undefined && name !== key.name)
    throw new UsageError(`--name: the witness in ${folder} is named ${key.name}`);
  return key;
}

/** Written to a temporary file and then linked, so that two starts at the same time read the same key. */
function create(folder: string, path: string, name: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync('ed25519');
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify({ name, pkcs8 })}\n`, { mode: 0o600 });
  // Synced before anything is signed with it, so that a power cut cannot lose the file or its name.
  sync(draft);
  try {
    linkSync(draft, path);
    sync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

function read(path: string): NoteSigner {
  try {
    const { name, pkcs8 } = stored.parse(JSON.parse(readFileSync(path, 'utf8')));
    const privateKey = createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
    return { name, privateKey };
  } catch {
    throw new ConfigError(`${path} is not the key of a witness, or cannot be read; restore it.`);
  }
}
