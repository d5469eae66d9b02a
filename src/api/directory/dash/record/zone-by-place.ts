import { hoursPlaceOf } from '../../../../events/directory/location.ts';
import type { Location } from '../../../../events/directory/location.ts';
import { defined } from '../../../../ground/defined.ts';
import { hoursZone } from '../../../../places/hours-zone.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { CurrentZones } from '../../default-zones.ts';
import { en } from '../texts.ts';

const texts = en.form.zone;

/** The zones that can be chosen. A record may have one by an older name. */
export function zoneNames(own: string): string[] {
  const names = Intl.supportedValuesOf('timeZone');
  return own === '' || names.includes(own) ? names : [own, ...names];
}

const noDefaults = { teams: new Map<string, string>(), installation: undefined };

/** The zone of the hours of a record that tells none, and from what it follows, in a sentence. */
export async function zoneByPlace(
  dependencies: PageDependencies,
  team: string,
  locations: readonly Location[],
): Promise<string> {
  const place = hoursPlaceOf(locations);
  const zone = hoursZone({ team, ...defined({ place }) }, await new CurrentZones(dependencies).now());
  if (zone === undefined) return texts.unknown;
  const ways = [
    ['coordinates', ({ latitude, longitude }: Location) => defined({ latitude, longitude })],
    ['postalCode', ({ postal_code, country }: Location) => defined({ postal_code, country })],
    ['town', ({ city, region, country }: Location) => defined({ city, region, country })],
  ] as const;
  const way = ways.find(([, part]) => {
    const narrowed = hoursPlaceOf(locations.map((each) => ({ ...part(each), ...virtualOf(each) })));
    return narrowed !== undefined && hoursZone({ place: narrowed }, noDefaults) === zone;
  });
  return way ? texts[way[0]](zone) : texts.byDefault(zone);
}

const virtualOf = ({ virtual }: Location) => defined({ virtual });
