import { defined } from '../../ground/defined.ts';
import type { Location } from './location.ts';
import type { ResourceFields } from './resource-fields.ts';

/** The fields of a resource in version 1 of ResourceSubmitted and ResourceRevised. */
interface FieldsVersion1 extends Pick<
  ResourceFields,
  'name' | 'category' | 'description' | 'url' | 'email' | 'hours' | 'languages' | 'eligibility'
> {
  readonly phone?: string;
  readonly address?: string;
  readonly city?: string;
  readonly region?: string;
}

/** Turns the data of version 1 into that of version 2: the place becomes a location, the number a phone. */
export const fromVersion1 = (data: unknown): unknown => {
  const { fields, ...rest } = data as { readonly fields: FieldsVersion1 };
  return { ...rest, fields: fieldsFromVersion1(fields) };
};

function fieldsFromVersion1({ phone, address, city, region, ...kept }: FieldsVersion1): ResourceFields {
  // The street and the postal code cannot be told apart with certainty, so they stay in one line.
  const place: Location = defined({ street: address, city, region });
  return {
    ...kept,
    ...(Object.keys(place).length === 0 ? {} : { locations: [place] }),
    ...(phone === undefined ? {} : { phones: [{ number: phone }] }),
  };
}
