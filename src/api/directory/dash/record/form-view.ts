import { categories } from '../../../../events/directory/category.ts';
import { RecordChanged } from '../../../../commands/directory/resource.ts';
import type { Position } from '../../../../stores/event-store/port.ts';
import type { Again } from '../../../pages/action-form.ts';
import {
  button,
  checkbox,
  field,
  form,
  hidden,
  notice,
  type Field,
  type Problems,
} from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { TeamPageContext } from '../../../pages/page-context.ts';
import { ofTeam } from '../../../pages/paths.ts';
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

interface RecordForm {
  readonly action: string;
  readonly lead: string;
  readonly values: FormValues;
  /** What is wrong with them, if they were sent. */
  readonly problems: Problems;
  /** The record has a table of hours, which the form does not show. */
  readonly week?: boolean;
  /** The position of the newest event of the record. */
  readonly revision?: Position;
  /** What the button does. */
  readonly does: string;
  /** Where people go who do not want to. */
  readonly back: string;
}

/** The form for a record. `again`: why it is shown again. */
export function recordForm(
  { team, formToken }: TeamPageContext,
  again: Again | undefined,
  { action, lead, values, problems, week = false, revision, does, back }: RecordForm,
): Html {
  const refused = again?.refused && !(again.refused instanceof RecordChanged) ? again.refused : undefined;
  const wrong = again && !again.refused ? problems : undefined;
  const first = formNames.find((name) => wrong?.[name] !== undefined);
  return html`${refused ? notice(refused.message, 'wrong') : ''} ${wrong ? notice(texts.wrong, 'wrong') : ''}
    <p class="lead">${lead}</p>
    ${form({
      action,
      token: formToken,
      content: html`${hidden('team', team.team)}
        ${revision === undefined ? '' : hidden('revision', String(revision))}
        ${parts.map(
          ([part, names]) =>
            html`<fieldset class="card part">
              <legend>${texts.parts[part]}</legend>
              ${names
                .filter((name) => week || name !== 'drop_hours')
                .map((name) => entry(name, values[name], wrong?.[name], name === first))}
            </fieldset>`,
        )}
        <div class="choices">
          ${button(does)} <a class="button secondary" href="${ofTeam(back, team.team)}">${texts.cancel}</a>
        </div>`,
    })}`;
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
