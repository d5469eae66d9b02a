import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { z } from 'zod';
import type { ProofLog } from '../../../stores/side/proof-log-port.ts';
import type { Vault } from '../../../stores/vault/port.ts';
import { ProofError } from '../errors.ts';
import { isKeyName, verifierOf, vkeyOf, type NoteSigner, type NoteVerifier } from './note.ts';

/** The entry of the vault that holds the log's key and its name. */
export const logKeyEntry = 'proof-log/key';

/** The name is stored with the key: a log that changed its name would be another log to those who verify it. */
const stored = z.strictObject({
  name: z.string().refine(isKeyName),
  pkcs8: z.base64(),
  continues: z.string().optional(),
});

/** The key that signs checkpoints, with its public half. */
export interface LogKey extends NoteSigner {
  readonly verifier: NoteVerifier;
  /** The verifier's key as it is published. */
  readonly vkey: string;
  /**
   * The newest checkpoint when the key was made: of a key that was lost with the vault. It is continued although this key
   * has not signed it; the start of a service whose vault is missing needs the consent of its operator.
   */
  readonly continues: string | undefined;
}

/**
 * The name that a new log gets: the public host, else the id of the installation. Parts of C2SP's recommendation, a
 * URL without its scheme.
 */
export const logNameOf = (baseUrl: string | undefined, installation: string): string =>
  `${baseUrl === undefined ? installation : new URL(baseUrl).host}/audit/log`;

/** The log's key. Undefined when there is none yet. @throws ProofError malformed */
export async function logKey(vault: Vault): Promise<LogKey | undefined> {
  const secret = await vault.get(logKeyEntry);
  return secret && readKey(secret);
}

/** The log's key. Created under this name when there is none, to continue what is in the proof log. */
export async function ensureLogKey(
  vault: Vault,
  name: string,
  proofLog?: Pick<ProofLog, 'newest'>,
): Promise<LogKey> {
  const existing = await logKey(vault);
  if (existing) return existing;
  const { privateKey } = generateKeyPairSync('ed25519');
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const continues = (await proofLog?.newest())?.note;
  const secret = JSON.stringify({ name, pkcs8, continues });
  const kept = await vault.putIfAbsent(logKeyEntry, Buffer.from(secret));
  return readKey(kept);
}

function readKey(secret: Uint8Array): LogKey {
  const parsed = stored.safeParse(JSON.parse(Buffer.from(secret).toString()));
  if (!parsed.success) throw new ProofError('malformed', `The entry ${logKeyEntry} of the vault is no key.`);
  const { name, pkcs8, continues } = parsed.data;
  const privateKey = createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
  const verifier = verifierOf({ name, privateKey });
  return { name, privateKey, verifier, vkey: vkeyOf(verifier), continues };
}
