import { invitationOf } from '../commands/teams/invitation-keys.ts';
import { personOfActor, type Metadata } from '../events/metadata.ts';
import {
  agencyContactOf,
  claimOf,
  formOfficeOf,
  formSubmissionOf,
  personOf,
  resourcePersonOf,
  type Holder,
  type PersonalData,
} from '../personal/personal-data.ts';
import type { RecordedEvent } from '../stores/event-store/port.ts';
import type { AsOfReader, PersonalKind, Unopened } from './as-of/reader.ts';

/** A field of an event's data, by its path, such as `fields.contacts.0`. */
export interface DataField {
  readonly name: string;
  /** JSON as it is stored, or as it was before it was sealed. */
  readonly value: unknown;
  /** Of a field that is sealed: whether it was opened, and if not, why. */
  readonly personal?: 'open' | Unopened;
}

interface Sealed {
  readonly kind: PersonalKind;
  readonly holder: Holder;
  readonly sealed: string;
}

type Data = Readonly<Record<string, unknown>>;
type Opened = Pick<RecordedEvent, 'type' | 'stream' | 'data' | 'metadata'>;

/** The fields of events that are sealed, with whose they are. Those within records are told by their form. */
const sealedFields: Readonly<
  Record<
    string,
    Readonly<Record<string, (data: Data, id: string, metadata: unknown) => readonly [PersonalKind, Holder]>>
  >
> = {
  UserRegistered: {
    email_sealed: (_, id) => ['accounts', personOf(id)],
    profile: (_, id) => ['accounts', personOf(id)],
  },
  UserProfileChanged: { profile: (_, id) => ['accounts', personOf(id)] },
  UserEmailChanged: { email_sealed: (_, id) => ['accounts', personOf(id)] },
  PasskeyAdded: { label: (_, id) => ['accounts', personOf(id)] },
  SessionStarted: { device: ({ user }) => ['accounts', personOf(String(user))] },
  UserMailsChosen: { language_sealed: (_, id) => ['accounts', personOf(id)] },
  LegalHoldPlaced: { reason: (_, id) => ['accounts', personOf(id)] },
  MemberInvited: { email_sealed: ({ invitation }) => ['members', invitationOf(String(invitation))] },
  MemberJoined: { person: ({ user }) => ['members', personOf(String(user))] },
  MistakeReported: { said: (_, id) => ['directory', `mistake/${id}`] },
  ChangeSuggested: { suggested: (_, id) => ['directory', `suggestion/${id}`] },
  AgencyContactMailed: { address_sealed: (_, id) => ['directory', agencyContactOf(id)] },
  ClaimBegun: { address_sealed: ({ data_key }) => ['directory', claimOf(String(data_key))] },
  FormSubmitted: { answers_sealed: (_, id) => ['forms', formSubmissionOf(id)] },
  FormOfficeNamed: { address_sealed: ({ office }) => ['forms', formOfficeOf(String(office))] },
  ApiKeyCreated: {
    label_sealed: (_data, _id, metadata) => [
      'members',
      personOf(personOfActor((metadata as Metadata).actor) ?? ''),
    ],
  },
  PaymentReassigned: {
    memo: ({ member }) => ['payments', personOf(String(member))],
    reason: ({ member }) => ['payments', personOf(String(member))],
  },
  ListedMemberAdded: { details: (_, id) => ['payments', personOf(id)] },
  ListedMemberChanged: { details: (_, id) => ['payments', personOf(id)] },
  PaymentRecorded: { memo: ({ member }) => ['payments', personOf(String(member))] },
};

/**
 * Sealed, and opened for nobody here: the address of a webhook, which may hold a secret, the nonce of a site, and why a
 * payment was reversed, as that event does not say whose it is.
 */
const isNeverOpened = (type: string, name: string): boolean =>
  name === 'url_sealed' ||
  (type === 'AuthorizationCodeIssued' && name === 'nonce') ||
  (type === 'PaymentReversed' && name === 'reason');

/** Whose data keys open what an event says. */
export const holdersOf = (event: Opened): Holder[] =>
  Object.hasOwn(sealedFields, event.type) || hasSealedPerson(event.data)
    ? [
        ...new Set(
          fieldsOf(event).flatMap(({ name, sealed }) =>
            sealed && !isNeverOpened(event.type, name) ? sealed.holder : [],
          ),
        ),
      ]
    : [];

/** Most events have none, and who reads a whole log need not take each apart. */
function hasSealedPerson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isSealedPerson(value)) return true;
  for (const name in value) if (hasSealedPerson((value as Data)[name])) return true;
  return false;
}

interface FoundField {
  readonly name: string;
  readonly value: unknown;
  readonly sealed?: Sealed;
}

/** What an event says, field by field. What is sealed is opened for a reader who may see it. */
export async function openedData(
  personal: PersonalData,
  { type, stream, data, metadata }: Opened,
  { opens }: Pick<AsOfReader, 'opens'>,
): Promise<DataField[]> {
  const found = fieldsOf({ type, stream, data, metadata });
  const values = await personal.openMany(found.flatMap(({ sealed }) => sealed ?? []));
  let next = 0;
  return found.map(({ name, value, sealed }): DataField => {
    if (isNeverOpened(type, name)) return { name, value: null, personal: 'sealed' };
    if (!sealed) return { name, value };
    const opened = values[next++];
    if (opened === undefined) return { name, value: null, personal: 'erased' };
    return opens.has(sealed.kind)
      ? { name, value: opened, personal: 'open' }
      : { name, value: null, personal: 'sealed' };
  });
}

function fieldsOf({ type, stream, data, metadata }: Opened): FoundField[] {
  const all = data as Data;
  const sealedMembers = sealedFields[type] ?? {};
  // The id after the name of the kind: those of these kinds are UUIDs.
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(stream)?.[0] ?? '';
  const found: FoundField[] = [];
  const walk = (value: unknown, name: string, topLevel: boolean): void => {
    const own = topLevel && Object.hasOwn(sealedMembers, name) ? sealedMembers[name] : undefined;
    if (own && typeof value === 'string') {
      const [kind, holder] = own(all, id, metadata);
      found.push({ name, value, sealed: { kind, holder, sealed: value } });
    } else if (isSealedPerson(value)) {
      const holder = resourcePersonOf(value.person);
      found.push({ name, value, sealed: { kind: 'directory', holder, sealed: value.sealed } });
    } else if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
      for (const [key, each] of Object.entries(value))
        walk(each, name === '' ? key : `${name}.${key}`, name === '');
    } else if (name !== '') found.push({ name, value });
  };
  walk(all, '', false);
  return found;
}

const isSealedPerson = (value: unknown): value is { readonly person: string; readonly sealed: string } =>
  typeof value === 'object' &&
  value !== null &&
  'person' in value &&
  'sealed' in value &&
  typeof value.person === 'string' &&
  typeof value.sealed === 'string';
