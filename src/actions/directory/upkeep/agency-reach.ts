import { agencyContactId } from '../../../commands/directory/upkeep/agency-contact.ts';
import { openPeople } from '../../../commands/directory/sealed-people.ts';
import type { SealedPeople, UnsealedPeople } from '../../../events/directory/people.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import { daysBetweenAsks, mostAsks } from '../../../events/directory/upkeep/agency-contact.ts';
import { fieldsIn } from '../../../projections/directory/document-fields.ts';
import { organizations, type OrganizationDocument } from '../../../projections/directory/organizations.ts';
import type { ResourceDocument } from '../../../projections/directory/resources.ts';
import type {
  AgencyContactDocument,
  AgencyQuestion,
} from '../../../projections/directory/upkeep/agency-contacts.ts';
import type { ActionParts } from '../../action.ts';

const dayMs = 86_400_000;
/** So long an answer is waited for, before the contact counts as silent. */
export const answerDays = 14;
/** So long a change, a closing or a yes that did not make the record fresh is left to the team. */
const leftToTeamDays = 60;
/** Contacts that got a mail within so many days get the next one a month after it, others on their own day of four weeks. */
const inTurnDays = 90;
/** Contacts are spread over so many days. */
export const spreadDays = 28;

export interface AgencyAddress {
  /** The id of the contact. */
  readonly contact: string;
  readonly address: string;
}

/** A record whose agency is to be asked. */
export interface DueRecord {
  readonly svcId: string;
  readonly number: number;
  /** The first day that its last confirmation can mean. Empty: there is none. */
  readonly confirmedOn: string;
  readonly fields: UnsealedFields;
  /** In the order in which they are tried. */
  readonly addresses: readonly AgencyAddress[];
}

/** Why an agency must be called. `not-by-mail`: the team asks nobody by mail. */
export const callReasons = [
  'not-by-mail',
  'no-address',
  'silent',
  'stopped',
  'unreachable',
  'not-ours',
] as const;
export type CallReason = (typeof callReasons)[number];

/** What asking by mail can do for a record that is due. */
export type Reach =
  /** A contact is to be asked, when its turn comes. */
  | { readonly kind: 'ask'; readonly to: AgencyAddress }
  /** A mail is under way: it may still be answered, or the next one follows a month after it. */
  | { readonly kind: 'waits'; readonly contact: string }
  /** Somebody has answered, and the team decides. */
  | { readonly kind: 'answered' }
  | { readonly kind: 'call'; readonly reason: CallReason };

type Parts = Pick<ActionParts, 'documents' | 'personal'>;

/**
 * The addresses of each record in the order in which they are tried: contact persons of the record, those of its
 * organization, the address that the record publishes, and that of the organization. Opened with two reads of the vault.
 */
export async function dueRecordsOf(
  { documents, personal }: Parts,
  docs: readonly (ResourceDocument & { readonly confirmedOn: string })[],
): Promise<DueRecord[]> {
  const fields = docs.map((doc) => fieldsIn(doc, 'team'));
  const ids = new Set(fields.flatMap(({ organization }) => organization?.id ?? []));
  const found: ReadonlyMap<string, OrganizationDocument> =
    ids.size === 0 ? new Map() : await documents.collection(organizations.collection).getMany([...ids]);
  const ofOrganizations = [...found];
  const sealed = [...docs, ...ofOrganizations.map(([, doc]) => doc)].map(
    ({ people }) => JSON.parse(people ?? '{}') as SealedPeople,
  );
  const people = await openPeople(personal, sealed);
  const placeOf = new Map(ofOrganizations.map(([id], place) => [id, docs.length + place]));
  return Promise.all(
    docs.map(async ({ svc_id, number, team, confirmedOn }, place) => {
      const own = fields[place] ?? ({} as UnsealedFields);
      const id = own.organization?.id ?? '';
      const organization = found.get(id);
      const texts = [
        ...emailsOf(people[place]),
        ...emailsOf(people[placeOf.get(id) ?? -1]),
        own.email,
        organization?.team === team ? organization.fields.email : undefined,
      ];
      return {
        svcId: svc_id,
        number,
        confirmedOn,
        fields: own,
        addresses: await addressesOf(personal, team, texts),
      };
    }),
  );
}

const emailsOf = ({ contacts = [] }: UnsealedPeople = {}): (string | undefined)[] =>
  contacts.map(({ email }) => email);

async function addressesOf(
  personal: Parts['personal'],
  team: string,
  texts: readonly (string | undefined)[],
): Promise<AgencyAddress[]> {
  const found: AgencyAddress[] = [];
  for (const address of texts) {
    const contact = address === undefined ? undefined : await agencyContactId(personal, team, address);
    if (address !== undefined && contact !== undefined && !found.some((each) => each.contact === contact))
      found.push({ contact, address });
  }
  return found;
}

/** What asking can do for a record now. `contacts`: of its addresses, those that were asked before. */
export function reachOf(
  { svcId, confirmedOn, addresses }: Pick<DueRecord, 'svcId' | 'confirmedOn' | 'addresses'>,
  contacts: ReadonlyMap<string, AgencyContactDocument>,
  now: Date,
): Reach {
  const ofContact = ({ contact }: AgencyAddress) => contacts.get(contact);
  const questionTo = (doc: AgencyContactDocument | undefined): AgencyQuestion | undefined => {
    const question = doc?.questions[svcId];
    // What was asked before the record was last confirmed was about another time. "Not ours" stays.
    const isPast = (mailed: string): boolean => mailed.slice(0, 10) < confirmedOn;
    if (!question || (question.answer !== 'not_ours' && isPast(question.at))) return undefined;
    return { ...question, mails: question.mails.filter((mailed) => !isPast(mailed)) };
  };
  const isWithin = (days: number, at: string): boolean => now.getTime() - Date.parse(at) < days * dayMs;
  const isAnswered = ({ answer, answered_at = '' }: AgencyQuestion): boolean =>
    answer !== undefined && answer !== 'not_ours' && isWithin(leftToTeamDays, answered_at);
  let reason: CallReason = 'no-address';
  for (const each of addresses) {
    const question = questionTo(ofContact(each));
    if (question && isAnswered(question)) return { kind: 'answered' };
  }
  for (const to of addresses) {
    const doc = ofContact(to);
    const question = questionTo(doc);
    if (question?.answer === 'not_ours') reason = 'not-ours';
    else if (doc && doc.status !== 'open') reason = doc.status === 'unreachable' ? 'unreachable' : 'stopped';
    else if (question && question.mails.length > 0 && isWithin(answerDays, question.at))
      return { kind: 'waits', contact: to.contact };
    else if (question && question.mails.length >= mostAsks) reason = 'silent';
    else if (doc && isWithin(daysBetweenAsks, doc.mailed_at)) return { kind: 'waits', contact: to.contact };
    else return { kind: 'ask', to };
  }
  return { kind: 'call', reason };
}

/** Which of the 28 days is that of a contact. */
export const spreadDayOf = (contact: string): number => Number.parseInt(contact.slice(0, 8), 16) % spreadDays;

/** Whether it is the turn of a contact. `days`: those that are asked now, by their place among the 28. */
export function isTurn(
  contact: string,
  doc: AgencyContactDocument | undefined,
  days: ReadonlySet<number>,
  now: Date,
): boolean {
  const sinceMs = doc === undefined ? Infinity : now.getTime() - Date.parse(doc.mailed_at);
  if (sinceMs < inTurnDays * dayMs) return sinceMs >= daysBetweenAsks * dayMs;
  return days.has(spreadDayOf(contact));
}
