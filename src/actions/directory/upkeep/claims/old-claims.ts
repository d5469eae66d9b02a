import { endClaim } from '../../../../commands/directory/upkeep/claim.ts';
import { claims } from '../../../../projections/directory/upkeep/claims.ts';
import type { ActionParts } from '../../../action.ts';

/** For so long the address of a claim that was never proven, or refused, is kept. */
export const unprovenKeptDays = 90;

const dayMs = 86_400_000;
/** In one round, so that others who wait for the log are not held up. The next round goes on. */
const mostInARound = 100;
/** Before it are those that are open or erased: empty. */
const firstYear = '0';

/** Erases the addresses of claims of which nothing has come for `unprovenKeptDays`. Returns how many. */
export async function eraseOldClaims(
  parts: Pick<ActionParts, 'store' | 'documents' | 'personal'>,
  at: Date,
): Promise<number> {
  const before = new Date(at.getTime() - unprovenKeptDays * dayMs).toISOString();
  const docs = await parts.documents.collection(claims.collection).page({
    orderBy: ['sealed_since', 'claim'],
    from: firstYear,
    upTo: [before, 'g'],
    limit: mostInARound,
  });
  for (const { claim } of docs)
    await endClaim(parts, claim, { kind: 'erase' }, { actor: job, commandId: crypto.randomUUID(), at });
  return docs.length;
}

const job = { kind: 'system', id: 'claim-retention' } as const;
