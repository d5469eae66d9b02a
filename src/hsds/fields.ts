import type { Location } from '../events/directory/location.ts';
import type { Phone } from '../events/directory/phone.ts';
import type { UnsealedFields } from '../events/directory/resource-fields.ts';
import type { Organization } from './organizations.ts';
import type { TableName } from './source/layout.ts';
import type { RelatedRows, Row } from './source/related-rows.ts';
import { cleanLine, cleanText, compareIds, compareText } from './text.ts';

/** The main location of a service, and its best address. */
export interface MainLocation {
  /** The id of the row that joins service and location. */
  readonly id: string;
  readonly location: string;
  readonly address: Address | undefined;
}

/** The first location by id that has a physical address, else the first with any, else the first. */
export function mainLocation(related: RelatedRows, service: string): MainLocation | undefined {
  const locations = related
    .rowsOf('servicesAtLocations', 'service_id', service)
    .map((row) => ({ id: row.cell('id'), location: row.cell('location_id') }))
    .sort((left, right) => compareIds(left.id, right.id) || compareIds(left.location, right.location))
    .map((joined) => ({ ...joined, address: bestAddress(addressesOf(related, joined.location)) }));
  return (
    locations.find(({ address }) => address?.type === 'physical') ??
    locations.find(({ address }) => address !== undefined) ??
    locations[0]
  );
}

interface Address {
  readonly id: string;
  readonly type: 'physical' | 'postal';
  readonly lines: readonly string[];
  readonly city: string;
  readonly region: string;
  readonly postalCode: string;
}

function addressesOf(related: RelatedRows, location: string): Address[] {
  const from = (table: TableName, typeOf: (row: Row) => Address['type'] | undefined): Address[] =>
    related.rowsOf(table, 'location_id', location).flatMap((row) => {
      const type = typeOf(row);
      if (type === undefined) return [];
      return {
        id: row.cell('id'),
        type,
        lines: [row.cell('address_1'), row.cell('address_2')],
        city: row.cell('city'),
        region: row.cell('state_province') || row.cell('region'),
        postalCode: row.cell('postal_code'),
      };
    });
  return [
    ...from('physicalAddresses', () => 'physical'),
    ...from('postalAddresses', () => 'postal'),
    ...from('addresses', (row) => {
      const type = row.cell('address_type').toLowerCase();
      return type === 'virtual' ? undefined : type === 'postal' ? 'postal' : 'physical';
    }),
  ];
}

function bestAddress(addresses: readonly Address[]): Address | undefined {
  const [first] = [...addresses].sort(
    (left, right) =>
      compareText(left.type, right.type) ||
      compareIds(left.id, right.id) ||
      compareText(JSON.stringify(left), JSON.stringify(right)),
  );
  return first;
}

/** The location at an address; none when the address says nothing. */
export function locationsOf({ lines, city, region, postalCode }: Address): Location[] {
  const place = known({
    street: lines
      .map(cleanLine)
      .filter((part) => part !== '')
      .join(', '),
    city: cleanLine(city),
    region: cleanLine(region),
    postal_code: cleanLine(postalCode),
  });
  return Object.keys(place).length === 0 ? [] : [place];
}

export const organizationOf = ({ name, url }: Organization): UnsealedFields['organization'] =>
  name === '' ? undefined : { name, ...known({ url }) };

/** Kinds of phone in the order in which a caller prefers them. Kinds that are not listed come first. */
const phoneKinds = ['cell', 'text', 'sms', 'textphone', 'tty', 'tdd'];

const phoneTypes: Readonly<Record<string, Phone['type']>> = {
  text: 'text',
  sms: 'text',
  textphone: 'tty',
  tty: 'tty',
  tdd: 'tty',
};

/** Types of phone that nobody can call to ask for help. */
const notForCalls = /^(fax|pager|video)$/i;

export const isForCalls = (row: Row): boolean =>
  row.cell('number') !== '' && !notForCalls.test(row.cell('type'));

