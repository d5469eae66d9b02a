import { resourceFields, type ResourceFields } from '../../events/directory/resource.ts';

/** Fields to replace; null removes an optional field. */
export type ResourceChange = {
  readonly [Field in keyof ResourceFields]?: ResourceFields[Field] | null | undefined;
};

/** The fields after a change. */
export function changedBy(fields: ResourceFields, change: ResourceChange): ResourceFields {
  const changed: Record<string, unknown> = { ...fields };
  for (const [field, value] of Object.entries(change)) {
    if (value === null) Reflect.deleteProperty(changed, field);
    else if (value !== undefined) changed[field] = value;
  }
  return changed as ResourceFields;
}

/** Whether fields differ as stored. The schema trims them first. */
export function differ(stored: ResourceFields, given: ResourceFields): boolean {
  if (areSame(stored, given)) return false;
  const { success, data } = resourceFields.safeParse(given);
  return !success || !areSame(stored, data);
}

function areSame(one: ResourceFields, other: ResourceFields): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof ResourceFields)[];
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
