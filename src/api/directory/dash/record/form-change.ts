import type { z } from 'zod';
import type { ResourceChange } from '../../../../commands/directory/field-changes.ts';
import { mainLocation } from '../../../../events/directory/flat-members.ts';
import type { Location } from '../../../../events/directory/location.ts';
import {
  resourceFieldTable,
  type ImpersonalFields,
  type ResourceFieldName,
} from '../../../../events/directory/resource-fields.ts';
import { wrongCoordinates } from '../../../../places/coordinates.ts';
import { Wrong } from '../../../pages/action-form.ts';
import type { Problems } from '../../../pages/controls.ts';
import {
  comparedText,
  formNames,
  hoursOfPlace,
  hoursWords,
  valuesOf,
  type FormName,
  type FormValues,
} from './form-values.ts';
import { rulesOf, filledHours, weekName, type HoursProblem } from './hours-draft.ts';
import { linesOf, noNumber, phonesFrom } from './phone-lines.ts';
import { locationsOf, placeEntry, type PlaceMember } from './places-draft.ts';

/** Fields that the form has as they are. */
const plain = [
  'name',
  'category',
  'description',
  'alert',
  'email',
  'url',
  'time_zone',
  'eligibility',
  'cost',
  'how_to_apply',
] as const;
/** Lists with one value a line. */
const lists = ['documents', 'service_area'] as const;

/** Which entries differ from what the form was opened with. */
export const changedNames = (before: FormValues, typed: FormValues): FormName[] =>
  formNames.filter((name) => comparedText(before, name) !== comparedText(typed, name));

/**
 * The change of a record that a form makes: only of what somebody changed in it. What the form does not show, and what
 * it shows in part, stays.
 */
export function changeOf(fields: Partial<ImpersonalFields>, typed: FormValues): ResourceChange {
  const changed = new Set(changedNames(valuesOf(fields), typed));
  const change: Record<string, unknown> = {};
  for (const name of plain) if (changed.has(name)) change[name] = typed[name] === '' ? null : typed[name];
  for (const name of lists) if (changed.has(name)) change[name] = orNull(linesOf(typed[name]));
  for (const name of ['categories', 'languages'] as const)
    if (changed.has(name)) change[name] = orNull(inFormerOrder(linesOf(typed[name]), fields[name]));
  if (Array.isArray(change['categories']))
    change['categories'] = orNull(change['categories'].filter((each) => each !== typed.category));
  if (changed.has('availability')) change['availability'] = typed.availability;
  if (changed.has('free')) change['free'] = typed.free === 'yes' ? true : null;
  if (changed.has('organization'))
    change['organization'] =
      typed.organization === '' ? null : { ...fields.organization, name: typed.organization };
  if (changed.has('phones')) change['phones'] = orNull(phonesFrom(typed.phones, fields.phones));
  if (changed.has('opening_hours'))
    change['opening_hours'] = orNull(rulesOf(typed.opening_hours, fields.opening_hours).rules);
  const words = hoursWords(typed);
  const isWorded = changed.has('hours') || changed.has('by_appointment');
  const atPlace = hoursOfPlace(fields);
  if (isWorded && !atPlace) change['hours'] = words === '' ? null : words;
  if ((isWorded && atPlace) || changed.has('places'))
    change['locations'] = orNull(
      locationsOf(typed.places, isWorded && atPlace ? withHours(fields, words) : fields.locations).map(
        ({ location }) => location,
      ),
    );
  return change;
}

const orNull = <Value>(list: readonly Value[]): readonly Value[] | null => (list.length === 0 ? null : list);

/** What was there before stays first, in its order. */
const inFormerOrder = (typed: readonly string[], before: readonly string[] = []): string[] => [
  ...before.filter((each) => typed.includes(each)),
  ...typed.filter((each) => !before.includes(each)),
];

/** The locations with other hours at the main one. */
function withHours(fields: Partial<ImpersonalFields>, words: string): Location[] {
  const main = mainLocation(fields);
  return (fields.locations ?? []).map((each) => {
    if (each !== main) return each;
    const { hours: _, opening_hours: _rules, ...rest } = each;
    return words === '' ? rest : { ...rest, hours: words };
  });
}

/** The change, of which nothing is taken as long as something is wrong about it. */
export function inputOf(
  fields: Partial<ImpersonalFields>,
  typed: FormValues,
  texts: ProblemTexts,
): Readonly<Record<string, unknown>> {
  const change = changeOf(fields, typed);
  const [wrong] = Object.values(problemsOf(fields, typed, texts));
  return wrong === undefined ? change : { ...change, name: new Wrong(wrong) };
}

