import { withoutFormula } from '../../ground/csv.ts';
import { flatMemberNames, flatMembers, shownHours } from '../../events/directory/flat-members.ts';
import type { Contact, Phone } from '../../events/directory/contact.ts';
import type { Location } from '../../events/directory/location.ts';
import type { OpeningHours } from '../../events/directory/opening-hours.ts';
import { resourceFieldRows, type UnsealedFields } from '../../events/directory/resource-fields.ts';
import type { Confirmed } from '../../events/directory/upkeep/confirmation.ts';
import { assuredDate } from './assured-date.ts';
import { writeHours } from '../hours/write.ts';

/** A record as the reader of the spreadsheet sees it. */
export interface FlatRecord {
  readonly svc_id: string;
  readonly fields: UnsealedFields;
  /** When it was confirmed last. Absent: nobody has. */
  readonly confirmed?: Confirmed | undefined;
  readonly updated_at: string;
  /** What only the operator sees. */
  readonly inside?: object;
}

/** The columns of a spreadsheet with a row for each service. `inside`: with those that only the operator sees. */
export const flatColumns = (inside: boolean): readonly string[] => [
  'svc_id',
  ...resourceFieldRows.filter(({ tier }) => inside || tier === 'developer').map(({ name }) => name),
  ...flatMemberNames,
  'updated_at',
  ...(inside ? ['status', 'team', 'source_id'] : []),
];

/** The cells of a record, safe to open in a spreadsheet. */
export function flatRow(
  { svc_id, fields, confirmed, updated_at, inside }: FlatRecord,
  columns: readonly string[],
): string[] {
  const flat = Object.fromEntries(flatMemberNames.map((name) => [name, flatMembers[name].of(fields)]));
  const cells: Readonly<Record<string, unknown>> = {
    svc_id,
    ...fields,
    ...written(fields),
    ...flat,
    last_verified: assuredDate(fields, confirmed),
    updated_at,
    ...inside,
  };
  return columns.map((column) => withoutFormula(textOf(cells[column])));
}

/** Fields that people read more easily in another form than as JSON. */
const written = ({ organization, opening_hours, phones, locations, ...fields }: UnsealedFields) => ({
  organization: organization?.name,
  hours: shownHours({ ...fields, ...(locations ? { locations } : {}) }),
  opening_hours: opening_hours && writtenHours(opening_hours),
  phones: phones?.map(writtenPhone),
  locations: locations?.map(writtenLocation),
  contacts: fields.contacts?.map(writtenContact),
});

const writtenHours = (rows: readonly OpeningHours[]): string => writeHours(rows);

const writtenPhone = ({ number, extension, type, note }: Phone): string =>
  [extension === undefined ? number : `${number} x${extension}`, type && `(${type})`, note]
    .filter((part) => part !== undefined)
    .join(' ');

const writtenContact = ({ name, title, department, email, phones = [] }: Contact): string =>
  [name, title, department, email, ...phones.map(writtenPhone)]
    .filter((part) => part !== undefined)
    .join(', ');

function writtenLocation({ name, street, city, region, postal_code, country, ...rest }: Location): string {
  const place = [name, street, city, region, postal_code, country].filter((part) => part !== undefined);
  const at = rest.latitude === undefined ? [] : [`(${rest.latitude}, ${String(rest.longitude)})`];
  return [place.join(', '), ...at].join(' ').trim();
}

/** Lists with a line for each entry. */
const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(textOf).join('\n') : JSON.stringify(value);
};
