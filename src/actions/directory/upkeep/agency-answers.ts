import {
  agencyContactId,
  commandAgencyContact,
  endAgencyContact,
  loadAgencyContact,
  noContact,
  type AgencyContactOutcome,
  type ExistingAgencyContact,
} from '../../../commands/directory/upkeep/agency-contact.ts';
import { commandResource } from '../../../commands/directory/resource.ts';
import type { SuggestedFields } from '../../../commands/directory/upkeep/suggested-values.ts';
import { suggestChange } from '../../../commands/directory/upkeep/suggestion.ts';
import type { AgencyAnswer, UnreachableReason } from '../../../events/directory/upkeep/agency-contact.ts';
import { uuidOf } from '../../../events/ids.ts';
import type { CommandContext } from '../../../events/metadata.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import { defined } from '../../../ground/defined.ts';
import { fieldsIn } from '../../../projections/directory/document-fields.ts';
import { resources } from '../../../projections/directory/resources.ts';
import {
  agencyContacts,
  type AgencyContactDocument,
} from '../../../projections/directory/upkeep/agency-contacts.ts';
import { teams } from '../../../projections/teams.ts';
import { pages } from '../../../projections/engine/paginate.ts';
import type { ActionParts } from '../../action.ts';
import { withdrawAgencyMails } from './asking-mails.ts';

type Parts = Pick<ActionParts, 'store' | 'documents' | 'personal' | 'side' | 'masterKey'>;

/** Answers can be taken back for so long, or until whoever answers says that they are done. In milliseconds. */
export const takenBackMs = 10 * 60_000;

/** Whoever has the link reads the mail of the address; who they are is not known. */
export const byAgencyLink = (commandId: string, at: Date): CommandContext => ({
  actor: { kind: 'system', id: 'agency-link' },
  commandId,
  at,
});

/** Records an answer, which has its effect later: see `carryOut`. @throws CommandRefused not_found */
export const answerByLink = (
  { store }: Pick<Parts, 'store'>,
  contact: string,
  svcId: string,
  answer: AgencyAnswer | 'undo',
  context: CommandContext,
): Promise<AgencyContactOutcome> =>
  commandAgencyContact(
    { store },
    contact,
    answer === 'undo' ? { kind: 'take-back', svcId } : { kind: 'answer', svcId, answer },
    context,
  );

/**
 * Suggests a change by a link, and records that the contact answered so. Sent again after a crash between the two, it is the same
 * suggestion. `commandId`: of the form. @throws CommandRefused
 */
export async function suggestByLink(
  parts: Parts,
  { contact, svcId, team, ask, fields, note }: SuggestionByLink,
  commandId: string,
  request: { readonly at: Date; readonly correlationId: string },
): Promise<void> {
  const context = { ...byAgencyLink(commandId, request.at), correlationId: request.correlationId };
  const about = { svc_id: svcId, team, by: 'agency', kind: 'change', ask } as const;
  const suggested = { fields, ...(note === '' ? {} : { note }) };
  await suggestChange(parts, { ...about, suggested }, context);
  await answerByLink(parts, contact, svcId, 'change', { ...context, commandId: uuidOf(commandId, 'answer') });
}

export interface SuggestionByLink {
  readonly contact: string;
  readonly svcId: string;
  readonly team: string;
  readonly ask: string;
  readonly fields: SuggestedFields;
  readonly note: string;
}

/**
 * Gives the answers of a contact their effect: yes confirms the record, closed and not ours wait for the team. Each has the id
 * of a command of its own, so that a process that goes on after another was killed does nothing twice.
 */
export async function carryOut(parts: Parts, contact: string, at: Date): Promise<AgencyContactOutcome[]> {
  const state = await loadAgencyContact(parts.store, contact);
  if (!state) return [];
  const open = [...state.answers].filter(([, { carriedOut }]) => !carriedOut);
  if (open.length === 0) return [];
  for (const [svcId, { ask, answer, number }] of open)
    await effectOf(
      parts,
      state,
      { svcId, ask, answer },
      byAgencyLink(commandIdOf(contact, svcId, number), at),
    );
  const outcomes = [];
  for (let from = 0; from < open.length; from += mostAtOnce) {
    const answers = open
      .slice(from, from + mostAtOnce)
      .map(([svcId, { number }]) => [svcId, number] as const);
    const id = uuidOf('agency-answers', contact, JSON.stringify(answers));
    const command = { kind: 'carried-out', answers } as const;
    outcomes.push(await commandAgencyContact(parts, contact, command, byAgencyLink(id, at)));
  }
  return outcomes;
}

