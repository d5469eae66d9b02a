import { z } from 'zod';
import {
  organizationFieldRows,
  organizationFields,
  type OrganizationFields,
  type UnsealedOrganizationFields,
} from '../../events/directory/organization-fields.ts';
import { inTitleCase } from '../../events/directory/shown-name.ts';

/** Fields to replace; null removes an optional field. */
export type OrganizationChange = ChangeOf<UnsealedOrganizationFields>;
/** The same with what is about persons sealed. */
export type SealedOrganizationChange = ChangeOf<OrganizationFields>;

type ChangeOf<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | null | undefined };

/** The schema of `OrganizationChange`. */
export const organizationChange = z.strictObject(
  Object.fromEntries(
    organizationFieldRows.map(({ name, schema, required }) => [
      name,
      required ? schema.optional() : schema.optional().nullable(),
    ]),
  ),
) as unknown as z.ZodObject<{
  [Name in keyof OrganizationChange]-?: z.ZodType<OrganizationChange[Name], OrganizationChange[Name]>;
}>;

/** The fields after a change. A name that is sent back as it was shown, in title case, stays as it is stored. */
export function changedOrganization(
  fields: OrganizationFields,
  change: SealedOrganizationChange,
): OrganizationFields {
  const changed: Record<string, unknown> = { ...fields };
  const shown: Readonly<Record<string, unknown>> = { ...inTitleCase(fields) };
  for (const [field, value] of Object.entries(change)) {
    if (value === undefined || (field in shown && areSame(value, shown[field]))) continue;
    if (value === null) Reflect.deleteProperty(changed, field);
    else changed[field] = value;
  }
  return changed as OrganizationFields;
}

/** Whether fields differ as stored. The schema trims them first. */
export function organizationsDiffer(stored: OrganizationFields, given: OrganizationFields): boolean {
  if (haveSameFields(stored, given)) return false;
  const { success, data } = organizationFields.safeParse(given);
  return !success || !haveSameFields(stored, data);
}

const haveSameFields = (one: OrganizationFields, other: OrganizationFields): boolean =>
  organizationFieldRows.every(({ name }) => areSame(one[name], other[name]));

/** Values of fields are plain JSON whose members have the order of their schema. */
const areSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
