import type { z } from 'zod';
import { line } from '../define.ts';
import type { Location } from './location.ts';
import { isVoice, type Phone } from './contact.ts';
import type { ImpersonalFields, ResourceFields } from './resource-fields.ts';

/**
 * The main location and the number to call, as members of their own. They are not stored: they are derived from
 * `locations` and `phones` when a resource is shown, and written into these when they are given.
 */
export const flatMembers = {
  phone: {
    schema: line(120).describe('The first voice phone of the main location, else of the service.'),
    of: (fields) => writtenPhone(callablePhone(fields)?.phone),
  },
  address: {
    schema: line(500).describe('Street lines and postal code of the main location, in one line.'),
    of: (fields) => writtenAddress(mainLocation(fields)),
  },
  city: {
    schema: line(120).describe('City or town of the main location.'),
    of: (fields) => mainLocation(fields)?.city,
  },
  region: {
    schema: line(120).describe('State, province or region of the main location.'),
    of: (fields) => mainLocation(fields)?.region,
  },
} as const satisfies Record<
  string,
  { readonly schema: z.ZodType<string>; readonly of: (fields: ImpersonalFields) => string | undefined }
>;

export type FlatMember = keyof typeof flatMembers;
export const flatMemberNames = Object.keys(flatMembers) as FlatMember[];

/** The first location that is not virtual. */
export const mainLocation = ({ locations = [] }: Pick<ResourceFields, 'locations'>): Location | undefined =>
  locations.find(({ virtual }) => virtual !== true);

/** The hours of the service, else those of the main location. */
export const shownHours = (fields: Pick<ResourceFields, 'hours' | 'locations'>): string | undefined =>
  fields.hours ?? mainLocation(fields)?.hours;

/** The phone to call, and where it is stored. */
export function callablePhone(
  fields: Pick<ResourceFields, 'locations' | 'phones'>,
): { readonly phone: Phone; readonly at: 'main location' | 'service' } | undefined {
  const here = mainLocation(fields)?.phones?.find(isVoice);
  if (here) return { phone: here, at: 'main location' };
  const phone = fields.phones?.find(isVoice);
  return phone && { phone, at: 'service' };
}

/** A number with its extension: `305-555-0100 x7`. */
const writtenPhone = (phone: Phone | undefined): string | undefined =>
  phone && (phone.extension === undefined ? phone.number : `${phone.number} x${phone.extension}`);

function writtenAddress({ street, postal_code }: Location = {}): string | undefined {
  const parts = [street, postal_code].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(', ');
}
