import {
  personalRows,
  resourceFieldRows,
  type ResourceFieldName,
  type ResourceFields,
} from '../../../../events/directory/resource-fields.ts';
import { saidField } from '../record/said-fields.ts';
import { en } from './import-texts.ts';

/** A value of a field in a conflict. Of what is about persons, that it was changed. */
export function valueInWords(field: string, value: unknown): string {
  if (personalRows.some(({ name }) => name === field)) return en.conflicts.personal;
  if (value === undefined) return en.conflicts.nothing;
  // Fields that organizations alone have.
  if (!resourceFieldRows.some(({ name }) => name === field))
    return typeof value === 'string' ? value : JSON.stringify(value);
  return saidField(field as ResourceFieldName, { [field]: value } as unknown as ResourceFields);
}
