import { categories } from '../../../../events/directory/category.ts';
import { mainLocation, shownHours } from '../../../../events/directory/flat-members.ts';
import type { ImpersonalFields } from '../../../../events/directory/resource-fields.ts';
import { draftOfHours, hoursDraftIn, hoursEntries, filledHours, type HoursDraft } from './hours-draft.ts';
import { linesOf, phoneLine } from './phone-lines.ts';
import {
  draftOfPlaces,
  placeEntries,
  placesDraftIn,
  filledPlaces,
  type PlacesDraft,
} from './places-draft.ts';

/** The fields of the form that are one text, in the order of the form. */
const textNames = [
  'name',
  'organization',
  'category',
  'categories',
  'description',
  'alert',
  'availability',
  'phones',
  'email',
  'url',
  'hours',
  'by_appointment',
  'time_zone',
  'eligibility',
  'free',
  'cost',
  'how_to_apply',
  'documents',
  'languages',
  'service_area',
] as const;
type TextName = (typeof textNames)[number];
export type FormName = TextName | 'places' | 'opening_hours';
export const formNames: readonly FormName[] = [...textNames, 'places', 'opening_hours'];

/** What stands in the form: texts, lists with one value a line, and `yes` for a box that is ticked. */
export interface FormValues extends Readonly<Record<TextName, string>> {
  readonly places: PlacesDraft;
  readonly opening_hours: HoursDraft;
}

/** What a record says, as the form shows it. What the form does not show is not in it. */
export function valuesOf(fields: Partial<ImpersonalFields>): FormValues {
  const hours = shownHours(fields) ?? '';
  const texts: Readonly<Record<TextName, string>> = {
    name: fields.name ?? '',
    organization: fields.organization?.name ?? '',
    category: fields.category ?? '',
    categories: inOrder(fields.categories ?? []),
    description: fields.description ?? '',
    alert: fields.alert ?? '',
    availability: fields.availability ?? 'open',
    phones: (fields.phones ?? []).map(phoneLine).join('\n'),
    email: fields.email ?? '',
    url: fields.url ?? '',
    hours: withoutAppointment(hours),
    by_appointment: appointmentLine.test(hours) ? 'yes' : '',
    time_zone: fields.time_zone ?? '',
    eligibility: fields.eligibility ?? '',
    free: fields.free === true ? 'yes' : '',
    cost: fields.cost ?? '',
    how_to_apply: fields.how_to_apply ?? '',
    documents: (fields.documents ?? []).join('\n'),
    languages: sorted((fields.languages ?? []).join('\n')),
    service_area: (fields.service_area ?? []).join('\n'),
  };
  return {
    ...textsFrom((name) => texts[name]),
    places: draftOfPlaces(fields.locations),
    opening_hours: draftOfHours(fields.opening_hours),
  };
}

/** What somebody typed. */
export const valuesIn = (form: URLSearchParams): FormValues => ({
  ...textsFrom((name) => {
    if (name === 'categories') return inOrder(form.getAll(name));
    if (name === 'languages') return sorted(form.getAll(name).join('\n'));
    return form.get(name) ?? (name === 'availability' ? 'open' : '');
  }),
  places: placesDraftIn(form),
  opening_hours: hoursDraftIn(form),
});

/** What a browser sends of a form that shows these values. */
export const entriesOf = ({ places, opening_hours, ...texts }: FormValues): [string, string][] => [
  ...Object.entries(texts).flatMap(([name, text]): [string, string][] =>
    name === 'categories' ? linesOf(text).map((each) => [name, each]) : [[name, text]],
  ),
  ...placeEntries(places),
  ...hoursEntries(opening_hours),
];

/** A value by which two states of an entry are compared. */
export const comparedText = (values: FormValues, name: FormName): string =>
  name === 'places'
    ? JSON.stringify(filledPlaces(values.places))
    : name === 'opening_hours'
      ? JSON.stringify(filledHours(values.opening_hours))
      : values[name];

/** As a browser sends it back. Spaces around a text say nothing. */
const textsFrom = (textOf: (name: TextName) => string): Readonly<Record<TextName, string>> =>
  Object.fromEntries(
    textNames.map((name) => [name, textOf(name).replace(/\r\n?/g, '\n').trim()]),
  ) as Readonly<Record<TextName, string>>;

const inOrder = (chosen: readonly string[]): string =>
  categories.filter((each) => chosen.includes(each)).join('\n');

/** Boxes and lines together: their order says nothing. */
const sorted = (text: string): string =>
  [...new Set(linesOf(text.replace(/\r\n?/g, '\n')))].sort().join('\n');

/** What the box "only by appointment" writes into the hours in words. */
export const byAppointment = 'By appointment only';
const appointmentLine = /^by appointment only\.?$/im;

const withoutAppointment = (hours: string): string =>
  hours
    .split('\n')
    .filter((line) => !appointmentLine.test(line.trim()))
    .join('\n')
    .trim();

/** The hours in words, as they were typed. */
export const hoursWords = ({ hours, by_appointment }: FormValues): string =>
  [hours, ...(by_appointment === 'yes' ? [byAppointment] : [])].filter((each) => each !== '').join('\n');

/** The hours of the main location are shown where the service has none of its own. */
export const hoursOfPlace = (fields: Partial<ImpersonalFields>): boolean =>
  fields.hours === undefined && mainLocation(fields)?.hours !== undefined;
