import {
  chooseClaimRules,
  commandClaim,
  endClaim,
  loadClaimRules,
} from '../../../../commands/directory/upkeep/claim.ts';
import { noClaim } from '../../../../commands/directory/upkeep/claim-decider.ts';
import { z } from 'zod';
import { claimId } from '../../../../events/directory/upkeep/claim.ts';
import { uuidOf } from '../../../../events/ids.ts';
import { claims, type ClaimDocument } from '../../../../projections/directory/upkeep/claims.ts';
import type { Change } from '../../../../projections/until-shown.ts';
import { action, done, type ActionParts, type Performing } from '../../../action.ts';
import { oneOf, type Listing } from '../../../listing.ts';
import { byTeam, reviewed, words } from '../../records.ts';
import { withdrawClaimMails } from './claim-mails.ts';

/** A claim as its team sees it: the host that was proven, and never the address. */
export type Claim = Omit<
  ClaimDocument,
  'address_sealed' | 'rank' | 'sealed_since' | 'link' | 'mail' | 'mail_at'
>;

/** The claims of the records of a team: those that wait first, the oldest first. */
export const claimList: Listing<ClaimDocument, Claim> = {
  name: 'claims',
  ...reviewed,
  readModel: claims,
  orderBy: ['rank', 'begun_at', 'claim'],
  id: claimId,
  none: noClaim,
  open: async (_, docs) =>
    docs.map(
      ({
        address_sealed: _address,
        rank: _rank,
        sealed_since: _since,
        link: _link,
        mail: _mail,
        mail_at: _at,
        ...doc
      }) => doc,
    ),
};

/** Lets those who proved a claim keep the records. They get the link to their page by mail. */
export const approve = action({
  name: 'directory.approve-claim',
  ...reviewed,
  input: z.object({ id: claimId }),
  async run(parts, { id }, by) {
    const command = { kind: 'approve', link: uuidOf(by.context.commandId, 'claim link') } as const;
    return shown(parts, id, by, await commandClaim(parts, id, { ...command, ...byTeam(by.who) }, by.context));
  },
});

/** Refuses a claim. Whoever proved it gets the words by mail. */
export const refuse = action({
  name: 'directory.refuse-claim',
  ...reviewed,
  input: z.object({ id: claimId, reason: words.optional() }),
  async run(parts, { id, reason }, by) {
    const command = { kind: 'refuse', ...(reason !== undefined && { reason }), ...byTeam(by.who) } as const;
    return shown(parts, id, by, await commandClaim(parts, id, command, by.context));
  },
});

/** Ends a claim: its links are void at once, and the address is erased. */
export const end = action({
  name: 'directory.end-claim',
  ...reviewed,
  input: z.object({ id: claimId }),
  async run(parts, { id }, by) {
    const ended = await endClaim(parts, id, { kind: 'end', by: 'team', ...byTeam(by.who) }, by.context);
    await withdrawClaimMails(parts, id);
    return shown(parts, id, by, ended);
  },
});

const shown = (parts: ActionParts, id: string, { who }: Performing, changes: Change) => ({
  changes,
  value: () => oneOf(claimList, parts, who.team, id),
});

const rule = z.enum(['wait', 'at_once']);

/** Chooses what those who keep records may do without the team. */
export const chooseRules = action({
  name: 'directory.choose-claim-rules',
  right: 'change the team',
  input: z.object({ changes: rule, later_claims: rule }),
  run: async (parts, rules, { who: { team = '' }, context }) =>
    done(await chooseClaimRules(parts, { team, ...rules }, context)),
});

/** What a team has chosen. Everything waits until it has. */
export async function rulesOf(
  { store }: Pick<ActionParts, 'store'>,
  team: string,
): Promise<z.output<typeof chooseRules.input>> {
  const { changes = 'wait', later_claims = 'wait' } = (await loadClaimRules(store, team)) ?? {};
  return { changes, later_claims };
}