/** The phones in the order in which they are to be called: voice lines first, then by id. Each number once. */
export function phoneList(rows: readonly Row[]): Phone[] {
  const kindOf = (row: Row): number => phoneKinds.indexOf(row.cell('type').toLowerCase());
  const sorted = [...rows].sort(
    (left, right) =>
      kindOf(left) - kindOf(right) ||
      compareIds(left.cell('id'), right.cell('id')) ||
      compareText(left.cell('number'), right.cell('number')) ||
      compareText(left.cell('extension'), right.cell('extension')),
  );
  const phones = new Map<string, Phone>();
  for (const phone of sorted.flatMap(phoneOf)) {
    const { number, extension = '' } = phone;
    const written = `${number} x${extension}`;
    if (!phones.has(written)) phones.set(written, phone);
  }
  return [...phones.values()];
}

function phoneOf(row: Row): Phone[] {
  // Spreadsheets keep a leading plus by wrapping the number in quotation marks.
  const number = cleanLine(row.cell('number')).replace(/^["'\s]+|["'\s]+$/g, '');
  const extension = cleanLine(row.cell('extension')).replace(/^(?:extension|ext|x)?[.:\s]*/i, '');
  const repeated = number.toLowerCase().endsWith(`x${extension.toLowerCase()}`);
  const type = phoneTypes[row.cell('type').toLowerCase()];
  if (number === '') return [];
  return [{ number, ...(repeated ? {} : known({ extension })), ...(type === undefined ? {} : { type }) }];
}

/** Without empty texts. */
const known = <Part extends Readonly<Record<string, string>>>(part: Part): Partial<Part> =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== '')) as Partial<Part>;

/** The names of languages, each once, in alphabetical order. A language with only a code gets its English name. */
export function languageNames(rows: readonly Row[]): string[] {
  const names = new Map<string, string>();
  const written = rows
    .map(
      (row) =>
        cleanLine(row.cell('name') || row.cell('language')).replace(/^[*•\-\s]+|[.;,\s]+$/g, '') ||
        nameOfCode(cleanLine(row.cell('code'))),
    )
    .filter((name) => name !== '')
    .sort(compareText);
  for (const name of written) if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  return [...names.values()];
}

const englishNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

function nameOfCode(code: string): string {
  try {
    return code === '' ? '' : (englishNames.of(code) ?? code);
  } catch {
    // Not a language tag. The code is shown as in the source.
    return code;
  }
}

/** Who may use the service: the description, the rows of eligibility.csv, and the ages when no text names them. */
export function eligibilityText(row: Row, rules: readonly Row[]): string {
  const from = ageOf(row.cell('minimum_age'));
  const to = ageOf(row.cell('maximum_age'));
  const ages = agesText(from, to);
  const said = rules.map((rule) => rule.cell('eligibility')).sort(compareText);
  const texts = [row.cell('eligibility_description'), ...said].map(cleanText);
  const text = [...new Set(texts)].filter((one) => one !== '').join('\n');
  if (text === '') return ages;
  const numbers: readonly string[] = text.match(/\d+/g) ?? [];
  const unsaid = [from, to].some((age) => age !== undefined && !numbers.includes(String(age)));
  return unsaid ? `${text} (${ages})` : text;
}

function agesText(from: number | undefined, to: number | undefined): string {
  if (from !== undefined && to !== undefined) return from === to ? `Age ${from}` : `Ages ${from}–${to}`;
  if (from !== undefined) return `Ages ${from} and over`;
  return to === undefined ? '' : `Ages up to ${to}`;
}

const ageOf = (written: string): number | undefined =>
  /^\d{1,3}(\.\d+)?$/.test(written) ? Number(written) : undefined;

/** The ages in years; undefined when the row names none. */
export function agesOf(row: Row): UnsealedFields['ages'] {
  const minimum = ageOf(row.cell('minimum_age'));
  const maximum = ageOf(row.cell('maximum_age'));
  if (minimum === undefined && maximum === undefined) return undefined;
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
}

/** The date of a date or of a time in ISO 8601. */
export const dateOf = (written: string): string =>
  /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(written.trim())?.[0] ?? '';
