import type { Location } from '../../events/directory/location.ts';
import type { Row } from '../source/related-rows.ts';
import { cleanLine, compareIds, compareText, quoted } from '../text.ts';
import { countryCode } from './countries.ts';
import { withoutBlank } from './without-blank.ts';

/** A row of addresses with the kind that its table or its column says. */
export interface Address {
  readonly row: Row;
  readonly type: 'physical' | 'postal' | 'virtual';
}

export const typeOfAddress = (row: Row): Address['type'] => {
  const type = row.cell('address_type').toLowerCase();
  return type === 'postal' || type === 'virtual' ? type : 'physical';
};

/** The address to go to: a physical one before one for letters, then by id. */
export function bestAddress(addresses: readonly Address[]): Address | undefined {
  return addresses
    .filter(({ type }) => type !== 'virtual')
    .sort(
      (left, right) =>
        compareText(left.type, right.type) ||
        compareIds(left.row.cell('id'), right.row.cell('id')) ||
        compareText(textOf(left.row), textOf(right.row)),
    )[0];
}

const columns = [
  'address_1',
  'address_2',
  'address_3',
  'address_4',
  'city',
  'state_province',
  'region',
  'postal_code',
  'country',
];
const textOf = (row: Row): string => columns.map((column) => row.cell(column)).join('\0');

type Where = Pick<Location, 'street' | 'city' | 'region' | 'postal_code' | 'country'>;

/** What exports write into the column where no town is known: "*Unknown*". */
const isNoTown = /^\W*(?:unknown|none|n\/a|not known)\W*$/i;

/** The parts of an address. A country that is none is left out, with a warning. */
export function placeOf(row: Row, warn: (reason: string) => void): Where {
  const written = cleanLine(row.cell('country'));
  const country = countryCode(written);
  if (written !== '' && country === undefined) warn(`the country ${quoted(written)} is none; left out`);
  return withoutBlank({
    street: columns
      .slice(0, 4)
      .map((column) => cleanLine(row.cell(column)))
      .filter((part) => part !== '')
      .join(', '),
    city: isNoTown.test(row.cell('city')) ? '' : cleanLine(row.cell('city')),
    region: cleanLine(row.cell('state_province') || row.cell('region')),
    postal_code: cleanLine(row.cell('postal_code')),
    country,
  });
}

/** Where an address column says that the address is not published. */
const withheld =
  /\b(confidential|undisclosed|unpublished|not (published|disclosed)|confidencial|no divulgad[ao])\b/i;

/** Whether the source says that where this is must not be told. */
export const isConfidential = (address: Row | undefined, location: Row | undefined): boolean =>
  /^(true|t|yes|y|1)$/i.test(location?.cell('confidential') ?? '') ||
  [
    ...columns.slice(0, 5).map((column) => address?.cell(column)),
    address?.cell('attention'),
    location?.cell('name'),
    location?.cell('alternate_name'),
  ].some((text) => withheld.test(text ?? ''));
