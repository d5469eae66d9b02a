import { categories } from '../../../../events/directory/category.ts';
import { checkbox, field, type Field, type Problems } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { selectField } from '../../../pages/parts/choices.ts';
import { categoryName } from '../record-as-seen.ts';
import { en } from '../texts.ts';
import { formNames, type FormName, type FormValues } from './form-values.ts';

const { form: texts } = en;

type Entry = Pick<Field, 'type' | 'hint' | 'maxlength'> & { readonly required?: true };

const entries: Readonly<Partial<Record<FormName, Entry>>> = {
  name: { required: true, maxlength: 300 },
  organization: { maxlength: 300 },
  description: { type: 'prose', maxlength: 10_000 },
  alert: { type: 'prose', hint: texts.hints.alert, maxlength: 1_000 },
  phones: { type: 'lines', hint: texts.hints.phones },
  email: { type: 'email', hint: texts.hints.email, maxlength: 254 },
  url: { type: 'url', hint: texts.hints.url, maxlength: 2_000 },
  street: { maxlength: 500 },
  city: { maxlength: 120 },
  region: { maxlength: 120 },
  postal_code: { maxlength: 20 },
  place_phones: { type: 'lines', hint: texts.hints.place_phones },
  hours: { type: 'prose', hint: texts.hints.hours, maxlength: 2_000 },
  eligibility: { type: 'prose', maxlength: 4_000 },
  cost: { type: 'prose', maxlength: 2_000 },
  how_to_apply: { type: 'prose', maxlength: 4_000 },
  documents: { type: 'lines', hint: texts.hints.lines },
  languages: { type: 'lines', hint: texts.hints.lines },
  service_area: { type: 'lines', hint: texts.hints.lines },
};

/** The parts of the form, each with a heading. */
const parts = [
  ['what', ['name', 'organization', 'category', 'description', 'alert']],
  ['reach', ['phones', 'email', 'url']],
  ['place', ['street', 'city', 'region', 'postal_code', 'place_phones']],
  ['hours', ['hours', 'drop_hours']],
  ['who', ['eligibility', 'free', 'cost', 'how_to_apply', 'documents', 'languages', 'service_area']],
] as const satisfies readonly (readonly [keyof typeof texts.parts, readonly FormName[]])[];

/** The fields of a record that people fill in. `week`: the record has a table of hours, which the form does not show. */
export function recordFields(
  values: FormValues,
  problems: Problems = {},
  { week = false }: { readonly week?: boolean } = {},
): Html {
  const first = formNames.find((name) => problems[name] !== undefined);
  return html`${parts.map(
    ([part, names]) =>
      html`<fieldset class="card part">
        <legend>${texts.parts[part]}</legend>
        ${names
          .filter((name) => week || name !== 'drop_hours')
          .map((name) => entry(name, values[name], problems[name], name === first))}
      </fieldset>`,
  )}`;
}

function entry(name: FormName, value: string, error: string | undefined, autofocus: boolean): Html {
  const label = texts.labels[name];
  if (name === 'free' || name === 'drop_hours') return checkbox({ name, label, ticked: value === 'yes' });
  if (name === 'category')
    return selectField({
      name,
      label,
      value,
      error,
      options: [
        ...(value === '' ? [{ value: '', label: texts.choose }] : []),
        ...categories.map((each) => ({ value: each, label: categoryName(each) })),
      ],
    });
  const { required, ...given } = entries[name] ?? {};
  return field({ name, label, value, error, autofocus, optional: required !== true, ...given });
}
