import { flatMembers, shownHours } from '../../events/directory/flat-members.ts';
import type { Location } from '../../events/directory/location.ts';
import type { ViewedRecord } from '../../projections/directory/each-record.ts';

/**
 * The places of a record as GeoJSON features (RFC 7946): each location that has coordinates and is not confidential, for
 * whomever it is exported. Maps are passed on.
 */
export const featuresOf = (record: ViewedRecord): object[] =>
  (record.fields.locations ?? []).flatMap((location, index) => featureOf(record, location, index));

function featureOf(
  { svc_id, fields, updated_at }: ViewedRecord,
  location: Location,
  index: number,
): object[] {
  const { latitude, longitude, confidential } = location;
  if (confidential || latitude === undefined || longitude === undefined) return [];
  const { locations: _, ...service } = fields;
  const here = { ...service, locations: [location] };
  const { name, organization, category, categories, url } = fields;
  return [
    {
      type: 'Feature',
      id: `${svc_id}-${index}`,
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: {
        svc_id,
        name,
        organization: organization?.name,
        category,
        categories,
        location: location.name,
        address: flatMembers.address.of(here),
        city: location.city,
        region: location.region,
        phone: flatMembers.phone.of(here),
        hours: location.hours ?? shownHours(fields),
        url,
        updated_at,
      },
    },
  ];
}
