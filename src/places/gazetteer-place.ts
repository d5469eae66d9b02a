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
 * The place of an address by its postal code, else by its town and state. When the postal code belongs to another state
 * than the address names, one of the two is mistyped, and the town in the named state decides. Undefined when the gazetteer
 * does not know the address, and for a town without a state, because many towns share a name.
 */
export function gazetteerPlace(address: Address): GazetteerPlace | undefined {
  const { state, country, town } = address;
  if (country !== undefined) return undefined;
  const code = hasAmericanCode(address) ? postalCode(address.postalCode) : undefined;
  const own =
    state === undefined || town === '' ? undefined : townsOfKey(town).find((each) => each.state === state);
  if (code && (state === undefined || code.state === state || !own || distanceKm(code, own) < sameTownKm)) {
    return { by: 'postal code', latitude: code.latitude, longitude: code.longitude };
  }
  return own && { by: 'town', latitude: own.latitude, longitude: own.longitude };
}
