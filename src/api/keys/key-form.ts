import { displayName, misleads } from '../../events/display-name.ts';
import { isExpiry } from '../../events/keys.ts';
import type { KeyScope } from '../../events/teams.ts';
import { inputFields, Wrong, type InputField } from '../pages/action-form.ts';
import { button, form, hidden, type Problems } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { dayEnds, zoneHint } from '../pages/reader-clock.ts';
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

/** When a new key ends: a day of the reader, of which it is valid to the end. */
export const expiryField = (now: Date): InputField => ({
  name: 'expires',
  input: 'expires_at',
  label: en.create.expires,
  type: 'date',
  hint: [en.create.expiresHint, zoneHint()].filter((each) => each !== undefined).join(' '),
  optional: true,
  read(typed) {
    if (typed === '') return undefined;
    const end = dayEnds(typed);
    return end !== undefined && isExpiry(end, now) ? end.toISOString() : new Wrong(en.create.expiresWrong);
  },
});

const daysOf = new Map([
  ['day', 1],
  ['week', 7],
  ['month', 30],
]);

/** When a key that is rolled ends, counted from now. */
export const oldEndField = (now: Date): InputField => ({
  name: 'old',
  input: 'old_expires_at',
  label: en.roll.old,
  options: Object.entries(en.roll.ends).map(([value, label]) => ({ value, label })),
  value: 'never',
  read(typed) {
    if (typed === 'never') return undefined;
    const days = daysOf.get(typed);
    return days === undefined
      ? new Wrong(en.roll.endsWrong)
      : new Date(now.getTime() + days * 86_400_000).toISOString();
  },
});

/** The fields of a new key that can be given these scopes. */
export const newKeyFields = (scopes: readonly KeyScope[], now: Date): readonly InputField[] => [
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
  expiryField(now),
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
