import type { z } from 'zod';
import type { ResourceChange } from '../../../../commands/directory/field-changes.ts';
import { mainLocation } from '../../../../events/directory/flat-members.ts';
import type { Location } from '../../../../events/directory/location.ts';
import {
  resourceFieldTable,
  type ImpersonalFields,
  type ResourceFieldName,
} from '../../../../events/directory/resource-fields.ts';
import type { Problems } from '../../../pages/controls.ts';
import { formNames, linesOf, phonesFrom, valuesOf, type FormName, type FormValues } from './form-values.ts';

/** Fields that the form has as they are. */
const plain = [
  'name',
  'category',
  'description',
  'alert',
  'email',
  'url',
  'eligibility',
  'cost',
  'how_to_apply',
] as const;
/** Lists with one value a line. */
const lists = ['documents', 'languages', 'service_area'] as const;
const placed = ['street', 'city', 'region', 'postal_code'] as const;
const ofPlace = [...placed, 'place_phones'] as const;

/** Which entries differ from what the form was opened with. */
export const changedNames = (before: FormValues, typed: FormValues): FormName[] =>
  formNames.filter((name) => before[name] !== typed[name]);

/**
 * The change of a record that a form makes: only of what somebody changed in it. What the form does not show, and what
 * it shows in part, stays.
 */
export function changeOf(fields: Partial<ImpersonalFields>, typed: FormValues): ResourceChange {
  const changed = new Set(changedNames(valuesOf(fields), typed));
  const change: Record<string, unknown> = {};
  for (const name of plain) if (changed.has(name)) change[name] = typed[name] === '' ? null : typed[name];
  for (const name of lists) if (changed.has(name)) change[name] = orNull(linesOf(typed[name]));
  if (changed.has('free')) change['free'] = typed.free === 'yes' ? true : null;
  if (changed.has('organization'))
    change['organization'] =
      typed.organization === '' ? null : { ...fields.organization, name: typed.organization };
  if (changed.has('phones')) change['phones'] = orNull(phonesFrom(typed.phones, fields.phones));
  if (changed.has('drop_hours')) change['opening_hours'] = null;
  const hoursOfPlace = fields.hours === undefined && mainLocation(fields)?.hours !== undefined;
  if (changed.has('hours') && !hoursOfPlace) change['hours'] = typed.hours === '' ? null : typed.hours;
  if ((changed.has('hours') && hoursOfPlace) || ofPlace.some((name) => changed.has(name)))
    change['locations'] = orNull(relocated(fields, typed, changed));
  return change;
}

const orNull = <Value>(list: readonly Value[]): readonly Value[] | null => (list.length === 0 ? null : list);

/** The locations with the main one as it was typed. One of which nothing is left is removed. */
function relocated(
  fields: Partial<ImpersonalFields>,
  typed: FormValues,
  changed: ReadonlySet<FormName>,
): Location[] {
  const { locations = [] } = fields;
  const main = mainLocation(fields);
  const phones = phonesFrom(typed.place_phones, main?.phones);
  const { latitude, longitude, ...rest } = main ?? {};
  const moved = placed.some((name) => name !== 'region' && changed.has(name));
  const next = Object.fromEntries(
    Object.entries({
      ...rest,
      // The coordinates were those of the former place.
      ...(moved ? {} : { latitude, longitude }),
      ...Object.fromEntries(placed.map((name) => [name, typed[name]])),
      phones,
      // Shown are the hours of the place where the service has none of its own.
      ...(fields.hours === undefined && rest.hours !== undefined ? { hours: typed.hours } : {}),
    }).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Location;
  const kept = Object.keys(next).length === 0 ? [] : [next];
  return main ? locations.flatMap((each) => (each === main ? kept : [each])) : [...kept, ...locations];
}

/** What is wrong about a change, beside the entry of the form that says it. */
export function problemsOf(change: ResourceChange, texts: ProblemTexts): Problems {
  const problems: Record<string, string> = {};
  for (const [name, value] of Object.entries(change)) {
    const row = resourceFieldTable[name as ResourceFieldName];
    if (value === null) {
      if ('required' in row) problems[name] = texts.missing;
      continue;
    }
    const { success, error } = row.schema.safeParse(value);
    const [issue] = success ? [] : error.issues;
    if (issue) problems[entryOf(name, issue.path)] ??= sentenceOf(issue, texts);
  }
  return problems;
}

interface ProblemTexts {
  readonly missing: string;
  readonly tooLong: (most: number) => string;
  readonly tooMany: (most: number) => string;
}

/** The entry of the form at which a member of a field stands. */
function entryOf(field: string, path: readonly PropertyKey[]): string {
  if (field === 'locations') {
    const at = path.find((each) => typeof each === 'string');
    return at === 'phones' ? 'place_phones' : placed.some((name) => name === at) ? String(at) : 'street';
  }
  return field;
}

function sentenceOf(issue: z.core.$ZodIssue, { tooLong, tooMany }: ProblemTexts): string {
  if (issue.code === 'too_big')
    return issue.origin === 'array' ? tooMany(Number(issue.maximum)) : tooLong(Number(issue.maximum));
  return `It ${issue.message}.`;
}
