import type { z } from 'zod';
import {
  flatMemberNames,
  flatMembers,
  mainLocation,
  shownHours,
} from '../../../events/directory/flat-members.ts';
import {
  personalRows,
  type ImpersonalFields,
  type ResourceFields,
} from '../../../events/directory/resource-fields.ts';
import { withShownNames } from '../../../events/directory/shown-name.ts';
import { suggestedFieldNames, type SuggestedField } from '../../../events/directory/upkeep/suggestion.ts';
import type { AgingPart } from '../../../events/directory/upkeep/confirmation.ts';
import type { Location } from '../../../events/directory/location.ts';
import { defined } from '../../../ground/defined.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import { changedBy, resourceChange, type ResourceChange } from '../field-changes.ts';
import { refuseMixed } from '../flat-changes.ts';
import { areSame, groupsOf } from '../three-way.ts';
import { resourceKind } from '../resource-decider.ts';

/** Values of fields. Null removes one. What is about persons is not suggested. */
export type SuggestedFields = { readonly [Name in SuggestedField]?: ResourceChange[Name] };

/** What a suggestion says. */
export interface SuggestedContent {
  readonly fields?: SuggestedFields;
  /** Of the same fields, what stood there when it was suggested. Null: nothing. */
  readonly before?: Readonly<Partial<Record<SuggestedField, unknown>>>;
  /** In the words of whoever suggests it. */
  readonly note?: string;
  /** An email address or a phone number. */
  readonly contact?: string;
}

/** The schema of `SuggestedFields`: the values are checked as those of the form of a record. */
export const suggestedFields = resourceChange.omit(
  Object.fromEntries(personalRows.map(({ name }) => [name, true])) as {
    readonly contacts: true;
    readonly verified_by: true;
  },
) as unknown as z.ZodType<SuggestedFields>;

/** The most characters of all values together, as JSON. */
const longestValues = 100_000;

/** @throws CommandRefused invalid, mixed_fields */
export function checkedFields(input: unknown): SuggestedFields {
  const { success, data, error } = suggestedFields.safeParse(input);
  if (!success) {
    const [issue] = error.issues;
    throw new CommandRefused(
      'invalid',
      `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}.`,
    );
  }
  refuseMixed(data);
  if (JSON.stringify(data).length > longestValues)
    throw new CommandRefused('invalid', 'The suggestion is too long.');
  return data;
}

/** The names of the fields that say something, in the order of the table of fields. */
export const namesIn = (fields: SuggestedFields): SuggestedField[] =>
  suggestedFieldNames.filter((name) => fields[name] !== undefined);

/** What a record says of a field, as whoever suggests a change was shown it. Null: nothing. */
export function valueIn(fields: ImpersonalFields, name: SuggestedField): unknown {
  if (name === 'hours') return shownHours(fields) ?? null;
  if (name === 'opening_hours')
    return (keepsHours(fields) ? mainLocation(fields) : fields)?.opening_hours ?? null;
  const flat = flatMemberNames.find((each) => each === name);
  if (flat !== undefined) return flatMembers[flat].of(fields) ?? null;
  return withShownNames(fields as ResourceFields)[name as keyof ImpersonalFields] ?? null;
}

/** The hours are those of the main location, because the service has none of its own. */
const keepsHours = ({ hours, opening_hours, locations }: ImpersonalFields): boolean => {
  const main = mainLocation({ locations });
  return (
    hours === undefined &&
    opening_hours === undefined &&
    (main?.hours !== undefined || main?.opening_hours !== undefined)
  );
};

/** Only the fields of which something else is suggested than stands. */
export const differing = (fields: SuggestedFields, current: ImpersonalFields): SuggestedFields =>
  Object.fromEntries(
    namesIn(fields)
      .filter((name) => !isSame(fields[name], valueIn(current, name)))
      .map((name) => [name, fields[name]]),
  );

