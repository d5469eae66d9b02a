import { z } from 'zod';
import { noContact } from '../../../commands/directory/upkeep/agency-contact.ts';
import { normalAddress } from '../../../events/accounts/email-address.ts';
import { contactId } from '../../../events/directory/upkeep/agency-contact.ts';
import { agencyContactOf } from '../../../personal/personal-data.ts';
import {
  agencyContacts,
  type AgencyContactDocument,
} from '../../../projections/directory/upkeep/agency-contacts.ts';
import { action, done, type ActionParts } from '../../action.ts';
import type { Listing } from '../../listing.ts';
import { reviewed } from '../records.ts';
import { contactsAt, endMails, noteUnreachable, requireContactsAt } from './agency-answers.ts';

/** A contact that was asked. `address`: undefined where it is erased. */
export interface AgencyContact extends Omit<AgencyContactDocument, 'address_sealed'> {
  readonly address: string | undefined;
}

/** Contacts of a team with their addresses, for those who review records: those that got a mail last first. */
export const agencyContactList: Listing<AgencyContactDocument, AgencyContact> = {
  name: 'agency-contacts',
  ...reviewed,
  readModel: agencyContacts,
  orderBy: ['mailed_at', 'contact'],
  descending: true,
  id: contactId,
  none: noContact,
  async open({ personal }, docs) {
    const addresses = await personal.openMany(
      docs.map(({ contact, address_sealed }) => ({
        holder: agencyContactOf(contact),
        sealed: address_sealed,
      })),
    );
    return docs.map(({ address_sealed: _, ...doc }, place) => ({
      ...doc,
      address: addresses[place] as string | undefined,
    }));
  },
};

/** Erases the address of a contact, by its id or by the address. It gets no such mail any more. */
export const eraseContact = action({
  name: 'directory.erase-agency-contact',
  right: 'review records',
  input: z
    .object({ contact: contactId.optional(), address: z.string().max(254).optional() })
    .refine(({ contact, address }) => (contact === undefined) !== (address === undefined), {
      path: ['address'],
      message: 'name the contact or the address',
    }),
  async run(parts: ActionParts, { contact, address }, { who: { team }, another }) {
    const found = await contactsNamed(parts, { contact, address, team });
    const outcomes = [];
    for (const each of found) outcomes.push(await endMails(parts, each.contact, 'erase', another()));
    return done(outcomes);
  },
});

async function contactsNamed(
  parts: ActionParts,
  {
    contact,
    address,
    team,
  }: { contact?: string | undefined; address?: string | undefined; team?: string | undefined },
): Promise<readonly AgencyContactDocument[]> {
  if (contact === undefined) return requireContactsAt(parts, address ?? '', team);
  const doc = await parts.documents.collection(agencyContacts.collection).get(contact);
  if (!doc || (team !== undefined && doc.team !== team)) throw noContact();
  return [doc];
}

/** Mails to an address came back: its next contacts are asked, in every team. */
export const reportBounce = action({
  name: 'mail.bounced',
  right: 'administrator',
  input: z.object({ address: z.string().min(1).max(254) }),
  async run(parts: ActionParts, { address }, { another }) {
    const outcomes = [];
    for (const { contact } of await requireContactsAt(parts, address))
      outcomes.push(await noteUnreachable(parts, contact, 'bounced', another()));
    return { changes: outcomes, value: () => ({ contacts: outcomes.length }) };
  },
});

/** The most addresses that are reported at once. */
export const mostBounces = 100;

/**
 * Mails to addresses came back: the next contacts of a team are asked. What comes of it does not tell who is a contact, and
 * reporting an address again changes nothing.
 */
export const reportBounces = action({
  name: 'directory.report-bounces',
  ...reviewed,
  input: z.object({
    addresses: z
      .array(
        z
          .string()
          .max(254)
          .refine((text) => normalAddress(text) !== undefined, { error: 'must be email addresses' }),
      )
      .min(1, { error: 'must name at least one address' })
      .max(mostBounces, { error: `must be at most ${mostBounces}` }),
  }),
  async run(parts: ActionParts, { addresses }, { who: { team }, another }) {
    const outcomes = [];
    for (const address of addresses)
      for (const { contact } of await contactsAt(parts, address, team))
        outcomes.push(await noteUnreachable(parts, contact, 'bounced', another()));
    return { changes: outcomes, value: () => ({ received: addresses.length }) };
  },
});
