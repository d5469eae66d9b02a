import type { Location } from '../../events/directory/location.ts';
import type { ResourceFields } from '../../events/directory/resource-fields.ts';

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