/** As many as one event names. */
const mostAtOnce = 50;

const commandIdOf = (contact: string, svcId: string, number: number): string =>
  uuidOf('agency-answer', contact, svcId, String(number));

async function effectOf(
  parts: Parts,
  { team }: ExistingAgencyContact,
  { svcId, ask, answer }: { readonly svcId: string; readonly ask: string; readonly answer: AgencyAnswer },
  context: CommandContext,
): Promise<void> {
  const doc = await parts.documents.collection(resources.collection).get(svcId);
  // Meanwhile it is public no more, or it is another team's.
  if (doc?.listed !== 1 || doc.team !== team) return;
  const organization = fieldsIn(doc, 'developer').organization?.name;
  try {
    if (answer === 'yes') {
      const byLink = { ask, ...defined({ organization }) };
      await commandResource(parts, svcId, { kind: 'confirm', by: 'agency', byLink, asTeam: team }, context);
    } else if (answer !== 'change') {
      // A change was suggested when its form was sent.
      const about = { svc_id: svcId, team, by: 'agency', kind: answer, ask } as const;
      await suggestChange(parts, { ...about, suggested: {} }, context);
    }
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
  }
}

/** Carries out what was answered some minutes ago. */
export async function carryOutSettled(parts: Parts, now: Date): Promise<void> {
  const before = new Date(now.getTime() - takenBackMs).toISOString();
  const collection = parts.documents.collection(agencyContacts.collection);
  let after: readonly [string, string] = ['0', ''];
  for (;;) {
    const docs: readonly AgencyContactDocument[] = await collection.page({
      orderBy: ['open_since', 'contact'],
      after,
      upTo: [before, 'g'],
      limit: 100,
    });
    for (const { contact } of docs) await carryOut(parts, contact, now);
    const last = docs.at(-1);
    if (!last || docs.length < 100) return;
    after = [last.open_since ?? before, last.contact];
  }
}

/** Ends the mails to a contact by a link, or erases its address. Mails that wait are removed. */
export async function endMails(
  parts: Parts,
  contact: string,
  kind: 'stop' | 'erase',
  context: CommandContext,
): Promise<AgencyContactOutcome> {
  const outcome = await endAgencyContact(parts, contact, kind, context);
  await withdrawAgencyMails(parts, contact);
  return outcome;
}

/** Notes that no mail reaches a contact. */
export async function noteUnreachable(
  parts: Parts,
  contact: string,
  reason: UnreachableReason,
  context: CommandContext,
): Promise<AgencyContactOutcome> {
  const command = { kind: 'unreachable', reason } as const;
  const outcome = await commandAgencyContact(parts, contact, command, context);
  await withdrawAgencyMails(parts, contact);
  return outcome;
}

/** The contacts that an address is, of all teams or of one. */
export async function contactsAt(
  { documents, personal }: Parts,
  address: string,
  team?: string,
): Promise<AgencyContactDocument[]> {
  const found: AgencyContactDocument[] = [];
  const named =
    team === undefined ? pages(documents.collection(teams.collection), { orderBy: ['team'] }) : [[{ team }]];
  for await (const page of named) {
    const ids = await Promise.all(page.map((each) => agencyContactId(personal, each.team, address)));
    const valid = ids.filter((id) => id !== undefined);
    const docs = await documents.collection(agencyContacts.collection).getMany(valid);
    found.push(...docs.values());
  }
  return found;
}

/** @throws CommandRefused not_found */
export async function requireContactsAt(parts: Parts, address: string, team?: string) {
  const found = await contactsAt(parts, address, team);
  if (found.length === 0) throw noContact();
  return found;
}