/** A field as it was when the change was suggested, as it stands, and as it was suggested. Null: nothing. */
export interface SuggestedDifference {
  readonly field: SuggestedField;
  readonly before: unknown;
  readonly now: unknown;
  readonly suggested: unknown;
  /** Somebody has changed it meanwhile to something else. */
  readonly conflict: boolean;
}

/** What a suggestion would change in a record. A field that stands as suggested is left out. */
export function differencesTo(
  current: ImpersonalFields,
  { fields = {}, before = {} }: SuggestedContent,
): SuggestedDifference[] {
  return namesIn(fields).flatMap((field) => {
    const [suggested, now, former] = [fields[field], valueIn(current, field), before[field] ?? null];
    if (isSame(suggested, now)) return [];
    return [{ field, before: former, now, suggested, conflict: !isSame(now, former) }];
  });
}

/** Fields that make sense together alone: the hours and their words, or the categories. They are taken as one. */
export const takenTogether = (names: readonly SuggestedField[]): readonly (readonly SuggestedField[])[] =>
  groupsOf(names, resourceKind.together as readonly (readonly SuggestedField[])[]);

/** An address in one line ends with its postal code, which is stored apart: the former one, or one of the United States. */
function withPostalCode(
  current: ResourceFields,
  changed: ResourceFields,
  { address }: SuggestedFields,
): ResourceFields {
  const main = mainLocation(changed);
  const former = mainLocation(current)?.postal_code;
  if (
    address === undefined ||
    address === null ||
    main?.street === undefined ||
    main.postal_code !== undefined
  )
    return changed;
  const { street } = main;
  const [, read] = /,?\s(\d{5}(?:-\d{4})?)$/.exec(street) ?? [];
  const postal_code = former !== undefined && street.endsWith(` ${former}`) ? former : read;
  if (postal_code === undefined) return changed;
  const apart = street.slice(0, -postal_code.length).replace(/[\s,]+$/, '');
  if (apart === '') return changed;
  const locations = (changed.locations ?? []).map((each) =>
    each === main ? { ...each, street: apart, postal_code } : each,
  );
  return { ...changed, locations };
}

/**
 * The change of a record that takes these fields of a suggestion. Hours are written where they are shown from: at the main
 * location, where the service has none of its own.
 */
export function changeTo(current: ResourceFields, fields: SuggestedFields): SuggestedFields {
  const { hours, opening_hours, ...others } = fields;
  const hasHours = (hours !== undefined || opening_hours !== undefined) && keepsHours(current);
  if (!hasHours && fields.address === undefined) return fields;
  const changed = withPostalCode(current, changedBy(current, hasHours ? others : fields), fields);
  const main = mainLocation(changed);
  const locations = (changed.locations ?? []).map((each) =>
    each === main && hasHours ? withoutAbsent({ ...each, ...defined({ hours, opening_hours }) }) : each,
  );
  const next: ImpersonalFields = { ...changed, locations };
  const names = suggestedFieldNames.filter(
    (name): name is keyof ImpersonalFields & SuggestedField => !isFlat(name),
  );
  return Object.fromEntries(
    names.filter((name) => !isSame(next[name], current[name])).map((name) => [name, next[name] ?? null]),
  );
}

const withoutAbsent = (location: object): Location =>
  Object.fromEntries(Object.entries(location).filter(([, value]) => value !== null && value !== undefined));

const isFlat = (name: SuggestedField): boolean => flatMemberNames.some((each) => each === name);

/** Null and nothing are the same. */
const isSame = (one: unknown, other: unknown): boolean => areSame(one ?? undefined, other ?? undefined);

/** What of a record that ages faster these fields are about. */
export function partsOf(names: readonly SuggestedField[]): AgingPart[] {
  const isAnyOf = (...fields: SuggestedField[]) => names.some((name) => fields.includes(name));
  return [
    ...(isAnyOf('hours', 'opening_hours') ? (['hours'] as const) : []),
    ...(isAnyOf('phone', 'phones') ? (['phones'] as const) : []),
    ...(isAnyOf('address', 'city', 'region', 'locations') ? (['places'] as const) : []),
  ];
}
