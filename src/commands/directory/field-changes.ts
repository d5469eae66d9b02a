import { z } from 'zod';
import type { Location } from '../../events/directory/location.ts';
import { wrongCoordinates } from '../../places/coordinates.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import {
  flatMemberNames,
  flatMembers,
  shownHours,
  type FlatMember,
} from '../../events/directory/flat-members.ts';
import {
  resourceFieldRows,
  resourceFields,
  unsealedFields,
  type ResourceFields,
  type UnsealedFields,
} from '../../events/directory/resource-fields.ts';
import { sourceName, withShownNames } from '../../events/directory/shown-name.ts';
import { refuseMixed, withFlatChange, type FlatChange } from './flat-changes.ts';

/** Fields of a new resource. The main location and the phone to call may be given as flat members. */
export type ResourceInput = UnsealedFields & FlatInput;
type FlatInput = { readonly [Member in FlatMember]?: string | undefined };
/** The same with what is about persons sealed. */
export type SealedInput = ResourceFields & FlatInput;

/** A schema of an object that takes what it returns. */
type SchemaOf<Fields> = z.ZodObject<{
  [Name in keyof Fields]-?: undefined extends Fields[Name]
    ? z.ZodOptional<z.ZodType<Exclude<Fields[Name], undefined>, Exclude<Fields[Name], undefined>>>
    : z.ZodType<Fields[Name], Fields[Name]>;
}>;

/** The schema of `ResourceInput`. */
export const resourceInput = unsealedFields.safeExtend(
  Object.fromEntries(flatMemberNames.map((name) => [name, flatMembers[name].schema.optional()])),
) as unknown as SchemaOf<ResourceInput>;

/** Fields to replace; null removes an optional field. */
export type ResourceChange = ChangeOf<UnsealedFields>;

/** The schema of `ResourceChange`. */
export const resourceChange = z.strictObject({
  ...Object.fromEntries(
    resourceFieldRows.map(({ name, schema, required }) => [
      name,
      required ? schema.optional() : schema.optional().nullable(),
    ]),
  ),
  ...Object.fromEntries(
    flatMemberNames.map((name) => [name, flatMembers[name].schema.optional().nullable()]),
  ),
}) as unknown as SchemaOf<ResourceChange>;

/** The same with what is about persons sealed. */
export type SealedChange = ChangeOf<ResourceFields>;

type ChangeOf<Fields> = {
  readonly [Field in keyof Fields]?: Fields[Field] | null | undefined;
} & FlatChange;

/** The fields of a new resource. @throws CommandRefused mixed_fields */
export const fieldsOf = ({ name, category, ...input }: SealedInput): ResourceFields =>
  changedBy({ name, category }, input);

/** The fields after a change. @throws CommandRefused mixed_fields */
export function changedBy(fields: ResourceFields, change: SealedChange): ResourceFields {
  refuseMixed(change);
  const changed: Record<string, unknown> = { ...fields };
  for (const [field, value] of Object.entries(change)) {
    if (isFlat(field) || isAsShown(field, value, fields)) continue;
    if (value === null) Reflect.deleteProperty(changed, field);
    else if (value !== undefined) changed[field] = value;
  }
  return withOwnCategories(withFlatChange(changed as ResourceFields, change));
}

/** Whether fields differ as stored. The schema trims them first. */
export function differ(stored: ResourceFields, input: ResourceFields): boolean {
  if (areSame(stored, input)) return false;
  const { success, data } = resourceFields.safeParse(input);
  return !success || !areSame(stored, data);
}

/**
 * Whether a member that is shown otherwise than it is stored is sent back as it was shown: a name in title case or with
 * the organization's, or the hours of the main location. It stays as it is stored.
 */
function isAsShown(field: string, value: unknown, fields: ResourceFields): boolean {
  if (field === 'hours') return value === shownHours(fields);
  if (field === 'name' && value === sourceName(fields)) return true;
  const shown = field in fields ? withShownNames(fields)[field as keyof ResourceFields] : undefined;
  return shown !== undefined && JSON.stringify(shown) === JSON.stringify(value);
}

const isFlat = (name: string): boolean => (flatMemberNames as readonly string[]).includes(name);

/** A category that becomes the first one is no further one any more. */
function withOwnCategories(fields: ResourceFields): ResourceFields {
  const { categories, ...rest } = fields;
  const further = categories?.filter((each) => each !== fields.category);
  return further === undefined || further.length === categories?.length
    ? fields
    : further.length === 0
      ? rest
      : { ...rest, categories: further };
}

function areSame(one: ResourceFields, other: ResourceFields): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof ResourceFields)[];
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

/**
 * Refuses coordinates that are plainly not those of their address: a map would lead people elsewhere. Locations that stay as
 * they were pass, so that whoever corrects a telephone number need not correct a place.
 *
 * @throws CommandRefused invalid
 */
export function requirePlausiblePlaces(
  locations: readonly Location[] = [],
  before: readonly Location[] = [],
): void {
  const existing = new Set(before.map((location) => JSON.stringify(location)));
  for (const [n, location] of locations.entries()) {
    const wrong = existing.has(JSON.stringify(location)) ? undefined : wrongCoordinates(location);
    if (!wrong) continue;
    const { what, right } = wrong;
    const hint = right ? ` Perhaps they are ${right.latitude}, ${right.longitude}.` : '';
    throw new CommandRefused('invalid', `The coordinates of location ${n + 1} ${what}.${hint}`);
  }
}
