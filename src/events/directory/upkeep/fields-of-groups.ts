import { resourceFieldRows, type ResourceFieldName } from '../resource-fields.ts';
import type { FieldGroup } from './precedence.ts';

const fieldsOf: Readonly<Record<Exclude<FieldGroup, 'other'>, readonly ResourceFieldName[]>> = {
  hours: ['hours', 'opening_hours', 'time_zone', 'utc_offsets'],
  phones: ['phones'],
  places: ['locations'],
  texts: ['description', 'eligibility', 'ages', 'cost', 'free', 'how_to_apply', 'documents', 'alert'],
};

const inSomeGroup = new Set<string>(Object.values(fieldsOf).flat());

/** The names of the fields of these groups. */
export const fieldsOfGroups = (groups: readonly FieldGroup[]): ResourceFieldName[] =>
  groups.flatMap((group) =>
    group === 'other'
      ? resourceFieldRows.map(({ name }) => name).filter((name) => !inSomeGroup.has(name))
      : fieldsOf[group],
  );
