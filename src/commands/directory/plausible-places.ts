import type { Location } from '../../events/directory/location.ts';
import { wrongCoordinates } from '../../places/coordinates.ts';
import { CommandRefused } from '../../ground/refusals.ts';

/**
 * Refuses coordinates that are plainly not those of their address: a map would lead people elsewhere. Locations that stay as
 * they were pass, so that whoever corrects a telephone number need not correct a place.
 *
 * @throws CommandRefused invalid
 */
export function requirePlausiblePlaces(
  locations: readonly Location[] = [],
  before: readonly Location[] = [],
): void {
  const known = new Set(before.map((location) => JSON.stringify(location)));
  for (const [n, location] of locations.entries()) {
    const wrong = known.has(JSON.stringify(location)) ? undefined : wrongCoordinates(location);
    if (!wrong) continue;
    const { what, right } = wrong;
    const hint = right ? ` Perhaps they are ${right.latitude}, ${right.longitude}.` : '';
    throw new CommandRefused('invalid', `The coordinates of location ${n + 1} ${what}.${hint}`);
  }
}
