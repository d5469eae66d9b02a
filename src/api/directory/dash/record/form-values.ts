import { mainLocation, shownHours } from '../../../../events/directory/flat-members.ts';
import { phoneTypes, type Phone } from '../../../../events/directory/phone.ts';
import type { ImpersonalFields } from '../../../../events/directory/resource-fields.ts';
import { defined } from '../../../../ground/defined.ts';

/** The fields of the form, in the order of the form. */
export const formNames = [
  'name',
  'organization',
  'category',
  'description',
  'alert',
  'phones',
  'email',
  'url',
  'street',
  'city',
  'region',
  'postal_code',
  'place_phones',
  'hours',
  'drop_hours',
  'eligibility',
  'free',
  'cost',
  'how_to_apply',
  'documents',
  'languages',
  'service_area',
] as const;
export type FormName = (typeof formNames)[number];

/** What stands in the form: texts, lists with one value a line, and `yes` for a box that is ticked. */
export type FormValues = Readonly<Record<FormName, string>>;

/** What a record says, as the form shows it. What the form does not show is not in it. */
export function valuesOf(fields: Partial<ImpersonalFields>): FormValues {
  const main = mainLocation(fields);
  const values = {
    name: fields.name ?? '',
    organization: fields.organization?.name ?? '',
    category: fields.category ?? '',
    description: fields.description ?? '',
    alert: fields.alert ?? '',
    phones: (fields.phones ?? []).map(phoneLine).join('\n'),
    email: fields.email ?? '',
    url: fields.url ?? '',
    street: main?.street ?? '',
    city: main?.city ?? '',
    region: main?.region ?? '',
    postal_code: main?.postal_code ?? '',
    place_phones: (main?.phones ?? []).map(phoneLine).join('\n'),
    hours: shownHours(fields as ImpersonalFields) ?? '',
    drop_hours: '',
    eligibility: fields.eligibility ?? '',
    free: fields.free === true ? 'yes' : '',
    cost: fields.cost ?? '',
    how_to_apply: fields.how_to_apply ?? '',
    documents: (fields.documents ?? []).join('\n'),
    languages: (fields.languages ?? []).join('\n'),
    service_area: (fields.service_area ?? []).join('\n'),
  };
  return valuesFrom((name) => values[name]);
}

/** What somebody typed. */
export const valuesIn = (form: URLSearchParams): FormValues => valuesFrom((name) => form.get(name) ?? '');

/** As a browser sends it back. Spaces around a text say nothing. */
const valuesFrom = (textOf: (name: FormName) => string): FormValues =>
  Object.fromEntries(
    formNames.map((name) => [name, textOf(name).replace(/\r\n?/g, '\n').trim()]),
  ) as FormValues;

/** The lines of a text that say something. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** A phone in one line: "555-0100 ext. 12 (fax)". Its note and languages are not in it. */
export const phoneLine = ({ number, extension, type = 'voice' }: Phone): string =>
  [
    number.trim(),
    ...(extension === undefined ? [] : [`ext. ${extension}`]),
    ...(type === 'voice' ? [] : [`(${type})`]),
  ].join(' ');

/**
 * The phones of lines. A line that stays keeps its phone as it is. A line that is changed where it stands keeps the
 * note and the languages of its phone.
 */
export function phonesFrom(text: string, before: readonly Phone[] = []): Phone[] {
  const lines = linesOf(text);
  const kept = new Map(before.map((phone) => [phoneLine(phone), phone]));
  return lines.map((line, place) => {
    const same = kept.get(line);
    if (same) return same;
    const changed = lines.length === before.length ? before[place] : undefined;
    const { note, languages } = changed ?? {};
    return {
      ...phoneOf(line),
      ...defined({ note, languages }),
    };
  });
}

const written = new RegExp(
  `^(.*?)(?:[,;]?\\s+ext\\.?\\s*([\\w-]{1,20}))?(?:\\s+\\((${phoneTypes.join('|')})\\))?$`,
  'i',
);

function phoneOf(line: string): Phone {
  const [, number = line, extension, type] = written.exec(line) ?? [];
  return {
    number: number.trim(),
    ...defined({ extension }),
    ...(type === undefined ? {} : { type: type.toLowerCase() as (typeof phoneTypes)[number] }),
  };
}
