import { invitationOf } from '../../commands/teams/invitation-keys.ts';
import { eachPerson, type SealedPeople } from '../../events/directory/people.ts';
import {
  agencyContactOf,
  claimOf,
  formOfficeOf,
  formSubmissionOf,
  personOf,
  resourcePersonOf,
  type Holder,
  type PersonalData,
  type SealedValue,
} from '../../personal/personal-data.ts';
import type { ErasureDocument } from '../../projections/accounts-erasures.ts';
import type { PersonDocument } from '../../projections/accounts-people.ts';
import type { SessionDocument } from '../../projections/accounts-sessions.ts';
import type { ClaimDocument } from '../../projections/directory/upkeep/claims.ts';
import type { AgencyContactDocument } from '../../projections/directory/upkeep/agency-contacts.ts';
import type { MistakeDocument } from '../../projections/directory/upkeep/mistakes.ts';
import type { SuggestionDocument } from '../../projections/directory/upkeep/suggestions.ts';
import type { OrganizationDocument } from '../../projections/directory/organizations.ts';
import type { ResourceDocument } from '../../projections/directory/resources.ts';
import type { FormDocument, SubmissionDocument } from '../../projections/forms.ts';
import type { ApiKeyDocument } from '../../projections/keys.ts';
import type { ListedMemberDocument, PaymentDocument } from '../../projections/payments.ts';
import type { InvitationDocument } from '../../projections/teams-invitations.ts';
import type { MemberDocument } from '../../projections/teams-members.ts';
import type { FoldedDocument } from './read-models.ts';
import type { AsOfReader, PersonalKind, Unopened } from './reader.ts';

/** A sealed value in a document, by the name under which an answer has it. */
interface SealedMember extends SealedValue {
  readonly name: string;
}

/** What is sealed in the documents of a read model, and which members of the document hold it. */
interface Sealing<Doc extends object> {
  readonly kind: PersonalKind;
  readonly members: readonly (keyof Doc & string)[];
  readonly sealedIn: (doc: Doc) => readonly SealedMember[];
  /** A member of the document that is a list, and the name in each entry under which it holds something sealed. */
  readonly within?: { readonly list: string; readonly name: string };
}

const one = (name: string, holder: Holder, sealed: string | undefined): SealedMember[] =>
  sealed === undefined ? [] : [{ name, holder, sealed }];

const sealing = <Doc extends object>(specific: Sealing<Doc>): Sealing<object> =>
  specific as unknown as Sealing<object>;

/** A record or an organization, with what it says about persons. */
const namingPeople: Sealing<{ readonly people?: string }> = {
  kind: 'directory',
  members: ['people'],
  sealedIn: ({ people = '{}' }) =>
    eachPerson(JSON.parse(people) as SealedPeople).map(({ field, person, sealed }) => ({
      name: `${field}/${person}`,
      holder: resourcePersonOf(person),
      sealed,
    })),
};

