import type { Location } from '../../events/directory/location.ts';
import type { Attributes } from './attributes.ts';
import { entityId } from './ids.ts';
import { withoutEmpty } from './without-empty.ts';
import { phonesOf } from './phones.ts';
import { hoursMark, schedulesOf } from './schedules.ts';

/** The service at each of its locations. Phones and hours are those of the service there. */
export function serviceAtLocations(
  svcId: string,
  service_id: string,
  locations: readonly Location[] | undefined,
  attributes: Attributes,
) {
  return (locations ?? []).map((location, index) => {
    const id = entityId(svcId, 'service_at_location', index);
    const location_id = entityId(svcId, 'location', index);
    const owner = { service_at_location_id: id };
    return withoutEmpty({
      id,
      service_id,
      location_id,
      phones: phonesOf(svcId, owner, index + 1, location.phones, attributes),
      schedules: schedulesOf(svcId, owner, index + 1, location.hours, location.opening_hours),
      location: locationOf(svcId, location_id, index, location, attributes),
    });
  });
}
export type ServiceAtLocation = ReturnType<typeof serviceAtLocations>[number];

export function locationOf(
  svcId: string,
  id: string,
  index: number,
  location: Location,
  attributes: Attributes,
) {
  const { name, latitude, longitude, transportation, accessibility, confidential } = location;
  return withoutEmpty({
    id,
    location_type: location.virtual ? 'virtual' : 'physical',
    name,
    latitude,
    longitude,
    transportation,
    addresses: addressesOf(svcId, id, index, location),
    accessibility:
      accessibility === undefined
        ? undefined
        : [{ id: entityId(svcId, 'accessibility', index), location_id: id, description: accessibility }],
    attributes: attributes.present('location', id, {
      confidential: confidential && 'true',
      opening_hours: hoursMark(location),
    }),
  });
}

/** HSDS requires every part of an address. What is not known is an empty text. */
function addressesOf(svcId: string, location_id: string, index: number, location: Location) {
  const { street, city, region, postal_code, country } = location;
  if ([street, city, region, postal_code, country].every((part) => part === undefined)) return undefined;
  return [
    {
      id: entityId(svcId, 'address', index),
      location_id,
      address_1: street ?? '',
      city: city ?? '',
      state_province: region ?? '',
      postal_code: postal_code ?? '',
      country: country ?? '',
      address_type: location.virtual ? 'virtual' : 'physical',
    },
  ];
}
