import { z } from 'zod';

/**
 * Groups of fields for which a team says whose word counts. `texts`: what is written about the service. `other`: the name,
 * kinds of help, and all that is in no other group. Phones and hours of places belong to `places`.
 */
export const fieldGroups = ['hours', 'phones', 'places', 'texts', 'other'] as const;
export const fieldGroup = z.enum(fieldGroups, { message: `must be one of ${fieldGroups.join(', ')}` });
export type FieldGroup = (typeof fieldGroups)[number];
