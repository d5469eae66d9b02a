import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { WitnessStore } from '../../../stores/side/witness-port.ts';
import type { Vault } from '../../../stores/vault/port.ts';
import { ProofError } from '../errors.ts';
import { isKeyName, type NoteSigner } from './note.ts';

/** Entries of the vault: the key with which this installation cosigns the logs of others, which is not that of its log. */
const prefix = 'witness/key/';

const stored = z.strictObject({ name: z.string().refine(isKeyName), pkcs8: z.base64() });

export interface WitnessKeyParts {
  readonly vault: Vault;
  readonly witnessStore: Pick<WitnessStore, 'id'>;
}

/**
 * The key of this installation as a witness, which is made when there is none. It belongs to the store that remembers what
 * was cosigned: with another store there is another key, under another name, so that nobody takes its cosignatures for
 * those of a witness that remembers more.
 *
 * `baseUrl`: its host is the beginning of the name.
 */
export async function ensureWitnessKey(
  { vault, witnessStore }: WitnessKeyParts,
  baseUrl: string | undefined,
): Promise<NoteSigner> {
  const entry = prefix + (await witnessStore.id());
  const existing = await vault.get(entry);
  if (existing) return readKey(existing, entry);
  const { privateKey } = generateKeyPairSync('ed25519');
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const host = baseUrl === undefined ? 'commonweal' : new URL(baseUrl).host;
  const name = `${host}/witness/${randomBytes(4).toString('hex')}`;
  const kept = await vault.putIfAbsent(entry, Buffer.from(JSON.stringify({ name, pkcs8 })));
  return readKey(kept, entry);
}

/**
 * Destroys the keys with which this installation has cosigned. The next cosignature is of a new witness under a new name:
 * needed wherever what was remembered may have gone back, as with a backup. False: there was none.
 */
export async function forgetWitnessKeys(vault: Pick<Vault, 'names' | 'delete'>): Promise<boolean> {
  const names = await vault.names(prefix);
  for (const name of names) await vault.delete(name);
  return names.length > 0;
}

function readKey(secret: Uint8Array, entry: string): NoteSigner {
  const parsed = stored.safeParse(JSON.parse(Buffer.from(secret).toString()));
  if (!parsed.success) throw new ProofError('malformed', `The entry ${entry} of the vault is no key.`);
  const { name, pkcs8 } = parsed.data;
  const key = Buffer.from(pkcs8, 'base64');
  return { name, privateKey: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) };
}
