import type { Location } from '../../events/directory/location.ts';
import { flatMemberNames, flatMembers, shownHours } from '../../events/directory/flat-members.ts';
import type { ResourceEvent, ResourceFields } from '../../events/directory/resource.ts';
import { unknownValue } from '../../events/directory/field-table.ts';
import { resourceFieldRows, type ResourceField } from '../../events/directory/resource-fields.ts';
import { withShownNames } from '../../events/directory/shown-name.ts';

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

/** A revision has all fields. What was read from a source last is still that, when a person revises it. */
export const overwritesRevision = (event: ResourceEvent, before: ResourceEvent): boolean =>
  event.type === 'ResourceRevised' &&
  before.type === 'ResourceRevised' &&
  (event.data.from_source === true || before.data.from_source !== true);
