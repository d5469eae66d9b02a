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
import { checkboxGroup, selectField } from '../../../pages/parts/choices.ts';
import { categoryName } from '../record-as-seen.ts';
import { en } from '../texts.ts';
import type { FormName, FormValues } from './form-values.ts';
import { hoursTable } from './hours-view.ts';
import { linesOf } from './phone-lines.ts';
import { placesFields } from './places-view.ts';
import { zoneNames } from './zone-by-place.ts';

const { form: texts } = en;

type TextName = Exclude<FormName, 'places' | 'opening_hours'>;
type Entry = Pick<Field, 'type' | 'hint' | 'maxlength'> & { readonly required?: true };

const entries: Readonly<Partial<Record<TextName, Entry>>> = {
  name: { required: true, maxlength: 300 },
  organization: { hint: texts.hints.organization, maxlength: 300 },
  description: { type: 'prose', maxlength: 10_000 },
  alert: { type: 'prose', hint: texts.hints.alert, maxlength: 1_000 },
  phones: { type: 'lines', hint: texts.hints.phones },
  email: { type: 'email', hint: texts.hints.email, maxlength: 254 },
  url: { type: 'url', hint: texts.hints.url, maxlength: 2_000 },
  hours: { type: 'prose', hint: texts.hints.hours, maxlength: 2_000 },
  eligibility: { type: 'prose', maxlength: 4_000 },
  cost: { type: 'prose', maxlength: 2_000 },
  how_to_apply: { type: 'prose', maxlength: 4_000 },
  documents: { type: 'lines', hint: texts.hints.lines },
  service_area: { type: 'lines', hint: texts.hints.lines },
};

/** The parts of the form, each with a heading. */
const parts = [
  ['what', ['name', 'organization', 'category', 'categories', 'description', 'alert', 'availability']],
  ['reach', ['phones', 'email', 'url']],
  ['place', ['places']],
  ['hours', ['hours', 'by_appointment', 'opening_hours', 'time_zone']],
  ['who', ['eligibility', 'free', 'cost', 'how_to_apply', 'documents', 'languages', 'service_area']],
] as const satisfies readonly (readonly [keyof typeof texts.parts, readonly FormName[]])[];

interface RecordForm {
  readonly action: string;
  readonly lead: string;
  readonly values: FormValues;
  /** What is wrong with them, if they were sent. */
  readonly problems: Problems;
  /** What a button of the form has done. */
  readonly message?: string | undefined;
  /** What the organizations of the team are called. */
  readonly organizations: readonly string[];
  /** The zone of its hours where it tells none, and from what. */
  readonly zone: string;
  /** The position of the newest event of the record. */
  readonly revision?: Position;
  /** What the button does. */
  readonly does: string;
  /** Where people go who do not want to save it. */
  readonly back: string;
  /** Sent along unseen. */
  readonly also?: Readonly<Record<string, string>>;
}

/** The form for a record. `again`: why it is shown again. */
export function recordForm(
  { team, formToken }: TeamPageContext,
  again: Again | undefined,
  {
    action,
    lead,
    values,
    problems,
    message,
    organizations,
    zone,
    revision,
    does,
    back,
    also = {},
  }: RecordForm,
): Html {
  const refused = again?.refused && !(again.refused instanceof RecordChanged) ? again.refused : undefined;
  const wrong = again && !again.refused ? problems : undefined;
  return html`${refused ? notice(refused.message, 'wrong') : ''} ${wrong ? notice(texts.wrong, 'wrong') : ''}
    ${message === undefined ? '' : notice(message, 'plain')}
    <p class="lead">${lead}</p>
    ${form({
      action: ofTeam(action, team.team),
      token: formToken,
      content: html`${hidden('team', team.team)}
        ${revision === undefined ? '' : hidden('revision', String(revision))}
        ${Object.entries(also).map(([key, value]) => hidden(key, value))}
        ${
          // The first button of a form is what the Enter key presses. It must save and remove nothing.
          html`<button type="submit" name="do" value="keep" class="unseen" tabindex="-1">
            ${texts.keep}
          </button>`
        }
        ${parts.map(
          ([part, names]) =>
            html`<fieldset class="card part">
              <legend>${texts.parts[part]}</legend>
              ${names.map((name) => entry(name, values, wrong ?? {}, { zone, organizations }))}
            </fieldset>`,
        )}
        <div class="choices">
          ${button(does, { name: 'do', value: 'save' })}
          <a class="button secondary" href="${ofTeam(back, team.team)}">${texts.cancel}</a>
        </div>`,
    })}`;
}

function entry(
  name: FormName,
  values: FormValues,
  problems: Problems,
  { zone, organizations }: Pick<RecordForm, 'zone' | 'organizations'>,
): Html {
  if (name === 'places') return placesFields(values.places, problems);
  if (name === 'opening_hours') return hoursTable(values.opening_hours, problems);
  const value = values[name];
  const error = problems[name];
  const label = texts.labels[name];
  const choice = { name, label, value, error };
  if (name === 'free' || name === 'by_appointment') return checkbox({ name, label, ticked: value === 'yes' });
  if (name === 'category')
    return selectField({
      ...choice,
      options: [...(value === '' ? [{ value: '', label: texts.choose }] : []), ...kindsOfHelp],
    });
  if (name === 'categories')
    return checkboxGroup({ ...choice, options: kindsOfHelp, values: linesOf(value) });
  if (name === 'availability') return selectField({ ...choice, options: texts.availabilities });
  if (name === 'languages') return languageFields(linesOf(value), error);
  if (name === 'time_zone') {
    const names = zoneNames(value).map((each) => ({ value: each, label: each }));
    return selectField({
      ...choice,
      hint: texts.hints.time_zone,
      options: [{ value: '', label: zone }, ...names],
    });
  }
  const { required, ...attributes } = entries[name] ?? {};
  const proposed = name === 'organization' ? { proposed: organizations } : {};
  return field({ ...choice, optional: required !== true, ...attributes, ...proposed });
}

const kindsOfHelp = categories.map((each) => ({ value: each, label: categoryName(each) }));

/** The common ones to tick, others one a line. All have one name. */
function languageFields(spoken: readonly string[], error: string | undefined): Html {
  const isCommon = (each: string): boolean => texts.commonLanguages.some((common) => common === each);
  return html`${checkboxGroup({
    name: 'languages',
    label: texts.labels.languages,
    options: texts.commonLanguages.map((each) => ({ value: each, label: each })),
    values: spoken,
  })}
  ${field({
    name: 'languages',
    label: texts.labels.otherLanguages,
    type: 'lines',
    hint: texts.hints.lines,
    optional: true,
    value: spoken.filter((each) => !isCommon(each)).join('\n'),
    error,
  })}`;
}
