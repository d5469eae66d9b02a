import { when } from '../controls.ts';
import { focusable } from './first-wrong-focused.ts';
import { html, type Html } from '../html.ts';

export interface Option {
  readonly value: string;
  readonly label: string;
  /** One sentence below the label. Not in a list to drop down. */
  readonly hint?: string;
}

/** Options below a heading, in a list to drop down. */
export interface OptionGroup {
  readonly heading: string;
  readonly options: readonly Option[];
}

interface Choice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly Option[];
  readonly hint?: string;
  readonly error?: string | undefined;
}

/** A list to drop down, with its label. `value`: the chosen one. `groups`: further options, below headings. */
export function selectField({
  name,
  label,
  options,
  groups = [],
  value = '',
  hint,
  error,
}: Choice & { readonly value?: string | undefined; readonly groups?: readonly OptionGroup[] }): Html {
  // An option ends where the next one begins (HTML, optional tags): lists of hundreds are sent with each page.
  // prettier-ignore
  const optionOf = (each: Option): Html =>
    html`<option${when(each.value !== each.label, html` value="${each.value}"`)}${when(each.value === value, html` selected`)}>${each.label}`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${when(hint !== undefined, html`<p class="hint" id="${name}-hint">${hint ?? ''}</p>`)}
    <select
      id="${name}"
      name="${name}"
      ${described(name, hint, error)}
      ${focusable({ isWrong: error !== undefined })}
    >
      ${options.map(optionOf)}
      ${groups.map(
        (each) => html`<optgroup label="${each.heading}">${each.options.map(optionOf)}</optgroup>`,
      )}
    </select>
    ${errorBelow(name, error)}
  </div>`;
}

/** One of several, all in view. */
export const radioGroup = ({ value, ...choice }: Choice & { readonly value?: string | undefined }): Html =>
  group({ ...choice, type: 'radio', chosen: value === undefined ? [] : [value] });

/** Any of several. The form has one field of this name for each that is ticked. */
export const checkboxGroup = ({ values, ...choice }: Choice & { readonly values: readonly string[] }): Html =>
  group({ ...choice, type: 'checkbox', chosen: values });

function group({
  name,
  label,
  options,
  hint,
  error,
  type,
  chosen,
}: Choice & { readonly type: 'radio' | 'checkbox'; readonly chosen: readonly string[] }): Html {
  return html`<fieldset class="field group" ${described(name, hint, error)}>
    <legend>${label}</legend>
    ${when(hint !== undefined, html`<p class="hint" id="${name}-hint">${hint ?? ''}</p>`)}
    ${options.map((option, index) => {
      const id = `${name}-${index}`;
      return html`<div class="check">
        <input
          type="${type}"
          id="${id}"
          name="${name}"
          value="${option.value}"
          ${when(chosen.includes(option.value), html`checked`)}
          ${focusable({ isWrong: index === 0 && error !== undefined })}
        />
        <label for="${id}"
          >${option.label}${when(
            option.hint !== undefined,
            html` <span class="hint">${option.hint ?? ''}</span>`,
          )}</label
        >
      </div>`;
    })}
    ${errorBelow(name, error)}
  </fieldset>`;
}

function described(name: string, hint: string | undefined, error: string | undefined): Html {
  const notes = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
  ];
  return html`${when(notes.length > 0, html`aria-describedby="${notes.join(' ')}"`)}
  ${when(error !== undefined, html`aria-invalid="true"`)}`;
}

const errorBelow = (name: string, error: string | undefined): Html | '' =>
  when(error !== undefined, html`<p class="error" id="${name}-error">${error ?? ''}</p>`);
