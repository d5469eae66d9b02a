import {
  personalRows,
  type PersonalFieldName,
  type ResourceFields,
  type UnsealedFields,
} from './resource-fields.ts';
import type { SealedPerson } from './field-table.ts';

/** What a record says about persons, by field. An organization names persons in `contacts` alone. */
export type SealedPeople = Pick<ResourceFields, PersonalFieldName>;

/** The same in clear. A contact has the id of its person. */
export type UnsealedPeople = Pick<UnsealedFields, PersonalFieldName>;

/** What a record says about persons. Undefined when it says nothing about any. */
export function sealedPeople(fields: SealedPeople): SealedPeople | undefined {
  const named = personalRows.filter(({ name }) => isSealed(fields[name]));
  return named.length === 0 ? undefined : Object.fromEntries(named.map(({ name }) => [name, fields[name]]));
}

/** The values one by one. */
export const eachPerson = (people: SealedPeople): (SealedPerson & { readonly field: PersonalFieldName })[] =>
  personalRows.flatMap(({ name: field }) =>
    [people[field] ?? []].flat().map((value) => ({ ...value, field })),
  );

/** The same without one person. */
export function withoutPerson<People extends SealedPeople>(people: People, person: string): People {
  const left: Partial<Record<PersonalFieldName, unknown>> = { ...people };
  for (const { name } of personalRows) {
    const value = people[name];
    if (Array.isArray(value)) left[name] = value.filter((each) => each.person !== person);
    else if (value?.person === person) Reflect.deleteProperty(left, name);
  }
  return left as People;
}

/** Builds from before the first release wrote `verified_by` in clear. Nobody is shown that any more. */
const isSealed = (value: unknown): boolean => typeof value === 'object';
