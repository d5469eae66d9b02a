import type { Location } from '../../events/directory/location.ts';
import {
  confirmationAfter,
  confirmedIn,
  type ConfirmationState,
  type Confirmed,
} from '../../events/directory/upkeep/confirmation.ts';
import type { ProjectedEvent } from '../engine/read-model.ts';
import { flatMemberNames, flatMembers, shownHours } from '../../events/directory/flat-members.ts';
import type { ResourceEvent, ResourceFields } from '../../events/directory/resource.ts';
import { unknownValue } from '../../events/directory/field-table.ts';
import { resourceFieldRows, type ResourceField } from '../../events/directory/resource-fields.ts';
import { shownName, sourceName, withShownNames } from '../../events/directory/shown-name.ts';
import { organizationKey } from '../../events/directory/organization-fields.ts';
import { sealedPeople } from '../../events/directory/people.ts';
import { inLatin1, jsonMembers } from '../engine/record-json.ts';

/** The same object where nothing is confidential. Else without what could lead to a confidential location. */
export function publicFields<Fields extends Pick<ResourceFields, 'locations'>>(fields: Fields): Fields {
  if (!fields.locations?.some(({ confidential }) => confidential)) return fields;
  return { ...fields, locations: fields.locations.map(publicLocation) };
}

/** Name, city, region, country, hours and accessibility of a confidential location are public. */
function publicLocation(location: Location): Location {
  if (!location.confidential) return location;
  const { street: _street, postal_code: _code, latitude: _north, longitude: _east, ...rest } = location;
  const { phones: _phones, transportation: _way, ...open } = rest;
  return open;
}

const rowsOf = {
  developer: resourceFieldRows.filter(({ tier }) => tier === 'developer'),
  team: resourceFieldRows.filter(({ tier, personal }) => tier === 'team' && !personal),
};

/**
 * The members of a record that a tier adds, as they are shown. The flat members belong to the developer tier. What is
 * about persons is not among them: it stays sealed until it is served.
 */
export function shownIn(tier: ResourceField['tier'], fields: ResourceFields): Record<string, unknown> {
  const visible = tier === 'team' ? fields : { ...withShownNames(fields), hours: shownHours(fields) };
  const shown: Record<string, unknown> = {};
  for (const row of rowsOf[tier]) {
    const value = visible[row.name];
    if (value !== undefined) shown[row.name] = value;
    else if (row.always) shown[row.name] = unknownValue(row);
  }
  if (tier === 'developer') {
    for (const member of flatMemberNames) shown[member] = flatMembers[member].of(fields) ?? null;
  }
  return shown;
}

/** What the read model of resources has of the fields of a record, rendered. */
export function rendered(svc_id: string, fields: ResourceFields) {
  const open = publicFields(fields);
  const cardOf = (of: ResourceFields) => jsonMembers({ svc_id, ...shownIn('developer', of) });
  const ofSource = sourceName(fields);
  const stored = storedOtherwise(fields);
  const people = sealedPeople(fields);
  const { organization } = withShownNames(fields);
  return {
    category: fields.category,
    ...(organization ? { organization: organizationKey(organization) } : {}),
    card: cardOf(open),
    details: jsonMembers(shownIn('team', fields)),
    ...(people ? { people: JSON.stringify(people) } : {}),
    ...(open === fields ? {} : { whole: cardOf(fields) }),
    ...(shownName(fields) === ofSource ? {} : { source_name: inLatin1(JSON.stringify(ofSource)) }),
    ...(stored === undefined ? {} : { stored: inLatin1(JSON.stringify(stored)) }),
  };
}

/** The fields that are shown otherwise than they are stored, as they are stored; null where they are absent. */
function storedOtherwise(fields: ResourceFields): Readonly<Record<string, unknown>> | undefined {
  const shown: ResourceFields = { ...withShownNames(fields), hours: shownHours(fields) };
  const others = (Object.keys(shown) as (keyof ResourceFields)[])
    .filter((name) => shown[name] !== fields[name])
    .map((name) => [name, fields[name] ?? null] as const);
  return others.length === 0 ? undefined : Object.fromEntries<unknown>(others);
}

/**
 * A revision has all fields. What was read from a source last is still that, when a person revises it, and what a person has
 * verified is so until its source says another day. A confirmation that has ended has ended.
 */
export const overwritesRevision = (event: ResourceEvent, before: ResourceEvent): boolean =>
  event.type === 'ResourceRevised' &&
  before.type === 'ResourceRevised' &&
  event.data.fields.last_verified === before.data.fields.last_verified &&
  before.data.unconfirmed === undefined &&
  before.data.confirmed === undefined &&
  before.data.source_confirmed === undefined &&
  event.data.from_source === before.data.from_source;

/** Of a record of which nothing is recorded yet: `ConfirmationState` as JSON. */
export const unconfirmed = '{}';

type ConfirmingType = Parameters<typeof confirmationAfter>[1]['type'];
const confirmingTypes: readonly string[] = [
  'ResourceSubmitted',
  'ResourceRevised',
  'ResourceReadFromSource',
  'ResourceApproved',
  'ResourceConfirmed',
] satisfies ConfirmingType[];
const isConfirming = (
  event: ProjectedEvent<ResourceEvent>,
): event is Extract<ProjectedEvent<ResourceEvent>, { type: ConfirmingType }> =>
  confirmingTypes.includes(event.type);

/** What tells when a record was confirmed, after an event, as JSON. Most events leave it as it is. */
export function confirmationThrough(confirmation: string, event: ProjectedEvent<ResourceEvent>): string {
  if (event.type === 'ResourceConfirmationLapsed')
    return JSON.stringify({ ...read(confirmation), lapsedOn: event.data.confirmed.on });
  if (!isConfirming(event)) return confirmation;
  const before = read(confirmation);
  const after = confirmationAfter(before, event, event.metadata.at);
  return JSON.stringify(before.lapsedOn === undefined ? after : { ...after, lapsedOn: before.lapsedOn });
}

/** Whether it was noted of the last confirmation as a whole that it is too long ago. */
export function isStale(confirmation: string): boolean {
  const { lapsedOn } = read(confirmation);
  return lapsedOn !== undefined && confirmedOf({ confirmation })?.on === lapsedOn;
}

/** When a record was confirmed. Undefined: nobody has ever. */
export const confirmedOf = ({ confirmation }: { readonly confirmation: string }): Confirmed | undefined =>
  confirmation === unconfirmed ? undefined : confirmedIn(read(confirmation));

/** The same as the last member of a record, with a comma before it. Empty where nobody has confirmed it. */
export function confirmedMember(confirmation: string): string {
  const confirmed = confirmedOf({ confirmation });
  if (confirmed === undefined) return '';
  const shown = isStale(confirmation) ? { ...confirmed, stale: true } : confirmed;
  return `,"confirmed":${JSON.stringify(shown)}`;
}

/** `lapsedOn`: the date of the confirmation of which was noted that it is too long ago. */
const read = (confirmation: string) =>
  JSON.parse(confirmation) as ConfirmationState & { readonly lapsedOn?: string };
