import type { MasterKey } from '../../../../ground/master-key.ts';
import { SealedValue } from '../../../../ground/seal.ts';

/** Which claim a private link is about, and which of its links it is: only the newest works. */
export interface ClaimLink {
  readonly claim: string;
  readonly link: string;
}

/** How long a link proves, in hours, and how long one opens the page of the records, in days. */
export const proofHours = 12;
export const keptDays = 30;

/** `proof`: before the claim is proven. `kept`: once it is approved. Nothing in it can be read. */
export const claimLinks = (masterKey: MasterKey, kind: 'proof' | 'kept') =>
  new SealedValue<ClaimLink>(
    masterKey,
    `claim-${kind}`,
    kind === 'proof' ? proofHours * 3_600 : keptDays * 86_400,
  );
