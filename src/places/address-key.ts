import type { Location } from '../events/directory/location.ts';
import { placeKey } from './place-key.ts';
import { stateCode, territories } from './states.ts';

/** What a location tells of where it is besides its coordinates, in the form in which places are looked up. */
export interface Address {
  /** The abbreviation of a state or territory of the United States. */
  readonly state: string | undefined;
  /** Another country, ISO 3166-1 alpha-2 in lower case. */
  readonly country: string | undefined;
  /** As `codeKey` writes it. Empty where there is none. */
  readonly postalCode: string;
  /** As `placeKey` writes it. Empty where there is none. */
  readonly town: string;
}

type Addressed = Pick<Location, 'city' | 'region' | 'postal_code' | 'country' | 'virtual'>;

/** How many characters of a postal code are kept. With the town and the rest, a key fits into a term of 100. */
const longestCode = 12;

/** A postal code by which it is compared: letters and digits; of codes of the United States, five digits. */
export function codeKey(code: string): string {
  const key = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return /^\d{9}$/.test(key) ? key.slice(0, 5) : key.slice(0, longestCode);
}

/**
 * The address of a location as one key of letters and digits, from the location alone: no gazetteer is asked. Undefined
 * when it has neither a postal code nor a city, and for a virtual location.
 */
export function addressKey(location: Addressed): string | undefined {
  if (location.virtual) return undefined;
  const [area, town] = townOf(location);
  const postalCode = codeKey(location.postal_code ?? '');
  if (postalCode === '' && town === '') return undefined;
  return `${area}${String(postalCode.length).padStart(2, '0')}${postalCode}${town}`;
}

/** The town of a location as one key, in its state or country. Undefined where it tells no city. */
export function townKey(location: Addressed): string | undefined {
  const [area, town] = townOf(location);
  return town === '' ? undefined : `${area}${town}`;
}

/** The town of an address as `townKey` writes it. */
export const townKeyOf = (key: string): string => `${key.slice(0, 3)}${addressOf(key).town}`;

function townOf({ city = '', region, country }: Addressed): readonly [area: string, town: string] {
  // A state that stands with the city: "Miami, FL".
  const [name = '', ...after] = city.split(',');
  return [areaOf(region?.trim() ? region : after.join(' '), country), placeKey(name)];
}

/** Three characters: the state, the country, or that neither is known. */
function areaOf(region: string, country: string | undefined): string {
  const isTerritory = country !== undefined && territories.includes(country);
  if (country !== undefined && country !== 'US' && !isTerritory) return `c${country.toLowerCase()}`;
  const state = isTerritory ? country : stateCode(region);
  if (state !== undefined) return `s${state.toLowerCase()}`;
  // A region that is no state is one of another country, unless the country is told.
  return region.trim() === '' || country === 'US' ? unknownArea : otherArea;
}
const unknownArea = '000';
const otherArea = 'c00';

/** The address of such a key. */
export function addressOf(key: string): Address {
  const [area, length] = [key.slice(0, 3), Number(key.slice(3, 5))];
  return {
    state: area.startsWith('s') ? area.slice(1).toUpperCase() : undefined,
    country: area.startsWith('c') ? area.slice(1) : undefined,
    postalCode: key.slice(5, 5 + length),
    town: key.slice(5 + length),
  };
}

/** Whether the postal code of an address may be one of the United States. */
export const hasAmericanCode = ({ country, postalCode }: Address): boolean =>
  country === undefined && /^\d{5}$/.test(postalCode);
