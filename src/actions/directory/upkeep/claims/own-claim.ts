import { acceptSuggestion } from '../../../../commands/directory/upkeep/accept-suggestion.ts';
import { hostOfAddress } from '../../../../commands/directory/upkeep/claim-host.ts';
import {
  beginClaim,
  claimIdOf,
  commandClaim,
  endClaim,
  loadClaim,
  loadClaimRules,
} from '../../../../commands/directory/upkeep/claim.ts';
import type { ExistingClaim } from '../../../../commands/directory/upkeep/claim-decider.ts';
import { commandResource } from '../../../../commands/directory/resource.ts';
import {
  namesIn,
  valueIn,
  type SuggestedFields,
} from '../../../../commands/directory/upkeep/suggested-values.ts';
import { areSame } from '../../../../commands/directory/three-way.ts';
import { fieldsIn } from '../../../../projections/directory/document-fields.ts';
import {
  openSuggestions,
  suggestChange,
  suggestionOf,
} from '../../../../commands/directory/upkeep/suggestion.ts';
import { findTeam } from '../../../../commands/teams/team.ts';
import { uuidOf } from '../../../../events/ids.ts';
import type { CommandContext } from '../../../../events/metadata.ts';
import { CommandRefused } from '../../../../ground/refusals.ts';
import { Outbox } from '../../../../mail/outbox.ts';
import { claimOf } from '../../../../personal/personal-data.ts';
import { resources, type ResourceDocument } from '../../../../projections/directory/resources.ts';
import { claims } from '../../../../projections/directory/upkeep/claims.ts';
import type { ActionParts } from '../../../action.ts';
import { claimLinks } from './claim-links.ts';
import { withdrawClaimMails } from './claim-mails.ts';
import { hostsOf, isAbout, recordsOf, subjectOf } from './claimed-records.ts';

type Parts = Pick<ActionParts, 'store' | 'documents' | 'personal' | 'side' | 'masterKey'>;

interface Request {
  readonly commandId: string;
  readonly at: Date;
  readonly correlationId: string;
}

/** Whoever has the link reads the mails of the address; who they are is not known. */
const byLink = ({ commandId, at, correlationId }: Request): CommandContext => ({
  actor: { kind: 'system', id: 'claim-link' },
  commandId,
  at,
  correlationId,
});

/** The claim that an address would be of a record. Undefined: the address is none. */
export const claimOfAddress = (
  { personal }: Pick<Parts, 'personal'>,
  doc: ResourceDocument,
  address: string,
): Promise<string | undefined> => claimIdOf(personal, { team: doc.team, subject: subjectOf(doc) }, address);

/**
 * Somebody says that they are of the organization of a record. Nobody is told whether the address fits, is turned away or has a
 * claim: the work is about the same, and what follows comes by mail.
 */
export async function claimRecord(
  parts: Parts,
  {
    svcId,
    address,
    language,
  }: { readonly svcId: string; readonly address: string; readonly language: string },
  { commandId, at, correlationId }: Request,
): Promise<void> {
  const doc = await parts.documents.collection(resources.collection).get(svcId);
  const claim = doc && (await claimOfAddress(parts, doc, address));
  const host = hostOfAddress(address);
  const fits = doc?.listed === 1 && host !== undefined && hostsOf(doc).includes(host);
  if (!fits || claim === undefined) {
    await new Outbox(parts).putToNobody({ fromName: '', subject: '', text: address.slice(0, 254) });
    return;
  }
  const about = { claim, team: doc.team, subject: subjectOf(doc), svc_id: svcId, host, language };
  try {
    await beginClaim(
      parts,
      { ...about, address },
      { actor: { kind: 'system', id: 'public-page' }, commandId, at, correlationId },
    );
  } catch (error) {
    // The team is closed.
    if (!(error instanceof CommandRefused)) throw error;
  }
}

/** What a private link opens. */
export interface OpenedClaim extends ExistingClaim {
  readonly teamName: string;
  /** The records, once it is approved. */
  readonly records: readonly ResourceDocument[];
}

/** Whoever presses twice is told that it is proven, until the team has decided. */
const opens = {
  proof: ({ status, link, usedLink }: ExistingClaim, opened: string): boolean =>
    (status === 'begun' && link === opened) || (status === 'proven' && usedLink === opened),
  kept: ({ status, link }: ExistingClaim, opened: string): boolean =>
    status === 'approved' && link === opened,
} as const;

/**
 * What a link of a mail opens now. Undefined: it was not sealed here, has expired, a newer one was mailed, the claim that it
 * proved was decided on or has ended, or its team is closed.
 */
