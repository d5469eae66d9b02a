import { agencyContactId, loadAgencyContact } from '../../commands/directory/upkeep/agency-contact.ts';
import { claimIdOf, endClaim, loadClaim } from '../../commands/directory/upkeep/claim.ts';
import {
  addressesOfPerson,
  type NamedAddresses,
  type PersonNamed,
} from '../../commands/directory/upkeep/named-addresses.ts';
import { eraseSuggestion, openSuggestions } from '../../commands/directory/upkeep/suggestion.ts';
import { normalAddress } from '../../events/accounts/email-address.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { pages } from '../../projections/engine/paginate.ts';
import {
  suggestions,
  suggestionsQuery,
  suggestionStatuses,
} from '../../projections/directory/upkeep/suggestions.ts';
import type { Change } from '../../projections/until-shown.ts';
import type { ActionParts } from '../action.ts';
import { endMails } from './upkeep/agency-answers.ts';
import { withdrawClaimMails } from './upkeep/claims/claim-mails.ts';

type Parts = Pick<ActionParts, 'store' | 'documents' | 'personal' | 'side' | 'masterKey'>;

/**
 * Erases a person whom a record or an organization names, with whatever its team keeps under their addresses: the contacts of
 * agencies that they are, their claims of the records, and what they have suggested about them. These first, while the record
 * still tells the addresses, so that the same request finishes what a crash has interrupted. And once more when the person is
 * erased, for what came meanwhile.
 */
export async function erasedWithAddresses<Outcome extends Change>(
  parts: Parts,
  named: PersonNamed,
  another: () => CommandContext,
  erase: () => Promise<Outcome>,
): Promise<{ readonly outcome: Outcome; readonly changes: readonly Change[] }> {
  const of = await addressesOfPerson(parts, named);
  const before = of ? await eraseAddresses(parts, of, another) : [];
  const outcome = await erase();
  const after = of ? await eraseAddresses(parts, of, another) : [];
  return { outcome, changes: [...before, ...after, outcome] };
}

async function eraseAddresses(
  parts: Parts,
  of: NamedAddresses,
  another: () => CommandContext,
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const address of of.addresses) {
    const contact = await agencyContactId(parts.personal, of.team, address);
    if (contact !== undefined && (await loadAgencyContact(parts.store, contact)))
      changes.push(await endMails(parts, contact, 'erase', another()));
    for (const subject of of.subjects) {
      const claim = await claimIdOf(parts.personal, { team: of.team, subject }, address);
      const ended = claim === undefined ? undefined : await eraseClaim(parts, claim, another);
      if (ended) changes.push(ended);
    }
  }
  changes.push(...(await eraseSuggestions(parts, of, another)));
  return changes;
}

/** Whoever keeps the records does so no more. What was never proven, or was refused, only loses its address. */
async function eraseClaim(
  parts: Parts,
  claim: string,
  another: () => CommandContext,
): Promise<Change | undefined> {
  const state = await loadClaim(parts.store, claim);
  if (!state) return undefined;
  const isOpen = state.status === 'proven' || state.status === 'approved';
  const command = isOpen ? ({ kind: 'end', by: 'team' } as const) : ({ kind: 'erase' } as const);
  const outcome = await endClaim(parts, claim, command, another());
  await withdrawClaimMails(parts, claim);
  return outcome;
}

/** Erases what was suggested about the records by whoever is reached at one of the addresses. */
async function eraseSuggestions(
  parts: Parts,
  { addresses, records, team }: NamedAddresses,
  another: () => CommandContext,
): Promise<readonly Change[]> {
  const theirs = new Set(addresses.map(normalAddress));
  theirs.delete(undefined);
  if (theirs.size === 0) return [];
  const changes: Change[] = [];
  const collection = parts.documents.collection(suggestions.collection);
  for (const svc_id of records)
    for (const status of suggestionStatuses)
      for await (const page of pages(collection, suggestionsQuery({ svc_id, status }))) {
        const left = page.filter((doc) => doc.team === team && doc.suggested !== undefined);
        const contents = await openSuggestions(parts.personal, left);
        for (const [place, { suggestion }] of left.entries())
          if (addressesIn(contents[place]?.contact ?? '').some((each) => theirs.has(each)))
            changes.push(await eraseSuggestion(parts, suggestion, {}, another()));
      }
  return changes;
}

/** The email addresses in what somebody wrote about how to reach them. */
const addressesIn = (text: string): string[] =>
  text.split(/[\s<>(),;]+/).flatMap((word) => normalAddress(word.replace(/^mailto:|[.:]+$/gi, '')) ?? []);
