import type { Location } from '../events/directory/location.ts';
import type { Phone } from '../events/directory/phone.ts';
import type { UnsealedFields } from '../events/directory/resource-fields.ts';
import type { Address, Language, Organization, Phone as PhoneRow, RelatedTables } from './related-tables.ts';
import type { Row } from './source/table.ts';
import { cleanLine, cleanText, compareIds, compareText } from './text.ts';

/** The main location of a service, and its best address. */
export interface MainLocation {
  /** The id of the row that joins service and location. */
  readonly id: string;
  readonly location: string;
  readonly address: Address | undefined;
}

/** The first location by id that has a physical address, else the first with any, else the first. */
export function mainLocation(related: RelatedTables, service: string): MainLocation | undefined {
  const locations = [...(related.locations.get(service) ?? [])]
    .sort((left, right) => compareIds(left.id, right.id) || compareIds(left.location, right.location))
    .map((joined) => ({ ...joined, address: bestAddress(related.addresses.get(joined.location) ?? []) }));
  return (
    locations.find(({ address }) => address?.type === 'physical') ??
    locations.find(({ address }) => address !== undefined) ??
    locations[0]
  );
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

/** The phones in the order in which they are to be called: voice lines first, then by id. Each number once. */
export function phoneList(rows: readonly PhoneRow[]): Phone[] {
  const sorted = [...rows].sort(
    (left, right) =>
      phoneKinds.indexOf(left.type.toLowerCase()) - phoneKinds.indexOf(right.type.toLowerCase()) ||
      compareIds(left.id, right.id) ||
      compareText(left.number, right.number) ||
      compareText(left.extension, right.extension),
  );
  const phones = new Map<string, Phone>();
  for (const phone of sorted.flatMap(phoneOf)) {
    const { number, extension = '' } = phone;
    const written = `${number} x${extension}`;
    if (!phones.has(written)) phones.set(written, phone);
  }
  return [...phones.values()];
}

function phoneOf(row: PhoneRow): Phone[] {
  // Spreadsheets keep a leading plus by wrapping the number in quotation marks.
  const number = cleanLine(row.number).replace(/^["'\s]+|["'\s]+$/g, '');
  const extension = cleanLine(row.extension).replace(/^(?:extension|ext|x)?[.:\s]*/i, '');
  const repeated = number.toLowerCase().endsWith(`x${extension.toLowerCase()}`);
  const type = phoneTypes[row.type.toLowerCase()];
  if (number === '') return [];
  return [{ number, ...(repeated ? {} : known({ extension })), ...(type === undefined ? {} : { type }) }];
}

/** Without empty texts. */
const known = <Part extends Readonly<Record<string, string>>>(part: Part): Partial<Part> =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== '')) as Partial<Part>;

/** The names of languages, each once, in alphabetical order. A language with only a code gets its English name. */
export function languageNames(languages: readonly Language[]): string[] {
  const names = new Map<string, string>();
  const written = languages
    .map(
      ({ name, code }) => cleanLine(name).replace(/^[*•\-\s]+|[.;,\s]+$/g, '') || nameOfCode(cleanLine(code)),
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
export function eligibilityText(row: Row, rules: readonly string[]): string {
  const from = ageOf(row.cell('minimum_age'));
  const to = ageOf(row.cell('maximum_age'));
  const ages = agesText(from, to);
  const texts = [row.cell('eligibility_description'), ...[...rules].sort(compareText)].map(cleanText);
  const text = [...new Set(texts)].filter((one) => one !== '').join('\n');
  if (text === '') return ages;
  const said: readonly string[] = text.match(/\d+/g) ?? [];
  const unsaid = [from, to].some((age) => age !== undefined && !said.includes(String(age)));
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
