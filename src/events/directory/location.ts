import { z } from 'zod';
import { line, paragraphs } from '../define.ts';
import { openingHours } from './opening-hours.ts';
import { phones } from './contact.ts';

/** Made at the first use: it takes 40 ms, which each thread and each command would spend when it starts. */
let regions: Intl.DisplayNames | undefined;
/** The codes that were asked for. Asking `Intl` takes longer than the rest of the check of a location. */
const countries = new Map<string, boolean>();

function isCountry(code: string): boolean {
  if (!/^[a-z]{2}$/i.test(code)) return false;
  regions ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const isNamed = countries.get(code) ?? regions.of(code.toUpperCase()) !== undefined;
  countries.set(code, isNamed);
  return isNamed;
}

const country = z
  .string()
  .refine(isCountry, { message: 'must be a country code of two letters (ISO 3166-1 alpha-2)' })
  .meta({ title: 'country code, ISO 3166-1 alpha-2' })
  .transform((value) => value.toUpperCase());

const degrees = (limit: number) => {
  const message = `must be between -${limit} and ${limit} degrees`;
  return z.number({ message }).min(-limit, { message }).max(limit, { message });
};

/** A place at which a service is offered, or a way to reach it without a place (`virtual`). */
export const location = z
  .strictObject({
    name: line(300).optional(),
    /** Street lines, in one line. */
    street: line(500).optional(),
    city: line(120).optional(),
    region: line(120).describe('state, province or region').optional(),
    postal_code: line(20).optional(),
    country: country.optional(),
    latitude: degrees(90).describe('WGS 84').optional(),
    longitude: degrees(180).describe('WGS 84').optional(),
    phones: phones.optional(),
    /** Opening hours here, as people write them. */
    hours: paragraphs(2_000).optional(),
    /** Opening hours of the service here, where they are not those of the service as a whole. */
    opening_hours: z.array(openingHours).max(200).optional(),
    accessibility: paragraphs(2_000).optional(),
    /** How to get there. */
    transportation: paragraphs(2_000).optional(),
    virtual: z.literal(true).describe('by phone or online').optional(),
    confidential: z.literal(true).describe('a shelter whose address is not published').optional(),
  })
  .refine((value) => Object.keys(value).length > 0, { message: 'must not be empty' })
  .refine(({ latitude, longitude }) => (latitude === undefined) === (longitude === undefined), {
    message: 'needs latitude and longitude, or neither',
  })
  .refine(({ latitude, longitude }) => latitude !== 0 || longitude !== 0, {
    // Geocoders that find nothing answer with it.
    message: 'has the coordinates 0, 0, which are in the ocean',
  });
export type Location = z.output<typeof location>;

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
