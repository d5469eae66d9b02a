import { distanceKm, type Point } from '../ground/earth.ts';
import { hasAmericanCode, type Address } from './address-key.ts';
import { postalCode } from './postal-codes.ts';
import { townsOfKey } from './towns.ts';

/** How an address was found in the gazetteer. */
export interface GazetteerPlace extends Point {
  readonly by: 'postal code' | 'town';
}

/** A town is nearer than this to the middles of its postal codes. */
const sameTownKm = 60;

/**
 * Where an address is by its postal code, else by its town. Where the state of the code is another than that of the
 * address, one of the two is mistyped, and the town of that state decides. Undefined where the gazetteer does not know it.
 */
export function gazetteerPlace(address: Address): GazetteerPlace | undefined {
  const { state, country, town } = address;
  if (country !== undefined) return undefined;
  const code = hasAmericanCode(address) ? postalCode(address.postalCode) : undefined;
  const towns = town === '' ? [] : townsOfKey(town);
  const own = state === undefined ? undefined : towns.find((each) => each.state === state);
  if (code && (state === undefined || code.state === state || !own || distanceKm(code, own) < sameTownKm)) {
    return { by: 'postal code', latitude: code.latitude, longitude: code.longitude };
  }
  const found = own ?? (state === undefined && towns.length === 1 ? towns[0] : undefined);
  return found && { by: 'town', latitude: found.latitude, longitude: found.longitude };
}
