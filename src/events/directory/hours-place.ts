import type { Location } from './location.ts';

const members = ['latitude', 'longitude', 'postal_code', 'city', 'region', 'country'] as const;

/** Where the clock hangs by which the hours of a record are. */
export type HoursPlace = Pick<Location, (typeof members)[number]>;

/**
 * The place by whose clock the hours of a record are, in one line: the first location that people can go to and that
 * says where it is, else the first that says so. Undefined where none does. A fact of the record: which zone it is in
 * is not said here, because that depends on tables that change.
 */
export function hoursPlaceOf(locations: readonly Location[] = []): string | undefined {
  const visited = locations.filter(({ virtual }) => virtual !== true);
  for (const each of [...visited, ...locations]) {
    const cells = members.map((member) => cellOf(each[member]));
    // A country alone has no clock.
    if (cells.slice(0, -1).some((cell) => cell !== '')) return cells.join('\t').trimEnd();
  }
  return undefined;
}

/** Coordinates to a hundred metres. */
const cellOf = (value: string | number | undefined): string =>
  typeof value === 'number' ? String(Math.round(value * 1_000) / 1_000) : (value ?? '').replaceAll('\t', ' ');

export function readHoursPlace(written: string): HoursPlace {
  const [latitude = '', longitude = '', postal_code = '', city = '', region = '', country = ''] =
    written.split('\t');
  return {
    ...(latitude === '' ? {} : { latitude: Number(latitude), longitude: Number(longitude) }),
    postal_code,
    city,
    region,
    country,
  };
}
