import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { z } from 'zod';
import { defined } from '../../../ground/defined.ts';
import { actor } from '../../../events/metadata.ts';
import type { ProofLog, SignedTree } from '../../../stores/side/proof-log-port.ts';
import type { Vault } from '../../../stores/vault/port.ts';
import { ProofError } from '../errors.ts';
import type { KeyPeriod, KeysOfLog } from './checkpoint.ts';
import {
  isKeyName,
  isSignedBy,
  parseVkey,
  verifierOf,
  vkeyOf,
  type NoteSigner,
  type NoteVerifier,
} from './note.ts';

/** The entry of the vault that holds the log's key and its name, and what is left of the keys before it. */
export const logKeyEntry = 'proof-log/key';

/** Since when a key signs. Of the first one nothing is stored: it counts from the beginning. */
const beginning = {
  from: z.iso.datetime().optional(),
  /** The size of the newest tree that was signed before. Absent after a rotation: the signer has not used it yet. */
  after: z.int().nonnegative().optional(),
  /** By the key before it: that it signs after that one. Absent of the first key, and after one that has leaked. */
  succession: z.string().optional(),
};

const former = z.strictObject({
  ...beginning,
  vkey: z.string(),
  /** While it still signs. */
  pkcs8: z.base64().optional(),
  until: z.iso.datetime(),
  /** The size of the newest tree that it may have signed. Absent while it still signs. */
  upTo: z.int().nonnegative().optional(),
});

/**
 * What the entry holds. The name is stored with the key: a log that changed its name would be another log to those who
 * verify it. A rotation is one write of the whole entry.
 */
export const storedLogKey = z.strictObject({
  ...beginning,
  name: z.string().refine(isKeyName),
  pkcs8: z.base64(),
  continues: z.string().optional(),
  /** The keys before it, newest first. */
  former: z.array(former).optional(),
  /** A rotation that is in no event yet, by its command. */
  unrecorded: z.strictObject({ command: z.uuid(), actor }).optional(),
});
export type StoredLogKey = z.output<typeof storedLogKey>;

/** A key of the log, when it signed or signs. */
export interface LogKeyPeriod extends KeyPeriod {
  readonly vkey: string;
  /** ISO 8601 UTC. Undefined: from the beginning. */
  readonly from: string | undefined;
  /** When it stops, or has stopped, signing. Undefined: it is the newest. */
  readonly until: string | undefined;
  /** The note with which the key before it handed over to it: see `succession.ts`. */
  readonly succession: string | undefined;
}

/** The key that signs checkpoints, with its public half. After a rotation the one before it signs as well for a while. */
export interface LogKey extends NoteSigner, KeysOfLog {
  readonly verifier: NoteVerifier;
  /** The verifier's key as it is published. */
  readonly vkey: string;
  /** It and those before it, newest first. */
  readonly keys: readonly LogKeyPeriod[];
  /** It, and those before it that still sign. */
  readonly signers: readonly NoteSigner[];
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
export async function logKey(vault: Pick<Vault, 'get'>): Promise<LogKey | undefined> {
  const stored = await readLogKey(vault);
  return stored && logKeyOf(stored);
}

/** What the entry holds. @throws ProofError malformed */
export async function readLogKey(vault: Pick<Vault, 'get'>): Promise<StoredLogKey | undefined> {
  const secret = await vault.get(logKeyEntry);
  return secret && parsed(secret);
}

/** Stores what the entry holds from now on. */
export const writeLogKey = (vault: Pick<Vault, 'put'>, stored: StoredLogKey): Promise<void> =>
  vault.put(logKeyEntry, Buffer.from(JSON.stringify(stored)));

/**
 * The key that is published: the newest that has signed the newest checkpoint, so that the two always fit. In the minute
 * after a rotation that is the former one.
 */
export const publishedKey = (key: LogKey, newest: Pick<SignedTree, 'note'> | undefined): LogKeyPeriod => {
  const signed = newest && key.keys.find(({ verifier }) => isSignedBy(newest.note, verifier));
  return signed ?? (key.keys[0] as LogKeyPeriod);
};

/** The keys of a log with their times, newest first, as they are listed for everybody. */
export const listedKeys = (
  keys: readonly LogKeyPeriod[],
): {
  readonly vkey: string;
  readonly from: string | null;
  readonly until: string | null;
  /** Absent of the first key, and after one that has leaked. */
  readonly succession?: string;
}[] =>
  keys.map(({ vkey, from = null, until = null, succession }) => ({
    vkey,
    from,
    until,
    ...defined({ succession }),
  }));

/** A new Ed25519 key, as it is stored. */
export const newPrivateKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

/** The log's key. Created under this name when there is none, to continue what is in the proof log. */
export async function ensureLogKey(
  vault: Pick<Vault, 'get' | 'putIfAbsent'>,
  name: string,
  proofLog?: Pick<ProofLog, 'newest'>,
): Promise<LogKey> {
  const existing = await logKey(vault);
  if (existing) return existing;
  const pkcs8 = newPrivateKey();
  const continues = (await proofLog?.newest())?.note;
  const secret = JSON.stringify({ name, pkcs8, continues });
  const kept = await vault.putIfAbsent(logKeyEntry, Buffer.from(secret));
  return logKeyOf(parsed(kept));
}

/**
 * Gives the newest key another name. It is then the key of another log, with another vkey: the id of a key is a hash of its
 * name too (C2SP signed-note), and each checkpoint begins with the name. Keys before it never sign for that log.
 * @throws ProofError malformed
 */
export async function renameLogKey(vault: Pick<Vault, 'get' | 'put'>, name: string): Promise<void> {
  const stored = await readLogKey(vault);
  if (stored) await writeLogKey(vault, { name, pkcs8: stored.pkcs8 });
}

function parsed(secret: Uint8Array): StoredLogKey {
  const found = storedLogKey.safeParse(JSON.parse(Buffer.from(secret).toString()));
  if (!found.success) throw new ProofError('malformed', `The entry ${logKeyEntry} of the vault is no key.`);
  return found.data;
}

/** Every tree is larger, also the one of no entries. */
const first = -1;

/** @throws ProofError malformed */
export function logKeyOf({
  name,
  pkcs8,
  continues,
  from,
  after = first,
  succession,
  former = [],
}: StoredLogKey): LogKey {
  const signer = signerOf(name, pkcs8);
  const verifier = verifierOf(signer);
  const vkey = vkeyOf(verifier);
  const newest: LogKeyPeriod = {
    ...{ vkey, verifier, from, until: undefined, after, upTo: Infinity },
    succession,
  };
  return {
    ...signer,
    verifier,
    vkey,
    continues,
    keys: [newest, ...former.map(periodOf)],
    signers: [
      signer,
      ...former.flatMap((each) => (each.pkcs8 === undefined ? [] : [signerOf(name, each.pkcs8)])),
    ],
  };
}

const periodOf = ({
  vkey,
  from,
  until,
  after = first,
  upTo = Infinity,
  succession,
}: z.output<typeof former>): LogKeyPeriod => ({
  vkey,
  verifier: parseVkey(vkey),
  from,
  until,
  after,
  upTo,
  succession,
});

const signerOf = (name: string, pkcs8: string): NoteSigner => ({
  name,
  privateKey: createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' }),
});
