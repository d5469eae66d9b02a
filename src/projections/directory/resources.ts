import { numberIn } from '../../events/ids.ts';
import {
  resourceStream,
  type ResourceEvent,
  type ResourceFields,
  type ResourceSource,
} from '../../events/directory/resource.ts';
import { resourceFieldsVersion } from '../../events/directory/resource-fields.ts';
import { withoutPerson, type SealedPeople } from '../../events/directory/people.ts';
import { streamId } from '../../events/define.ts';
import { projection, type ProjectedEvent } from '../engine/read-model.ts';
import { placeOf } from '../engine/place-of.ts';
import { checksumOf, inLatin1 } from '../engine/record-json.ts';
import {
  confirmationThrough,
  confirmedMember,
  overwritesRevision,
  rendered,
  shownIn,
  unconfirmed,
} from './shown-fields.ts';

/**
 * Over 300 lines: the document and what each event makes of it are read beside each other.
 *
 * A resource as the read API serves it. The parts of a list entry are rendered once, when the resource changes, and a
 * page is joined from them: reads are far more frequent than writes.
 */
export interface ResourceDocument {
  readonly svc_id: string;
  /** The integer id. Lists are ordered by it. */
  readonly number: number;
  readonly team: string;
  readonly status: 'submitted' | 'approved' | 'rejected' | 'inactive';
  /** 1 when public. */
  readonly listed: 0 | 1;
  readonly category: string;
  /** By which the services of its organization are found: see `organizationKey`. Absent where it names none. */
  readonly organization?: string;
  /** Time of the last event, ISO 8601 UTC. */
  readonly updated_at: string;
  /** The developer tier as JSON members, without braces and without updated_at. */
  readonly card: string;
  /** What tells when it was confirmed, as JSON: `ConfirmationState`. The end of `card` shows it. */
  readonly confirmation: string;
  /** Of the whole record in the developer tier: pages are joined without parsing them. See `checksumOf`. */
  readonly checksum: number;
  /** What the team tier adds, in the same form. */
  readonly details: string;
  /** What the record says about persons, sealed, as JSON: `SealedPeople`. Absent when it says nothing. */
  readonly people?: string;
  /** The name as its source writes it, as JSON, where it is shown otherwise: see `legacyTier`. */
  readonly source_name?: string;
  /** `card` with what is confidential in it, where something is: for those who manage the directory. */
  readonly whole?: string;
  /** As JSON: the fields that are shown otherwise than they are stored; see `fieldsIn`. For exports. */
  readonly stored?: string;
  readonly submitted_at: string;
  readonly source?: ResourceSource;
  /** The source that it is of: see `sourceKey`. */
  readonly source_key?: string;
  /**
   * The newest event that changes what its source said last: with an erasure that is another thing. See
   * `imports/source-digests.ts`. Absent of a record of no source.
   */
  readonly read_event?: string;
  /** The reviewer's words on the last decision. */
  readonly review_note?: string;
  /** The key that submitted it, where a key did. */
  readonly submitted_by?: string;
  /** The place of the event that last changed what the public sees of it. Absent while it was never public. */
  readonly changed_place?: string;
  /** The record that has its place: it was a duplicate of that one. */
  readonly merged_into?: string;
  /** When it was last noticed that its confirmation is too long ago. It is no change: `updated_at` stays. */
  readonly stale_at?: string;
  /** When it was removed from public view. Absent while it is public, and where it never was. */
  readonly removed_at?: string;
}

