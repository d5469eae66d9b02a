import { z } from 'zod';
import { declareChecked } from '../checked-values.ts';
import { personalRows, resourceFields, type ResourceFields } from './resource-fields.ts';

const sealedPart = z.object(
  Object.fromEntries(personalRows.map(({ name }) => [name, resourceFields.shape[name]])),
);

/**
 * Fields that `unsealedFields` has checked before what they say about persons was sealed. Checks the sealed part. What
 * is wrong with it, `newEvent` says.
 */
export const checkedBeforeSealing = (fields: ResourceFields): ResourceFields =>
  sealedPart.safeParse(fields).success ? declareChecked(resourceFields, fields) : fields;
