import { languageName } from '../../../projections/directory/languages.ts';
import { languages } from '../../pages/frame/language.ts';
import { categories } from '../../../events/directory/category.ts';
import { button, fields, form, type Problems } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { paths } from '../../pages/paths.ts';
import { radioGroup, selectField } from '../../pages/parts/choices.ts';
import { domainsField } from '../../pages/parts/domains.ts';
import { categoryName } from '../dash/record-as-seen.ts';
import { en } from './texts.ts';
import { defaultOptions, type WidgetOptions } from './widget-options.ts';
import type { CurrentTeam } from '../../pages/page-context.ts';

/** The owner who is no team: no slug is empty. */
export const ownKey = '';

/** The form for a widget, with what was typed. */
export const widgetForm = ({
  token,
  owners,
  form: given = new URLSearchParams(),
  options,
  problems,
}: {
  readonly token: string;
  /** The teams whose keys the person may change. */
  readonly owners: readonly CurrentTeam[];
  readonly form?: URLSearchParams | undefined;
  readonly options: WidgetOptions;
  readonly problems: Problems;
}): Html =>
  html`<section class="card">
    <h2>${en.form.heading}</h2>
    ${form({
      action: paths.widget,
      token,
      label: en.form.heading,
      content: html`${fields(
          [domainsField(given.get('domains') ?? '', { hint: en.form.domains, optional: false })],
          problems,
        )}
        ${selectField({
          name: 'owner',
          label: en.form.owner,
          hint: en.form.ownerHint,
          options: [
            { value: ownKey, label: en.form.own },
            ...owners.map(({ team, name }) => ({ value: team, label: en.form.ofTeam(name) })),
          ],
          value: given.get('owner') ?? ownKey,
          error: problems['owner'],
        })}
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
        ${fields(
          [
            {
              name: 'limit',
              label: en.form.limit,
              type: 'number',
              value: given.get('limit') ?? String(defaultOptions.limit),
            },
            {
              name: 'target',
              label: en.form.target,
              hint: en.form.targetHint,
              value: given.get('target') ?? defaultOptions.target,
              autocomplete: 'off',
            },
          ],
          problems,
        )}
        <div class="choices">
          ${button(en.form.create)}
          ${button(en.form.preview, { weight: 'secondary', name: 'do', value: 'preview' })}
        </div>`,
    })}
  </section>`;
