/** A new key for the same log. The one before signs as well for a while, so that nobody must change keys at one moment. */
import { recordOfInstallation, type InstallationParts } from '../../commands/installation-record.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { Leases } from '../../stores/leases/port.ts';
import type { ProofLog } from '../../stores/side/proof-log-port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import {
  logKeyOf,
  newPrivateKey,
  readLogKey,
  writeLogKey,
  type LogKey,
  type StoredLogKey,
} from './format/log-key.ts';
import { successionNote } from './format/succession.ts';

export interface KeyParts extends InstallationParts {
  readonly vault: Pick<Vault, 'get' | 'put'>;
  readonly proofLog: Pick<ProofLog, 'newest'>;
  readonly leases: Leases;
}

/** Whoever changes the entry of the key holds it: the vault replaces an entry without comparing. */
const leaseName = 'proof-log-key';
const leaseWaitMs = 10_000;

/**
 * Makes a new key, which signs from the next checkpoint on. The keys before it sign as well for `overlapMs`, or not at all
 * any more (0: one has leaked). The key is stored with one write, and recorded after it: whoever is killed in between
 * leaves the record to `tendLogKey`, and a repetition goes on with that key.
 *
 * @throws CommandRefused conflict, when there is no key yet, or somebody else changes it
 */
export async function rotateLogKey(
  parts: KeyParts,
  { overlapMs }: { readonly overlapMs: number },
  context: CommandContext,
): Promise<LogKey> {
  const lease = await parts.leases.acquire(leaseName, AbortSignal.timeout(leaseWaitMs));
  if (!lease) throw new CommandRefused('conflict', 'Somebody else changes the key; try again.');
  try {
    const stored = await readLogKey(parts.vault);
    if (!stored)
      throw new CommandRefused('conflict', 'The log has no key yet. The server makes it at its first start.');
    const rotated = stored.unrecorded ? stored : await replaced(parts, stored, overlapMs, context);
    return logKeyOf(await recorded(parts, rotated, context.at));
  } finally {
    await lease.release();
  }
}

async function replaced(
  { vault, proofLog }: KeyParts,
  { pkcs8, from, after, succession, former = [], unrecorded: _, ...kept }: StoredLogKey,
  overlapMs: number,
  { actor, commandId, at }: CommandContext,
): Promise<StoredLogKey> {
  const until = new Date(at.getTime() + overlapMs).toISOString();
  const { vkey, ...signer } = logKeyOf({ ...kept, pkcs8 });
  const successor = newPrivateKey();
  // Whoever has a key that leaked could hand over as well, so nobody is to believe that one.
  const handsOver = overlapMs > 0;
  const note = successionNote(signer, logKeyOf({ ...kept, pkcs8: successor }).vkey);
  const size = (await proofLog.newest())?.size ?? 0;
  const next: StoredLogKey = {
    ...kept,
    pkcs8: successor,
    from: at.toISOString(),
    ...(handsOver ? { succession: note } : {}),
    former: [
      // A key that was replaced before the signer had used it counts for no tree before this.
      { vkey, pkcs8, from, after: from === undefined ? after : (after ?? size), succession, until },
      ...former.map((each) => (each.until > until ? { ...each, until } : each)),
    ],
    unrecorded: { command: commandId, actor },
  };
  await writeLogKey(vault, next);
  return next;
}

/** Records a rotation that is in no event yet. The same one is recorded once. */
async function recorded(parts: KeyParts, stored: StoredLogKey, at: Date): Promise<StoredLogKey> {
  const { unrecorded, ...rest } = stored;
  if (!unrecorded) return stored;
  const [newest, ...former] = logKeyOf(stored).keys;
  const signing = former.filter(({ upTo }) => upTo === Infinity);
  await recordOfInstallation(
    parts,
    {
      kind: 'proof-log-key-rotated',
      vkey: newest?.vkey ?? '',
      former: signing.map(({ vkey }) => vkey),
      until: signing[0]?.until ?? at.toISOString(),
    },
    { actor: unrecorded.actor, commandId: unrecorded.command, at },
  );
  await writeLogKey(parts.vault, rest);
  return rest;
}

/**
 * What the signer does with the keys before it signs: notes from which tree on a new key signs, and destroys a former one
 * whose time has ended. Only it does so, because it alone knows which tree is the last one. Also records a rotation that
 * was interrupted. Returns the keys to sign with.
 */
export async function tendLogKey(parts: KeyParts, now: Date): Promise<LogKey | undefined> {
  const stored = await readLogKey(parts.vault);
  if (!stored || !isDue(stored, now)) return stored && logKeyOf(stored);
  const lease = await parts.leases.tryAcquire(leaseName);
  // Whoever rotates holds it; the next round comes.
  if (!lease) return logKeyOf(stored);
  try {
    const current = await recorded(parts, (await readLogKey(parts.vault)) ?? stored, now);
    const size = (await parts.proofLog.newest())?.size ?? 0;
    const tended = tendedAt(current, size, now);
    await writeLogKey(parts.vault, tended);
    return logKeyOf(tended);
  } finally {
    await lease.release();
  }
}

const hasEnded = ({ pkcs8, until }: NonNullable<StoredLogKey['former']>[number], now: Date): boolean =>
  pkcs8 !== undefined && Date.parse(until) <= now.getTime();

const isDue = ({ from, after, former = [], unrecorded }: StoredLogKey, now: Date): boolean =>
  unrecorded !== undefined ||
  (from !== undefined && after === undefined) ||
  former.some((each) => hasEnded(each, now));

function tendedAt(stored: StoredLogKey, size: number, now: Date): StoredLogKey {
  const { from, after = size, former = [] } = stored;
  return {
    ...stored,
    ...(from === undefined ? {} : { after }),
    former: former.map((each) => {
      if (!hasEnded(each, now)) return each;
      const { pkcs8: _, ...rest } = each;
      return { ...rest, upTo: size };
    }),
  };
}
