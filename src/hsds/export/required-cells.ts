import { stateCode, territories } from '../../places/states.ts';
import { uuidOf } from '../../events/ids.ts';
import { attributeOf, type Attribute } from './attributes.ts';
import type { HsdsOrganization } from './organization.ts';
import type { ExportedTable } from './tables.ts';

type Cells = Readonly<Record<string, unknown>>;

/** What stands in a column that the tables of HSDS require, where the directory knows nothing. */
const unknownText = 'Not known';

/** In CLDR, the code of no country that is known. */
const noCountry = 'ZZ';

/** The columns of which the tables of HSDS require a text. The JSON schemas take an empty one. */
const required: Partial<Record<ExportedTable, readonly string[]>> = {
  organizations: ['description'],
  addresses: ['address_1', 'city', 'state_province', 'postal_code', 'country'],
};

/** The organization of services of which none is known: a row of `services` has to name one. */
export const unknownOrganization: HsdsOrganization = {
  id: uuidOf('hsds-organization', 'not known'),
  name: unknownText,
  description: 'Of the services that name this organization, none is known. HSDS requires one.',
};

/** A row as the table takes it, and an attribute that names the columns that are filled in, so that nobody reads them as true. */
export function filledIn(
  table: ExportedTable,
  cells: Cells,
): { readonly cells: Cells; readonly attribute?: Attribute } {
  if (table === 'schedules') return { cells: withSeconds(cells) };
  const unknown = required[table]?.filter((column) => (cells[column] ?? '') === '') ?? [];
  if (unknown.length === 0) return { cells };
  const filling = unknown.map((column) => [column, column === 'country' ? countryOf(cells) : unknownText]);
  const id = String(cells['id']);
  return {
    cells: { ...cells, ...(Object.fromEntries(filling) as Cells) },
    attribute: attributeOf('unknown', {
      id: uuidOf('hsds-unknown', id),
      link_id: id,
      link_entity: table === 'addresses' ? 'address' : 'organization',
      value: unknown.join(' '),
    }),
  };
}

/** Where a state tells it, that of the state. */
function countryOf({ state_province: region }: Cells): string {
  const state = stateCode(typeof region === 'string' ? region : '');
  if (state === undefined) return noCountry;
  return territories.includes(state) ? state : 'US';
}

/** Tables have times with seconds, and none of 24 hours. */
function withSeconds(cells: Cells): Cells {
  const { opens_at, closes_at } = cells;
  if (opens_at === undefined && closes_at === undefined) return cells;
  return { ...cells, opens_at: timeOf(opens_at), closes_at: timeOf(closes_at) };
}

const timeOf = (time: unknown): unknown =>
  typeof time === 'string' ? `${time === '24:00' ? '00:00' : time}:00` : time;