export const resources = projection<ResourceDocument, ResourceEvent>({
  version: resourceFieldsVersion + 9,
  events: [
    'ResourceSubmitted',
    'ResourceApproved',
    'ResourceRejected',
    'ResourceRevised',
    'ResourcePersonErased',
    'ResourceDeactivated',
    'ResourceReactivated',
    'ResourceWithdrawn',
    'ResourceResubmitted',
    'ResourceReadFromSource',
    'ResourceConfirmed',
    'ResourceConfirmationLapsed',
    'ResourceMerged',
    'ResourceUnmerged',
    'ResourceAbsorbed',
    'ResourceReleased',
  ],
  collection: {
    name: 'resources',
    fields: [
      'number',
      'team',
      'status',
      'listed',
      'category',
      'organization',
      'updated_at',
      'card',
      'checksum',
      'details',
      'people',
      'source_name',
      'changed_place',
      'removed_at',
      'stale_at',
      'source_key',
      'merged_into',
    ],
    indexes: [
      ['listed', 'number'],
      ['listed', 'category', 'number'],
      ['listed', 'updated_at', 'number'],
      ['listed', 'category', 'updated_at', 'number'],
      ['organization', 'number'],
      ['listed', 'organization', 'number'],
      ['team', 'number'],
      ['team', 'status', 'number'],
      ['status', 'number'],
      ['changed_place'],
      ['source_key', 'number'],
      ['team', 'merged_into', 'number'],
    ],
    cluster: { field: 'number', fromId: numberIn },
  },
  overwrites: overwritesRevision,
  idOf: (event) => streamId(event, resourceStream),
  fold(doc, event) {
    // Nobody sees what the source has said, but for what it has confirmed, or what was merged into it.
    if (event.type === 'ResourceReadFromSource') {
      if (!doc) return undefined;
      const read = { ...doc, ...withConfirmation(doc, { ...doc, read_event: event.id }, event) };
      return read.card === doc.card ? read : withPublicChange(doc, withChecksum(read), event);
    }
    if (event.type === 'ResourceAbsorbed' || event.type === 'ResourceReleased') return doc;
    const after = folded(doc, event);
    return after && withPublicChange(doc, withChecksum(withConfirmation(doc, after, event)), event);
  },
});

/** By what the records of a source are found. `system`: the id of the source. */
export const sourceKey = (team: string, system: string): string => `${team}/${system}`;

/** The developer tier: what every key sees (interface 2.1), as one JSON object. */
export const developerTier = (doc: Pick<ResourceDocument, 'card' | 'updated_at'>): string =>
  `{${doc.card},"updated_at":"${doc.updated_at}"}`;

/**
 * The developer tier with the name as its source writes it. The legacy endpoint shows names in capitals as it always
 * has, because its old fields do not change.
 */
export function legacyTier(doc: Pick<ResourceDocument, 'card' | 'updated_at' | 'source_name'>): string {
  const shown = developerTier(doc);
  const { source_name } = doc;
  return source_name === undefined ? shown : shown.replace(firstName, () => `"name":${source_name}`);
}

/** `name` is the first member after `svc_id`. */
const firstName = /"name":"(?:[^"\\]|\\.)*"/;

/**
 * The team tier: the developer tier, and what concerns those who help others to the resource. `people`: what the record
 * says about persons, opened, as JSON members.
 */
export const teamTier = (
  doc: Pick<ResourceDocument, 'card' | 'details' | 'updated_at'>,
  people: string | undefined,
): string =>
  `{${doc.card},"updated_at":"${doc.updated_at}",${doc.details}${people === undefined ? '' : `,${people}`}}`;

/** The team tier with the confidential locations as they are. Only for those who manage the directory. */
export const wholeTier = (doc: ResourceDocument, people: string | undefined): string =>
  teamTier({ ...doc, card: doc.whole ?? doc.card }, people);

/** The whole record as the management of its directory sees it, without updated_at and what is about persons. */
export const wholeRecord = (svc_id: string, fields: ResourceFields) => ({
  svc_id,
  ...shownIn('developer', fields),
  ...shownIn('team', fields),
});

type Unchecked = Omit<ResourceDocument, 'checksum'>;
type Unconfirmed = Omit<Unchecked, 'confirmation'>;

const withChecksum = (doc: Unchecked): ResourceDocument => ({
  ...doc,
  checksum: checksumOf(developerTier(doc)),
});

