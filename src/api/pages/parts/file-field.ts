import { when } from '../controls.ts';
import { focusable } from './first-wrong-focused.ts';
import { html, type Html } from '../html.ts';

/** A field for one file. It stands last in its form, which says `file: true`. */
export const fileField = ({
  name,
  label,
  hint,
  accept,
  error,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** The endings that the browser offers first, such as `.zip`. */
  readonly accept: readonly string[];
  readonly error?: string | undefined;
}): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <p class="hint" id="${name}-hint">${hint}</p>
    <input
      type="file"
      id="${name}"
      name="${name}"
      accept="${accept.join(',')}"
      required
      aria-describedby="${name}-hint${error === undefined ? '' : ` ${name}-error`}"
      ${when(error !== undefined, html`aria-invalid="true"`)}
      ${focusable({ isWrong: error !== undefined })}
    />
    ${when(error !== undefined, html`<p class="error" id="${name}-error">${error ?? ''}</p>`)}
  </div>`;