const sealings: Readonly<Record<string, Sealing<object>>> = {
  sessions: sealing<SessionDocument>({
    kind: 'accounts',
    members: ['device'],
    sealedIn: ({ user, device }) => one('device', personOf(user), device),
  }),
  people: sealing<PersonDocument>({
    kind: 'accounts',
    members: ['profile', 'email_sealed'],
    within: { list: 'passkeys', name: 'label' },
    sealedIn: ({ user, profile, email_sealed, passkeys }) => [
      ...one('profile', personOf(user), profile),
      ...one('email', personOf(user), email_sealed),
      ...passkeys.flatMap(({ credential, label }) =>
        one(`passkeys/${credential}/label`, personOf(user), label),
      ),
    ],
  }),
  erasures: sealing<ErasureDocument>({
    kind: 'accounts',
    members: [],
    within: { list: 'holds', name: 'reason' },
    sealedIn: ({ user, holds }) =>
      holds.flatMap(({ hold, reason }) => one(`holds/${hold}/reason`, personOf(user), reason)),
  }),
  members: sealing<MemberDocument>({
    kind: 'members',
    members: ['person'],
    sealedIn: ({ user, person }) => one('person', personOf(user), person),
  }),
  invitations: sealing<InvitationDocument>({
    kind: 'members',
    members: ['email_sealed'],
    sealedIn: ({ invitation, email_sealed }) => one('email', invitationOf(invitation), email_sealed),
  }),
  resources: sealing<ResourceDocument>(namingPeople),
  organizations: sealing<OrganizationDocument>(namingPeople),
  mistakes: sealing<MistakeDocument>({
    kind: 'directory',
    members: ['said'],
    sealedIn: ({ report, said }) => one('said', `mistake/${report}`, said),
  }),
  suggestions: sealing<SuggestionDocument>({
    kind: 'directory',
    members: ['suggested'],
    sealedIn: ({ suggestion, suggested }) => one('suggested', `suggestion/${suggestion}`, suggested),
  }),
  'agency-contacts': sealing<AgencyContactDocument>({
    kind: 'directory',
    members: ['address_sealed'],
    sealedIn: ({ contact, address_sealed }) => one('address', agencyContactOf(contact), address_sealed),
  }),
  claims: sealing<ClaimDocument>({
    kind: 'directory',
    members: ['address_sealed'],
    sealedIn: ({ data_key, address_sealed }) => one('address', claimOf(data_key), address_sealed),
  }),
  forms: sealing<FormDocument>({
    kind: 'forms',
    members: ['office_address_sealed'],
    sealedIn: ({ office, office_address_sealed }) =>
      one('office_address', formOfficeOf(office?.office ?? ''), office_address_sealed),
  }),
  'form-submissions': sealing<SubmissionDocument>({
    kind: 'forms',
    members: ['answers_sealed'],
    sealedIn: ({ submission, answers_sealed }) =>
      one('answers', formSubmissionOf(submission), answers_sealed),
  }),
  'api-keys': sealing<ApiKeyDocument>({
    kind: 'members',
    members: ['label_sealed'],
    sealedIn: ({ created_by, label_sealed }) => one('label', personOf(created_by ?? ''), label_sealed),
  }),
  'listed-members': sealing<ListedMemberDocument>({
    kind: 'payments',
    members: ['details'],
    sealedIn: ({ member, details }) => one('details', personOf(member), details),
  }),
  payments: sealing<PaymentDocument>({
    kind: 'payments',
    members: ['memo', 'reason'],
    sealedIn: ({ member, memo, reason }) => [
      ...one('memo', personOf(member), memo),
      ...one('reason', personOf(member), reason),
    ],
  }),
};

/** Hashes of secrets, and addresses of webhooks, of which the origin is shown. */
const hidden: Readonly<Record<string, readonly string[]>> = {
  'api-keys': ['secret_sha256'],
  subscriptions: ['url', 'url_sealed'],
};

/** The value of a member of a document, without what is sealed within a list. */
function withoutSealed({ within }: Partial<Sealing<object>> = {}, name: string, value: unknown): unknown {
  if (within?.list !== name || !Array.isArray(value)) return value;
  return value.map((entry: object) =>
    Object.fromEntries(Object.entries(entry).filter(([each]) => each !== within.name)),
  );
}

/** A document as an answer shows it. */
export interface ShownDocument {
  readonly read_model: string;
  readonly id: string;
  /** Without what is sealed. */
  readonly document: Readonly<Record<string, unknown>>;
  /** What is sealed, by name: opened, or why it is not. */
  readonly personal: Readonly<Record<string, unknown>>;
}

/** Documents with their personal data opened for those who may see it, with one read of the vault. */
export async function shownDocuments(
  personal: PersonalData,
  documents: readonly FoldedDocument[],
  reader: AsOfReader,
): Promise<ShownDocument[]> {
  const sealed = documents.map(({ readModel, document }) => sealings[readModel]?.sealedIn(document) ?? []);
  const values = await personal.openMany(sealed.flat());
  let next = 0;
  return documents.map(({ readModel, id, document }, place) => {
    const found = sealings[readModel];
    const opens = found !== undefined && reader.opens.has(found.kind);
    const left = [...(hidden[readModel] ?? []), ...(found?.members ?? [])];
    return {
      read_model: readModel,
      id,
      document: Object.fromEntries(
        Object.entries(document)
          .filter(([name]) => !left.includes(name))
          .map(([name, value]: [string, unknown]) => [name, withoutSealed(found, name, value)]),
      ),
      personal: Object.fromEntries(
        (sealed[place] ?? []).map(({ name }) => {
          const value = values[next++];
          const unopened: Unopened | undefined =
            value === undefined ? 'erased' : opens ? undefined : 'sealed';
          return [name, unopened ?? { value }];
        }),
      ),
    };
  });
}