function folded(
  doc: ResourceDocument | undefined,
  event: Exclude<
    ProjectedEvent<ResourceEvent>,
    { type: 'ResourceReadFromSource' | 'ResourceAbsorbed' | 'ResourceReleased' }
  >,
): Unconfirmed | undefined {
  const updated_at = event.metadata.at;
  if (event.type === 'ResourceSubmitted') {
    const { svc_id, id, team, fields, source } = event.data;
    const { actor } = event.metadata;
    return {
      svc_id,
      number: id,
      team,
      status: 'submitted',
      listed: 0,
      updated_at,
      ...withOrigin(rendered(svc_id, fields), source),
      submitted_at: updated_at,
      ...(source ? { source, source_key: sourceKey(team, source.system), read_event: event.id } : {}),
      ...(actor.kind === 'key' ? { submitted_by: actor.id } : {}),
    };
  }
  if (!doc) return undefined;
  switch (event.type) {
    case 'ResourceApproved':
      return reviewed({ ...doc, status: 'approved', listed: 1, updated_at }, event.data.note);
    case 'ResourceRejected':
      return reviewed({ ...doc, status: 'rejected', listed: 0, updated_at }, event.data.reason);
    case 'ResourceRevised':
      return {
        ...revised(doc, event.data.fields),
        ...(event.data.from_source ? { read_event: event.id } : {}),
        updated_at,
      };
    case 'ResourcePersonErased':
      return {
        ...withoutErased(doc, event.data.person),
        ...(doc.source ? { read_event: event.id } : {}),
        updated_at,
      };
    case 'ResourceConfirmed':
      return { ...doc, updated_at };
    case 'ResourceConfirmationLapsed':
      return { ...doc, stale_at: updated_at };
    case 'ResourceResubmitted':
      return reviewed({ ...doc, status: 'submitted', updated_at }, undefined);
    case 'ResourceWithdrawn':
    case 'ResourceDeactivated':
      return reviewed({ ...doc, status: 'inactive', listed: 0, updated_at }, event.data.reason);
    case 'ResourceReactivated':
      return reviewed({ ...doc, status: 'approved', listed: 1, updated_at }, event.data.note);
    case 'ResourceMerged':
      return { ...doc, status: 'inactive', listed: 0, merged_into: event.data.merged_into, updated_at };
    case 'ResourceUnmerged': {
      const { merged_into: _, ...own } = doc;
      const { status } = event.data;
      return { ...own, status, listed: status === 'approved' ? 1 : 0, updated_at };
    }
  }
}

/** A record that was written in another directory says so to whoever follows this one. */
function withOrigin(
  { card, whole, ...rest }: ReturnType<typeof rendered>,
  source: ResourceSource | undefined,
): ReturnType<typeof rendered> {
  const origin = source?.origin ? `,"origin":${inLatin1(JSON.stringify(source.origin))}` : '';
  return { ...rest, card: card + origin, ...(whole === undefined ? {} : { whole: whole + origin }) };
}

/** The cards end with when the record was confirmed. What is rendered anew has no such end yet. */
function withConfirmation(
  before: ResourceDocument | undefined,
  after: Unconfirmed,
  event: ProjectedEvent<ResourceEvent>,
): Unchecked {
  const state = before?.confirmation ?? unconfirmed;
  const confirmation = confirmationThrough(state, event);
  const isRendered = event.type === 'ResourceSubmitted' || event.type === 'ResourceRevised';
  const [old, end] = [isRendered ? '' : confirmedMember(state), confirmedMember(confirmation)];
  if (old === end) return { ...after, confirmation };
  const ended = (card: string): string => card.slice(0, card.length - old.length) + end;
  const { card, whole } = after;
  const inside = whole === undefined ? {} : { whole: ended(whole) };
  return { ...after, ...inside, confirmation, card: ended(card) };
}

/** The place moves with what the public sees, and stays with what it does not, such as a revised draft. */
function withPublicChange(
  before: ResourceDocument | undefined,
  after: ResourceDocument,
  { position, metadata }: ProjectedEvent<ResourceEvent>,
): ResourceDocument {
  if (before?.listed !== 1 && after.listed !== 1) return after;
  const { removed_at: _, ...rest } = after;
  const changed = { ...rest, changed_place: placeOf(position) };
  return after.listed === 1 ? changed : { ...changed, removed_at: metadata.at };
}

function revised(
  {
    whole: _,
    source_name: _name,
    stored: _stored,
    people: _people,
    organization: _organization,
    ...doc
  }: ResourceDocument,
  fields: ResourceFields,
): ResourceDocument {
  return { ...doc, ...withOrigin(rendered(doc.svc_id, fields), doc.source) };
}

function withoutErased(doc: ResourceDocument, person: string): ResourceDocument {
  if (doc.people === undefined) return doc;
  return { ...doc, people: JSON.stringify(withoutPerson(JSON.parse(doc.people) as SealedPeople, person)) };
}

function reviewed({ review_note: _, ...doc }: ResourceDocument, note: string | undefined): ResourceDocument {
  return note === undefined ? doc : { ...doc, review_note: note };
}
