import { displayName, misleads } from '../../events/display-name.ts';
import { keyScope, type KeyScope } from '../../events/teams/team.ts';
import { button, fields, form, hidden, type Problems } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { misleadingNameSentence } from '../pages/parts/misleading-name.ts';
import { checkboxGroup } from '../pages/parts/choices.ts';
import { domainsField, domainsIn } from '../pages/parts/domains.ts';
import type { KeyHome } from './key-home.ts';
import { en, scopeTexts } from './texts.ts';

/** What was typed for a new key. */
interface Typed {
  readonly label: string;
  readonly scopes: readonly string[];
  readonly domains: string;
}

export const emptyKeyForm: Typed = { label: '', scopes: ['resources:read'], domains: '' };

/** The form for a new key. */
export const keyForm = (home: KeyHome, token: string, typed: Typed, problems: Problems = {}): Html =>
  html`<section class="card">
    <h2>${en.create.heading}</h2>
    ${form({
      action: home.path,
      token,
      label: en.create.heading,
      content: html`${Object.entries(home.values).map(([name, value]) => hidden(name, value))}
      ${fields(
        [
          {
            name: 'label',
            label: en.create.label,
            value: typed.label,
            hint: en.create.labelHint,
            autocomplete: 'off',
            maxlength: 200,
            optional: true,
          },
        ],
        problems,
      )}
      ${checkboxGroup({
        name: 'scopes',
        label: en.create.scopes,
        options: home.scopes.map((scope) => ({ value: scope, label: scopeTexts[scope], hint: scope })),
        values: typed.scopes,
        error: problems['scopes'],
      })}
      ${fields([domainsField(typed.domains, { hint: en.create.domains, optional: true })], problems)}
      ${button(en.create.button)}`,
    })}
  </section>`;

/** The key that a form asks for. Undefined when something is wrong: the problems say what. */
export function keyIn(
  form: URLSearchParams,
  home: KeyHome,
): {
  readonly typed: Typed;
  readonly problems: Problems;
  readonly wish?: {
    readonly label?: string;
    readonly scopes: readonly KeyScope[];
    readonly domains: readonly string[];
  };
} {
  const typed = {
    label: (form.get('label') ?? '').trim(),
    scopes: form.getAll('scopes'),
    domains: form.get('domains') ?? '',
  };
  const label = displayName(200)
    .optional()
    .safeParse(typed.label === '' ? undefined : typed.label);
  const scopes = typed.scopes.flatMap((each) => {
    const scope = keyScope.safeParse(each);
    return scope.success && home.scopes.includes(scope.data) ? [scope.data] : [];
  });
  const { problem, ...read } = { domains: [], ...domainsIn(typed.domains) };
  const scopeProblem =
    typed.scopes.length === 0
      ? en.create.noScope
      : scopes.length < typed.scopes.length
        ? en.create.otherScope
        : undefined;
  const problems = {
    label: label.success ? undefined : misleads(typed.label) ? misleadingNameSentence : en.create.labelLong,
    scopes: scopeProblem,
    domains: problem,
  };
  if (!label.success || scopeProblem !== undefined || problem !== undefined) return { typed, problems };
  const named = label.data === undefined ? {} : { label: label.data };
  return { typed, problems, wish: { ...named, scopes, domains: read.domains } };
}
