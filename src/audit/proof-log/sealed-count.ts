import { z } from 'zod';
import { counted } from '../../ground/counted.ts';
import type { ProofLog } from '../../stores/side/proof-log-port.ts';
import type { Vault } from '../../stores/vault/port.ts';

/**
 * The entry of the vault that says how many checkpoints were signed up to which tree. The newest tree proves the entries,
 * and says nothing of the checkpoints before it: one of them could be taken away unseen.
 */
export const sealedCountEntry = 'proof-log/checkpoints';

const stored = z.strictObject({ size: z.int().nonnegative(), checkpoints: z.int().nonnegative() });

interface CountParts {
  readonly vault: Pick<Vault, 'get' | 'put'>;
  readonly proofLog: Pick<ProofLog, 'checkpoints'>;
}

const pageSize = 1_000;

/** Seals the number of checkpoints up to `size`: what was sealed before, and those signed since. */
export async function sealCount({ vault, proofLog }: CountParts, size: number): Promise<void> {
  const sealed = await readCount(vault);
  if (sealed?.size === size) return;
  // A restore goes back behind what was sealed.
  const from = sealed && sealed.size < size ? sealed : { size: 0, checkpoints: 0 };
  const since = await numberOf(proofLog, { after: from.size, upTo: size });
  const count = { size, checkpoints: from.checkpoints + since };
  await vault.put(sealedCountEntry, Buffer.from(JSON.stringify(count)));
}

/** What is wrong when checkpoints are missing that were signed, though the newest is there. Undefined: none is. */
export async function missingCheckpoints({
  vault,
  proofLog,
}: {
  readonly vault: Pick<Vault, 'get'>;
  readonly proofLog: Pick<ProofLog, 'checkpoints' | 'newest'>;
}): Promise<string | undefined> {
  const sealed = await readCount(vault);
  const newest = await proofLog.newest();
  // That the proof log was cut back is another finding.
  if (!sealed || !newest || newest.size < sealed.size) return undefined;
  const present = await numberOf(proofLog, { after: 0, upTo: sealed.size });
  if (present === sealed.checkpoints) return undefined;
  const signed = `of the ${counted(sealed.checkpoints, 'checkpoint')} that were signed up to the one of ${counted(sealed.size, 'entry', 'entries')}`;
  return present < sealed.checkpoints
    ? `${counted(sealed.checkpoints - present, 'checkpoint is', 'checkpoints are')} missing in the proof log, ${signed}.`
    : `The proof log has ${present - sealed.checkpoints} more checkpoints than the vault counted ${signed}.`;
}

async function readCount(vault: Pick<Vault, 'get'>): Promise<z.output<typeof stored> | undefined> {
  const secret = await vault.get(sealedCountEntry);
  return secret && stored.parse(JSON.parse(Buffer.from(secret).toString()));
}

async function numberOf(
  proofLog: Pick<ProofLog, 'checkpoints'>,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<number> {
  let number = 0;
  for (let at = after; ;) {
    const page = await proofLog.checkpoints({ after: at, limit: pageSize });
    number += page.filter(({ size }) => size <= upTo).length;
    const last = page.at(-1);
    if (!last || last.size >= upTo) return number;
    at = last.size;
  }
}