/** What is wrong about a change, beside the entry of the form that says it. */
export function problemsOf(
  fields: Partial<ImpersonalFields>,
  typed: FormValues,
  texts: ProblemTexts,
): Problems {
  const change = changeOf(fields, typed);
  const problems: Record<string, string> = {};
  for (const [name, value] of Object.entries(change)) {
    const row = resourceFieldTable[name as ResourceFieldName];
    if (value === null) {
      if ('required' in row) problems[name] = texts.missing;
      continue;
    }
    if (name === 'locations' || name === 'opening_hours') continue;
    const { success, error } = row.schema.safeParse(value);
    const [issue] = success ? [] : error.issues;
    if (issue) problems[name] ??= sentenceOf(issue, texts);
  }
  const { phones } = change;
  const wrongPhone = noNumber(phones ?? undefined, fields.phones);
  if (wrongPhone !== undefined) problems['phones'] ??= texts.noNumber(wrongPhone);
  if (change.locations !== undefined) Object.assign(problems, problemsOfPlaces(fields, typed, texts));
  if (change.opening_hours !== undefined || change.hours !== undefined)
    Object.assign(problems, problemsOfHours(fields, typed, texts));
  return problems;
}

function problemsOfHours(
  fields: Partial<ImpersonalFields>,
  typed: FormValues,
  texts: ProblemTexts,
): Record<string, string> {
  const read = rulesOf(typed.opening_hours, fields.opening_hours);
  const problems = Object.fromEntries(
    Object.entries(read.problems).map(([name, problem]) => [name, texts.hours[problem]]),
  );
  if (typed.by_appointment === 'yes' && filledHours(typed.opening_hours).length > 0)
    problems['hours'] = texts.appointment;
  const { success, error } = resourceFieldTable.opening_hours.schema.safeParse(read.rules);
  const [issue] = success ? [] : error.issues;
  if (issue && Object.keys(problems).length === 0) problems[weekName(0, 'note')] = sentenceOf(issue, texts);
  return problems;
}

function problemsOfPlaces(
  fields: Partial<ImpersonalFields>,
  typed: FormValues,
  texts: ProblemTexts,
): Record<string, string> {
  const problems: Record<string, string> = {};
  const schema = resourceFieldTable.locations.schema.element;
  for (const { place, location, isNew } of locationsOf(typed.places, fields.locations)) {
    if (!isNew) continue;
    const { success, error } = schema.safeParse(location);
    for (const issue of success ? [] : error.issues) {
      const [at] = issue.path;
      problems[placeEntry(place, entryOf(at))] ??=
        issue.code === 'invalid_type' && (at === 'latitude' || at === 'longitude')
          ? texts.noDegrees
          : sentenceOf(issue, texts);
    }
    const before = (fields.locations ?? []).flatMap(({ phones = [] }) => phones);
    const wrongPhone = noNumber(location.phones, before);
    if (wrongPhone !== undefined) problems[placeEntry(place, 'place_phones')] ??= texts.noNumber(wrongPhone);
    const wrong = success ? wrongCoordinates(location) : undefined;
    if (wrong) problems[placeEntry(place, 'latitude')] ??= texts.wrongPoint(wrong.what, wrong.right);
  }
  return problems;
}

/** The entry of a place at which a member of a location stands. */
function entryOf(member: PropertyKey | undefined): PlaceMember {
  if (member === 'phones') return 'place_phones';
  if (member === 'name') return 'place_name';
  // What concerns the location as a whole is about its coordinates.
  return member === undefined ? 'latitude' : (String(member) as PlaceMember);
}

interface ProblemTexts {
  readonly missing: string;
  readonly tooLong: (most: number) => string;
  readonly tooMany: (most: number) => string;
  readonly noNumber: (typed: string) => string;
  readonly noDegrees: string;
  readonly wrongPoint: (
    what: string,
    right: { readonly latitude: number; readonly longitude: number } | undefined,
  ) => string;
  readonly appointment: string;
  readonly hours: Readonly<Record<HoursProblem, string>>;
}

function sentenceOf(issue: z.core.$ZodIssue, { tooLong, tooMany }: ProblemTexts): string {
  if (issue.code === 'too_big' && issue.origin !== 'number')
    return issue.origin === 'array' ? tooMany(Number(issue.maximum)) : tooLong(Number(issue.maximum));
  // What zod says of a choice names the values as they are stored.
  if (issue.code === 'invalid_value') return 'Choose one of those that are offered.';
  return `It ${issue.message}.`;
}
