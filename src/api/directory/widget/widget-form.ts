import { languageName } from '../../../projections/directory/languages.ts';
import { languages } from '../../pages/frame/language.ts';
import { categories } from '../../../events/directory/category.ts';
import { inputFields, Wrong, type InputField } from '../../pages/action-form.ts';
import { button, form, when, type Problems } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { paths } from '../../pages/paths.ts';
import { radioGroup, selectField } from '../../pages/parts/choices.ts';
import { domainsField, domainsIn } from '../../pages/parts/domains.ts';
import { categoryName } from '../dash/record-as-seen.ts';
import { en } from './texts.ts';
import { colourNames, defaultOptions, optionsIn } from './widget-options.ts';
import type { CurrentTeam } from '../../pages/page-context.ts';

const domainsOfKey: InputField = {
  ...domainsField('', { hint: en.form.domains, optional: false }),
  read(typed) {
    const { domains, problem } = { domains: [], ...domainsIn(typed) };
    return problem === undefined ? domains : new Wrong(problem);
  },
  wrong: en.form.noDomain,
};

const ownerOfKey = (teams: readonly CurrentTeam[]): InputField => ({
  name: 'owner',
  label: en.form.owner,
  hint: en.form.ownerHint,
  // No slug is empty.
  options: [
    { value: '', label: en.form.own },
    ...teams.map(({ team, name }) => ({ value: team, label: en.form.ofTeam(name) })),
  ],
  wrong: en.form.otherOwner,
});

const optionFields: readonly InputField[] = [
  {
    name: 'near',
    label: en.form.near,
    hint: en.form.nearHint,
    optional: true,
    autocomplete: 'off',
    wrong: en.form.wrongNear,
  },
  {
    name: 'limit',
    label: en.form.limit,
    type: 'number',
    value: String(defaultOptions.limit),
    wrong: en.form.wrongLimit,
  },
  {
    name: 'target',
    label: en.form.target,
    hint: en.form.targetHint,
    value: defaultOptions.target,
    autocomplete: 'off',
    wrong: en.form.wrongTarget,
  },
  ...colourNames.map((name) => ({
    name,
    label: en.form.colours[name],
    hint: en.form.colourHints[name],
    optional: true,
    autocomplete: 'off',
    wrong: en.form.wrongColour,
  })),
];

/** What can be wrong in the form. `teams`: whose keys the person may change. */
export const widgetFields = (teams: readonly CurrentTeam[]): readonly InputField[] => [
  domainsOfKey,
  ownerOfKey(teams),
  ...optionFields,
];

/** The form for a widget, with what was typed. */
export const widgetForm = ({
  token,
  teams,
  typed,
  problems,
}: {
  readonly token: string;
  readonly teams: readonly CurrentTeam[];
  readonly typed: URLSearchParams;
  readonly problems: Problems;
}): Html => {
  const { options } = optionsIn(typed);
  return html`<section class="card">
    <h2>${en.form.heading}</h2>
    ${form({
      action: paths.widget,
      token,
      label: en.form.heading,
      content: html`${inputFields([domainsOfKey, ownerOfKey(teams)], typed, problems)}
        ${selectField({
          name: 'category',
          label: en.form.category,
          options: [
            { value: '', label: en.form.all },
            ...categories.map((value) => ({ value, label: categoryName(value) })),
          ],
          value: options.category,
        })}
        ${radioGroup({
          name: 'theme',
          label: en.form.theme,
          options: [
            { value: 'light', label: en.form.light },
            { value: 'dark', label: en.form.dark },
          ],
          value: options.theme,
        })}
        ${selectField({
          name: 'language',
          label: en.form.language,
          options: [
            { value: '', label: en.form.asPage },
            ...languages.map((value) => ({ value, label: languageName(value, 'en') })),
          ],
          value: options.language,
        })}
        ${when(
          teams.length > 0,
          selectField({
            name: 'team',
            label: en.form.team,
            options: [
              { value: '', label: en.form.everyTeam },
              ...teams.map(({ team, name }) => ({ value: team, label: name })),
            ],
            value: options.team,
          }),
        )}
        ${inputFields(optionFields, typed, problems)}
        <div class="choices">
          ${button(en.form.create)}
          ${button(en.form.preview, { weight: 'secondary', name: 'do', value: 'preview' })}
        </div>`,
    })}
  </section>`;
};
