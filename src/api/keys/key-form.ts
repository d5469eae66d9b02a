import { displayName, misleads } from '../../events/display-name.ts';
import type { KeyScope } from '../../events/teams.ts';
import { inputFields, Wrong, type InputField } from '../pages/action-form.ts';
import { button, form, hidden, type Problems } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { domainsField, domainsIn } from '../pages/parts/domains.ts';
import { misleadingNameSentence } from '../pages/parts/misleading-name.ts';
import { addressIn, type KeyHome } from './key-home.ts';
import { en, scopeTexts } from './texts.ts';

/** The domains of a key that is used from everywhere while there are none. */
export const keyDomainsField = (value = ''): InputField => ({
  ...domainsField(value, { hint: en.create.domains, optional: true }),
  read(typed) {
    const { problem, ...read } = { domains: [], ...domainsIn(typed) };
    return problem === undefined ? read.domains : new Wrong(problem);
  },
});

/** The fields of a new key that can be given these scopes. */
export const newKeyFields = (scopes: readonly KeyScope[]): readonly InputField[] => [
  {
    name: 'label',
    label: en.create.label,
    hint: en.create.labelHint,
    autocomplete: 'off',
    maxlength: 200,
    optional: true,
    read(typed) {
      if (typed === '' || displayName(200).safeParse(typed).success) return typed || undefined;
      return new Wrong(misleads(typed) ? misleadingNameSentence : en.create.labelLong);
    },
  },
  {
    name: 'scopes',
    label: en.create.scopes,
    options: scopes.map((scope) => ({ value: scope, label: scopeTexts[scope], hint: scope })),
    ticked: ['resources:read'],
    read: (_, chosen) => (chosen.length === 0 ? new Wrong(en.create.noScope) : chosen),
    wrong: en.create.otherScope,
  },
  keyDomainsField(),
];

/** The form for a new key. */
export const keyForm = (
  home: KeyHome,
  token: string,
  fields: readonly InputField[],
  typed: URLSearchParams,
  problems: Problems,
): Html =>
  html`<section class="card">
    <h2>${en.create.heading}</h2>
    ${form({
      action: addressIn(home, home.path),
      token,
      label: en.create.heading,
      content: html`${Object.entries(home.values).map(([name, value]) => hidden(name, value))}
      ${inputFields(fields, typed, problems)} ${button(en.create.button)}`,
    })}
  </section>`;
