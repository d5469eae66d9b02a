import { endClaim } from '../commands/directory/upkeep/claim.ts';
import { claimOf, type Holder } from '../personal/personal-data.ts';
import { pages } from '../projections/engine/paginate.ts';
import { visible } from '../projections/engine/read-your-writes.ts';
import { claims, claimsQuery, type ClaimDocument } from '../projections/directory/upkeep/claims.ts';
import type { ErasureLedger } from '../stores/vault/erasure-ledger-port.ts';
import type { ErasureParts } from './parts.ts';
import { erasureJob } from './replay.ts';

/** How long it waits for the read model, in milliseconds. */
const levelWithinMs = 60_000;

/** In which a claim has an address. */
const statuses = ['begun', 'proven', 'approved', 'refused'] as const;

/**
 * Ends claims that the log has and of which the ledger says that their data key was destroyed: the log was restored from before
 * their end. Their links open nothing in any case; without this, their records would be shown as kept by the agency. What was
 * never proven, or refused, only loses its address. Returns how many. @throws NotYetVisible
 */
export async function endRestoredClaims(
  parts: Pick<ErasureParts, 'store' | 'documents' | 'vault' | 'personal'>,
  ledger: Pick<ErasureLedger, 'entries'>,
  at: Date,
): Promise<number> {
  await visible(parts.documents, [claims.collection.name], await parts.store.head(), levelWithinMs);
  const keyless = await claimsWithoutKey(parts);
  if (keyless.size === 0) return 0;
  let ended = 0;
  for await (const { holder } of ledger.entries()) {
    const doc = keyless.get(holder as Holder);
    if (!doc || !keyless.delete(holder as Holder)) continue;
    const isOpen = doc.status === 'proven' || doc.status === 'approved';
    const command = isOpen ? ({ kind: 'end', by: 'restore' } as const) : ({ kind: 'erase' } as const);
    const context = { actor: erasureJob, commandId: crypto.randomUUID(), at };
    const { events } = await endClaim(parts, doc.claim, command, context);
    ended += events.length;
  }
  return ended;
}

/** Claims with an address of which the data key is gone, by the holder of that: hardly ever one. */
async function claimsWithoutKey({
  documents,
  vault,
}: Pick<ErasureParts, 'documents' | 'vault'>): Promise<Map<Holder, ClaimDocument>> {
  const found = new Map<Holder, ClaimDocument>();
  for (const status of statuses)
    for await (const page of pages(documents.collection(claims.collection), claimsQuery({ status }))) {
      const sealed = page.filter(({ address_sealed }) => address_sealed !== undefined);
      const keys = await vault.getMany(sealed.map(({ data_key }) => claimOf(data_key)));
      for (const doc of sealed) if (!keys.has(claimOf(doc.data_key))) found.set(claimOf(doc.data_key), doc);
    }
  return found;
}