export async function openedClaim(
  { store, documents, personal, masterKey }: Pick<Parts, 'store' | 'documents' | 'personal' | 'masterKey'>,
  link: string,
  at: Date,
): Promise<OpenedClaim | undefined> {
  for (const kind of ['proof', 'kept'] as const) {
    const about = claimLinks(masterKey, kind).open(link, at);
    const state = about && (await loadClaim(store, about.claim));
    if (!state || state.erased || !opens[kind](state, about.link)) continue;
    // A log that was restored from before the end does not say it; the data key is gone in any case.
    if ((await personal.open(claimOf(state.data_key), state.address_sealed)) === undefined) continue;
    const team = await findTeam(store, state.team);
    if (!team || team.closing !== undefined) return undefined;
    const records = kind === 'kept' ? await recordsOf(documents, state) : [];
    return { ...state, teamName: team.name, records };
  }
  return undefined;
}

/**
 * A press on the page behind the link proves the claim. It waits for the team, unless the team lets in whoever proves a host
 * that it has approved before. @throws CommandRefused not_found, when the link was used
 */
export async function proveClaim(
  parts: Parts,
  { claim, link = '', team, subject, host, mustWait }: ExistingClaim,
  request: Request,
): Promise<'waits' | 'approved'> {
  await commandClaim(parts, claim, { kind: 'prove', link }, byLink(request));
  if (mustWait || (await loadClaimRules(parts.store, team))?.later_claims !== 'at_once') return 'waits';
  const before = await parts.documents.collection(claims.collection).page({
    where: { subject, status: 'approved' },
    orderBy: ['claim'],
    limit: 50,
  });
  if (!before.some((each) => each.team === team && each.host === host && each.claim !== claim))
    return 'waits';
  const id = uuidOf(request.commandId, 'approve');
  const approval = { kind: 'approve', link: uuidOf(id, 'link'), likeBefore: true } as const;
  await commandClaim(parts, claim, approval, byLink({ ...request, commandId: id }));
  return 'approved';
}

/** The record of the claim by its id. @throws CommandRefused not_found, when the claim is not about it */
async function ownRecord({ documents }: Pick<Parts, 'documents'>, claim: ExistingClaim, svcId: string) {
  const doc = await documents.collection(resources.collection).get(svcId);
  if (!doc || !isAbout(claim, doc))
    throw new CommandRefused('not_found', 'This record is not one of yours any more.');
  return doc;
}

/** Those who keep a record say that it is still right. @throws CommandRefused */
export async function confirmOwn(parts: Parts, claim: ExistingClaim, svcId: string, request: Request) {
  await ownRecord(parts, claim, svcId);
  const { host, team: asTeam } = claim;
  const command = { kind: 'confirm', by: 'agency', byClaim: { host }, asTeam } as const;
  return commandResource(parts, svcId, command, byLink(request));
}

/**
 * Those who keep a record change it, or say that it has closed. It is a suggestion, which the team reviews; where the team lets
 * it, the suggestion is taken over at once. A closing and a new website always wait, and so does what meets a change by somebody
 * else. Sent again after a crash, it is the same suggestion. @throws CommandRefused
 */
export async function changeOwn(
  parts: Parts,
  claim: ExistingClaim,
  {
    svcId,
    kind,
    fields = {},
    note = '',
    isOutdated = false,
  }: {
    readonly svcId: string;
    readonly kind: 'change' | 'closed';
    readonly fields?: SuggestedFields;
    readonly note?: string;
    /** The form showed something else than the record says now. */
    readonly isOutdated?: boolean;
  },
  request: Request,
): Promise<'waits' | 'taken'> {
  const doc = await ownRecord(parts, claim, svcId);
  const context = byLink(request);
  const about = { svc_id: svcId, team: claim.team, by: 'claimant', kind } as const;
  const suggested = { ...(kind === 'change' && { fields }), ...(note !== '' && { note }) };
  const { state } = await suggestChange(parts, { ...about, suggested }, context);
  const mustWait = kind === 'closed' || note !== '' || fields.url !== undefined || isOutdated;
  if (mustWait || (await loadClaimRules(parts.store, claim.team))?.changes !== 'at_once') return 'waits';
  // What was decided on is newer than what they read. What stands as they want it came of this form, sent before.
  const [{ before = {} } = {}] = state ? await openSuggestions(parts.personal, [state]) : [];
  const shown = fieldsIn(doc, 'developer');
  const isOther = namesIn(fields)
    .filter((name) => name in before)
    .some((name) => {
      const stands = valueIn(shown, name);
      return !areSame(before[name], stands) && !areSame(fields[name], stands);
    });
  if (isOther) return 'waits';
  try {
    const accepting = { ...context, commandId: uuidOf(request.commandId, 'accept') };
    await acceptSuggestion(parts, suggestionOf(context), { asTeam: claim.team }, accepting);
    return 'taken';
  } catch (error) {
    // Somebody has changed the same, or the record is public no more: the team compares both.
    if (!(error instanceof CommandRefused)) throw error;
    return 'waits';
  }
}

/** Those who keep the records end it. */
export async function endOwn(parts: Parts, { claim }: ExistingClaim, request: Request): Promise<void> {
  await endClaim(parts, claim, { kind: 'end', by: 'claimant' }, byLink(request));
  await withdrawClaimMails(parts, claim);
}
