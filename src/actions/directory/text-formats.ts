import { flatMembers, shownHours } from '../../events/directory/flat-members.ts';
import type { Location } from '../../events/directory/location.ts';
import { csvLine } from '../../ground/csv.ts';
import { serviceOf } from '../../hsds/export/service.ts';
import type { ViewedRecord } from '../../projections/directory/each-record.ts';
import { flatColumns, flatRow } from '../../hsds/export/flat-row.ts';

/** A format that is one text: what comes before the entries, between them and after them. */
export interface TextFormat {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  /** The entries of a record, of which there may be none. */
  readonly entries: (record: ViewedRecord) => readonly string[];
}

const json = (begin: string, end: string, of: (record: ViewedRecord) => readonly object[]): TextFormat => ({
  begin,
  between: ',\n',
  end,
  entries: (record) => of(record).map((entry) => JSON.stringify(entry)),
});

/** `inside`: with the columns that only the operator sees. */
export const textFormats: Readonly<Record<'hsds-json' | 'csv' | 'geojson', (inside: boolean) => TextFormat>> =
  {
    'hsds-json': () => json('[\n', '\n]\n', (record) => [serviceOf(record)]),
    geojson: () => json('{"type":"FeatureCollection","features":[\n', '\n]}\n', featuresOf),
    csv: (inside) => {
      const columns = flatColumns(inside);
      return {
        begin: csvLine(columns),
        between: '',
        end: '',
        entries: (record) => [csvLine(flatRow(record, columns))],
      };
    },
  };

/** The text of these records, in pieces. */
export async function* textOf(
  format: TextFormat,
  records: AsyncIterable<ViewedRecord>,
): AsyncGenerator<string> {
  yield format.begin;
  let first = true;
  for await (const record of records) {
    for (const entry of format.entries(record)) {
      yield first ? entry : format.between + entry;
      first = false;
    }
  }
  yield format.end;
}

/**
 * The places of a record as GeoJSON features (RFC 7946): each location that has coordinates and is not confidential, for
 * whomever it is exported. Maps are passed on.
 */
const featuresOf = (record: ViewedRecord): object[] =>
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
