import type { Location } from '../../../../events/directory/location.ts';
import {
  organizationFieldRows,
  type OrganizationFieldName,
  type OrganizationFields,
} from '../../../../events/directory/organization-fields.ts';
import {
  personalRows,
  resourceFieldRows,
  type ImpersonalFields,
  type ResourceFields,
} from '../../../../events/directory/resource-fields.ts';
import { writeHours } from '../../../../hsds/hours/write.ts';
import type { FieldChange } from '../../../pages/parts/changes.ts';
import { addressLines } from '../../pages/places.ts';
import { shortened } from '../../pages/shortened.ts';
import { categoryName } from '../record-as-seen.ts';
import { organizationTexts } from '../organization-texts.ts';
import { en } from '../texts.ts';
import { changedNames } from './form-change.ts';
import type { FormName, FormValues } from './form-values.ts';
import { ofWeek, type WeekDraft } from './hours-draft.ts';
import { phoneLine } from './phone-lines.ts';
import type { PlaceDraft } from './places-draft.ts';

/** A longer text is cut in a comparison. */
const longest = 600;

/** What differs between two states of a record, field by field. What is about persons is not said. */
export function differences(before: ResourceFields, after: ResourceFields): FieldChange[] {
  const changed = resourceFieldRows.filter(
    ({ name }) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return changed.map(({ name }) => {
    const label = en.fields[name];
    if (personalRows.some((row) => row.name === name))
      return { label, before: personal(before[name]), after: personal(after[name]) };
    return { label, before: fieldText(name, before), after: fieldText(name, after) };
  });
}

/** The same of an organization. */
export const organizationDifferences = (
  before: OrganizationFields,
  after: OrganizationFields,
): FieldChange[] =>
  organizationFieldRows
    .filter(({ name }) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map(({ name }) => ({
      label: organizationTexts.fields[name],
      before: name === 'contacts' ? personal(before[name]) : organizationFieldText(name, before),
      after: name === 'contacts' ? personal(after[name]) : organizationFieldText(name, after),
    }));

/** What an organization says in a field, in words. What is about persons is not said. */
export function organizationFieldText(
  name: OrganizationFieldName,
  fields: Partial<OrganizationFields>,
): string {
  return shortened(organizationLines(name, fields).join('; '), longest);
}

function organizationLines(
  name: OrganizationFieldName,
  { phones = [], locations = [], identifiers = [], parent, ...fields }: Partial<OrganizationFields>,
): readonly string[] {
  switch (name) {
    case 'phones':
      return phones.map(phoneWords);
    case 'locations':
      return locations.map(locationWords);
    case 'identifiers':
      return identifiers.map(({ scheme, type, value }) => [scheme ?? type, value].filter(Boolean).join(' '));
    case 'parent':
      return parent ? [parent.name] : [];
    case 'contacts':
      return [];
    case 'name':
    case 'alternate_name':
    case 'description':
    case 'url':
    case 'additional_urls':
    case 'email':
    case 'year_incorporated':
    case 'legal_status':
      return [fields[name] ?? []].flat().map(String);
  }
}

/** What the fields say that are about no person, in their order. */
export const fieldTexts = (fields: ImpersonalFields): { readonly label: string; readonly text: string }[] =>
  resourceFieldRows
    .filter(({ name }) => name in fields && !personalRows.some((row) => row.name === name))
    .map(({ name }) => ({ label: en.fields[name], text: fieldText(name, fields) }))
    .filter(({ text }) => text !== '');

/** What differs between two states of a form. */
export const formDifferences = (before: FormValues, after: FormValues): FieldChange[] =>
  changedNames(before, after).map((name) => ({
    label: en.form.labels[name],
    before: shortened(typedWords(before, name), longest),
    after: shortened(typedWords(after, name), longest),
  }));

function typedWords(values: FormValues, name: FormName): string {
  if (name === 'places') return values.places.map(placeWords).join('\n');
  if (name === 'opening_hours') return values.opening_hours.map(weekWords).join('\n');
  return values[name];
}

const placeWords = ({ at: _, pin: __, ...texts }: PlaceDraft): string =>
  Object.values(texts)
    .filter((text) => text !== '')
    .join(', ');

const weekWords = (week: WeekDraft): string =>
  [
    ...Object.entries(week.times).flatMap(([day, times]) =>
      times
        .filter(({ opens, closes }) => opens + closes !== '')
        .map(({ opens, closes }) => `${day} ${opens}–${closes}`),
    ),
    ...ofWeek.map((what) => week[what]),
  ]
    .filter((text) => text !== '')
    .join(', ');

const personal = (value: unknown): string => (value === undefined ? '' : en.form.personal);

/** What a record says in a field, in words. */
export function fieldText(name: keyof ResourceFields, fields: ResourceFields): string {
  const value: unknown = fields[name];
  const lines = linesOf[name]?.(fields) ?? (value === undefined ? [] : [value].flat().map(String));
  return shortened(lines.join('; '), longest);
}

/** How fields are said that are no texts and no lists of texts. */
const linesOf: Readonly<
  Partial<Record<keyof ResourceFields, (fields: ImpersonalFields) => readonly string[]>>
> = {
  category: ({ category }) => [categoryName(category)],
  categories: ({ categories = [] }) => categories.map(categoryName),
  organization: ({ organization }) => [organization?.name ?? '', organization?.url ?? ''].filter(Boolean),
  phones: ({ phones = [] }) => phones.map(phoneWords),
  locations: ({ locations = [] }) => locations.map(locationWords),
  opening_hours: ({ opening_hours = [] }) => writeHours(opening_hours).split('\n'),
  ages: ({ ages }) => (ages ? [`${ages.minimum ?? ''}–${ages.maximum ?? ''}`] : []),
  free: ({ free }) => (free === undefined ? [] : [free ? en.form.yes : en.form.no]),
};

const phoneWords = (phone: Parameters<typeof phoneLine>[0]): string =>
  [phoneLine(phone), phone.note, phone.languages?.join(', ')].filter(Boolean).join(', ');

function locationWords(location: Location): string {
  const { name, hours, phones = [], latitude, longitude, accessibility, transportation } = location;
  const point = latitude === undefined ? undefined : `${latitude}, ${longitude ?? ''}`;
  return [
    name,
    ...addressLines(location),
    point,
    ...phones.map(phoneWords),
    hours,
    accessibility,
    transportation,
    location.virtual ? en.form.virtual : undefined,
    location.confidential ? en.form.confidential : undefined,
  ]
    .filter(Boolean)
    .join(', ');
}
