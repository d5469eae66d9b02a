import { longest } from '../../events/forms/answers.ts';
import type { FormField, TextByLanguage } from '../../events/forms/definition.ts';
import { when } from '../pages/controls.ts';
import { focusable } from '../pages/parts/first-wrong-focused.ts';
import { html, type Html } from '../pages/html.ts';
import type { Texts } from '../pages/frame/texts.ts';

/** Writes the texts of the team in the language that was chosen for them. */
export class TeamTexts {
  /** The language in which most of the texts are shown. */
  readonly language: string;
  readonly #first: string;
  readonly #page: string;

  /** `wanted`: languages in the order in which they are wanted. `page`: the language of the page around the texts. */
  constructor(languages: readonly string[], wanted: readonly string[], page: string) {
    this.#first = languages[0] ?? page;
    this.#page = page;
    this.language = wanted.find((each) => languages.includes(each)) ?? this.#first;
  }

  plain(text: TextByLanguage): string {
    return text[this.language] ?? text[this.#first] ?? '';
  }

  /** Marked with its language, where that is not the page's, so that a screen reader pronounces it. */
  html(text: TextByLanguage): Html {
    const language = text[this.language] === undefined ? this.#first : this.language;
    const shown = this.plain(text);
    return language === this.#page ? html`${shown}` : html`<span lang="${language}">${shown}</span>`;
  }

  /** Blank lines end paragraphs. */
  paragraphs(text: TextByLanguage): Html {
    const language = text[this.language] === undefined ? this.#first : this.language;
    const parts = this.plain(text).split(/\n{2,}/);
    return html`${parts.map(
      (part) =>
        html`<p ${when(language !== this.#page, html`lang="${language}"`)}>
          ${part.split('\n').map((line, at) => html`${at === 0 ? '' : html`<br />`}${line}`)}
        </p>`,
    )}`;
  }
}

export interface FieldView {
  readonly field: FormField;
  /** What was typed or chosen before. */
  readonly values: readonly string[];
  readonly error: string | undefined;
}

/** The id of the element to which the summary of the errors leads. */
export const fieldId = ({ key }: FormField): string => `field-${key}`;

/** Choices of more options are a list to open, where one may be chosen. */
const mostRadioButtons = 7;

/** A field with its label, help and error, which a screen reader reads together. */
export function fieldControl(view: FieldView, team: TeamTexts, texts: Texts): Html {
  const { field, values, error } = view;
  if (field.kind === 'checkbox') return checkbox(view, team, texts);
  if (field.kind === 'choice' && (field.several === true || (field.options ?? []).length <= mostRadioButtons))
    return options(view, team, texts);
  const id = fieldId(field);
  const attributes = html`id="${id}" name="${field.key}" ${described(view, texts)}
  ${when(error !== undefined, html`aria-invalid="true"`)} ${when(field.required, html`required`)}
  ${focusable({ isWrong: error !== undefined })}`;
  const [value = ''] = values;
  return html`<div class="field">
    <label for="${id}">${team.html(field.label)}${optional(field, texts)}</label>
    ${help(view, team, texts)} ${errorText(view)}
    ${
      field.kind === 'choice'
        ? html`<select ${attributes}>
            <option value="">${texts.form.choose}</option>
            ${(field.options ?? []).map(
              (each) =>
                html`<option value="${each.key}" ${when(each.key === value, html`selected`)}>
                  ${team.plain(each.label)}
                </option>`,
            )}
          </select>`
        : field.kind === 'long_text'
          ? html`<textarea rows="5" maxlength="${longest.long_text}" ${attributes}>${value}</textarea>`
          : html`<input ${inputs[field.kind]} value="${value}" ${attributes} />`
    }
  </div>`;
}

/** How each kind is typed. A number is text: browsers change a number field by scrolling, and hide what is no number. */
const inputs = {
  text: html`type="text" maxlength="${longest.text}"`,
  email: html`type="email" maxlength="${longest.email}" autocomplete="email" spellcheck="false"
  autocapitalize="none"`,
  phone: html`type="tel" maxlength="${longest.phone}" autocomplete="tel"`,
  number: html`type="text" inputmode="decimal" maxlength="30"`,
  date: html`type="date"`,
} as const;

function checkbox(view: FieldView, team: TeamTexts, texts: Texts): Html {
  const { field, values, error } = view;
  const id = fieldId(field);
  return html`<div class="field">
    <div class="check">
      <input
        type="checkbox"
        id="${id}"
        name="${field.key}"
        value="yes"
        ${described(view, texts)}
        ${when(error !== undefined, html`aria-invalid="true"`)}
        ${when(field.required, html`required`)}
        ${when(values.length > 0, html`checked`)}
        ${focusable({ isWrong: error !== undefined })}
      />
      <label for="${id}">${team.html(field.label)}${optional(field, texts)}</label>
    </div>
    ${help(view, team, texts)} ${errorText(view)}
  </div>`;
}

/** Radio buttons, or boxes where several may be chosen. */
function options(view: FieldView, team: TeamTexts, texts: Texts): Html {
  const { field, values, error } = view;
  const several = field.several === true;
  return html`<fieldset ${described(view, texts)} ${when(error !== undefined, html`aria-invalid="true"`)}>
    <legend>${team.html(field.label)}${optional(field, texts)}</legend>
    ${help(view, team, texts)} ${errorText(view)}
    ${(field.options ?? []).map((each, at) => {
      const id = at === 0 ? fieldId(field) : `${fieldId(field)}-${each.key}`;
      return html`<div class="check">
        <input
          type="${several ? 'checkbox' : 'radio'}"
          id="${id}"
          name="${field.key}"
          value="${each.key}"
          ${when(field.required && !several, html`required`)}
          ${when(values.includes(each.key), html`checked`)}
          ${focusable({ isWrong: at === 0 && error !== undefined })}
        />
        <label for="${id}">${team.html(each.label)}</label>
      </div>`;
    })}
  </fieldset>`;
}

const optional = ({ required, kind }: FormField, { form }: Texts): Html | '' =>
  required || kind === 'checkbox' ? '' : html` <span class="optional">${form.optional}</span>`;

function boundsOf({ kind, minimum, maximum }: FormField, { form }: Texts): string | undefined {
  if (kind !== 'number') return undefined;
  if (minimum === undefined) return maximum === undefined ? undefined : form.numberUpTo({ maximum });
  return maximum === undefined ? form.numberFrom({ minimum }) : form.numberBetween({ minimum, maximum });
}

function help({ field }: FieldView, team: TeamTexts, texts: Texts): Html | '' {
  const bounds = boundsOf(field, texts);
  if (field.help === undefined && bounds === undefined) return '';
  return html`<p class="hint" id="${fieldId(field)}-hint">
    ${field.help === undefined ? '' : team.html(field.help)} ${bounds ?? ''}
  </p>`;
}

const errorText = ({ field, error }: FieldView): Html | '' =>
  error === undefined ? '' : html`<p class="error" id="${fieldId(field)}-error">${error}</p>`;

function described({ field, error }: FieldView, texts: Texts): Html | '' {
  const hinted = field.help !== undefined || boundsOf(field, texts) !== undefined;
  const notes = [
    ...(hinted ? [`${fieldId(field)}-hint`] : []),
    ...(error === undefined ? [] : [`${fieldId(field)}-error`]),
  ];
  return notes.length === 0 ? '' : html`aria-describedby="${notes.join(' ')}"`;
}
