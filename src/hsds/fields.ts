import type { Address, Language, Phone, RelatedTables } from './related-tables.ts';
import type { Row } from './table.ts';
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

/** Street lines and postal code in one line. City and region are fields of their own. */
export const addressText = ({ lines, postalCode }: Address): string =>
  [...lines, postalCode]
    .map(cleanLine)
    .filter((part) => part !== '')
    .join(', ');

/** Kinds of phone in the order in which a caller prefers them. Kinds that are not listed come first. */
const phoneKinds = ['cell', 'text', 'sms', 'textphone', 'tty', 'tdd'];

/** The number to call, with its extension: voice lines first, then by id. */
export function phoneText(phones: readonly Phone[]): string {
  const [first] = [...phones].sort(
    (left, right) =>
      phoneKinds.indexOf(left.type.toLowerCase()) - phoneKinds.indexOf(right.type.toLowerCase()) ||
      compareIds(left.id, right.id) ||
      compareText(left.number, right.number) ||
      compareText(left.extension, right.extension),
  );
  if (!first) return '';
  // Spreadsheets keep a leading plus by wrapping the number in quotation marks.
  const number = cleanLine(first.number).replace(/^["'\s]+|["'\s]+$/g, '');
  const extension = cleanLine(first.extension).replace(/^(?:extension|ext|x)?[.:\s]*/i, '');
  return extension === '' || number.toLowerCase().endsWith(`x${extension.toLowerCase()}`)
    ? number
    : `${number} x${extension}`;
}

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
