import { streamId } from '../../events/define.ts';
import {
  organizationFieldRows,
  organizationFieldsVersion,
  type ImpersonalOrganizationFields,
  uuidOfNamed,
} from '../../events/directory/organization-fields.ts';
import {
  organizationStream,
  type OrganizationEvent,
  type OrganizationFields,
} from '../../events/directory/organization.ts';
import { unknownValue, type Field } from '../../events/directory/field-table.ts';
import { sealedPeople, withoutPerson, type SealedPeople } from '../../events/directory/people.ts';
import { inTitleCase } from '../../events/directory/shown-name.ts';
import { projection, type ProjectedEvent } from '../engine/read-model.ts';
import { publicFields } from './shown-fields.ts';

/** An organization of a directory. */
export interface OrganizationDocument {
  readonly org_id: string;
  readonly team: string;
  readonly status: 'submitted' | 'approved' | 'rejected' | 'inactive';
  /** 1 when public. */
  readonly listed: 0 | 1;
  /** As it is shown. */
  readonly name: string;
  /** The name in small letters without accents. Lists are ordered by it. */
  readonly name_key: string;
  /** By this UUID, HSDS answers called it before it had a record. It stays that of its first name. */
  readonly named_uuid: string;
  /** As they are stored, without what is about persons. */
  readonly fields: ImpersonalOrganizationFields;
  /** What it says about persons, sealed, as JSON: `SealedPeople`. Absent when it says nothing. */
  readonly people?: string;
  readonly source?: { readonly system: string; readonly id: string };
  /** The newest event that changes what its source said last, as of a resource. */
  readonly read_event?: string;
  /** The reviewer's words on the last decision. */
  readonly review_note?: string;
  /** The key that submitted it, where a key did. */
  readonly submitted_by?: string;
  readonly submitted_at: string;
  /** Time of the last event, ISO 8601 UTC. */
  readonly updated_at: string;
}

export const organizations = projection<OrganizationDocument, OrganizationEvent>({
  version: organizationFieldsVersion + 1,
  events: [
    'OrganizationSubmitted',
    'OrganizationApproved',
    'OrganizationRejected',
    'OrganizationRevised',
    'OrganizationPersonErased',
    'OrganizationDeactivated',
    'OrganizationReactivated',
    'OrganizationWithdrawn',
    'OrganizationResubmitted',
    'OrganizationReadFromSource',
  ],
  collection: {
    name: 'organizations',
    fields: [
      'org_id',
      'team',
      'status',
      'listed',
      'name',
      'name_key',
      'named_uuid',
      'submitted_at',
      'updated_at',
    ],
    indexes: [
      ['listed', 'org_id'],
      ['listed', 'name_key', 'org_id'],
      ['named_uuid', 'listed', 'org_id'],
      ['team', 'name_key', 'org_id'],
      ['team', 'status', 'name_key', 'org_id'],
      ['name_key', 'org_id'],
      ['status', 'name_key', 'org_id'],
    ],
  },
  // As with a resource: what was read from a source last is still that, when a person revises it.
  overwrites: (event, before) =>
    event.type === 'OrganizationRevised' &&
    before.type === 'OrganizationRevised' &&
    (event.data.from_source === true || before.data.from_source !== true),
  idOf: (event) => streamId(event, organizationStream),
  fold,
});

function fold(
  doc: OrganizationDocument | undefined,
  event: ProjectedEvent<OrganizationEvent>,
): OrganizationDocument | undefined {
  const { at: updated_at, actor } = event.metadata;
  if (event.type === 'OrganizationSubmitted') {
    const { org_id, team, source, fields } = event.data;
    const stored = storedFields(fields);
    return {
      org_id,
      team,
      status: 'submitted',
      listed: 0,
      ...stored,
      named_uuid: uuidOfNamed({ name: stored.name, url: fields.url }),
      ...(source ? { source, read_event: event.id } : {}),
      ...(actor.kind === 'key' ? { submitted_by: actor.id } : {}),
      submitted_at: updated_at,
      updated_at,
    };
  }
  if (!doc) return undefined;
  const reviewed = (status: OrganizationDocument['status'], note?: string): OrganizationDocument => {
    const { review_note: _, ...rest } = doc;
    const listed = status === 'approved' ? 1 : 0;
    return { ...rest, status, listed, updated_at, ...(note === undefined ? {} : { review_note: note }) };
  };
  switch (event.type) {
    case 'OrganizationApproved':
      return reviewed('approved', event.data.note);
    case 'OrganizationRejected':
      return reviewed('rejected', event.data.reason);
    case 'OrganizationDeactivated':
    case 'OrganizationWithdrawn':
      return reviewed('inactive', event.data.reason);
    case 'OrganizationReactivated':
      return reviewed('approved', event.data.note);
    case 'OrganizationResubmitted':
      return reviewed('submitted');
    case 'OrganizationRevised': {
      const { people: _, ...rest } = doc;
      const read = event.data.from_source ? { read_event: event.id } : {};
      return { ...rest, ...storedFields(event.data.fields), ...read, updated_at };
    }
    case 'OrganizationPersonErased': {
      const { people, ...others } = doc;
      const rest = { ...others, ...(doc.source ? { read_event: event.id } : {}) };
      if (people === undefined) return { ...rest, updated_at };
      const left = withoutPerson(JSON.parse(people) as SealedPeople, event.data.person);
      return { ...rest, people: JSON.stringify(left), updated_at };
    }
    case 'OrganizationReadFromSource':
      return { ...doc, read_event: event.id };
  }
}

function storedFields(all: OrganizationFields) {
  const { contacts: _, ...fields } = all;
  const people = sealedPeople(all);
  const { name } = inTitleCase(all);
  return { name, name_key: plainName(name), fields, ...(people ? { people: JSON.stringify(people) } : {}) };
}

/** A name in small letters without accents, as lists are ordered by it. */
export const plainName = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Whose view of an organization: `stored` is itself; `developer` and `team` are what keys of that kind are shown. */
export type OrganizationView = 'developer' | 'team' | 'stored';

/**
 * The fields as a reader sees them, without what is unknown. What is about persons is not among them: it stays sealed
 * until it is served.
 */
export function organizationFieldsIn(
  { fields }: Pick<OrganizationDocument, 'fields'>,
  view: OrganizationView,
): ImpersonalOrganizationFields {
  if (view === 'stored') return fields;
  const open = publicFields({ ...fields, ...inTitleCase(fields) });
  return view === 'team' ? open : (onlyTier(open, 'developer') as ImpersonalOrganizationFields);
}

const onlyTier = (fields: ImpersonalOrganizationFields, tier: Field['tier']): object =>
  Object.fromEntries(
    organizationFieldRows.flatMap(({ name, tier: of }) =>
      of === tier && name in fields ? [[name, fields[name as keyof ImpersonalOrganizationFields]]] : [],
    ),
  );

/** The same with null or an empty list for those that are always shown. */
export function shownOrganization(
  doc: Pick<OrganizationDocument, 'fields'>,
  view: OrganizationView,
): Record<string, unknown> {
  const fields: Readonly<Record<string, unknown>> = { ...organizationFieldsIn(doc, view) };
  return Object.fromEntries(
    organizationFieldRows.flatMap((row) => {
      if (row.personal || (view === 'developer' && row.tier !== 'developer')) return [];
      const value = fields[row.name];
      if (value !== undefined) return [[row.name, value]];
      return row.always ? [[row.name, unknownValue(row)]] : [];
    }),
  );
}
