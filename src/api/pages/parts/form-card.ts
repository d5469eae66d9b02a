import { button, form } from '../controls.ts';
import { html, type Html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { paths } from '../paths.ts';

/** A form by itself, with what it does and the way back. `back`: default the person's account. */
export const formCard = (
  { formToken }: PageContext,
  {
    action,
    content = html``,
    submit,
    back = paths.me,
    ...options
  }: {
    readonly action: string;
    readonly content?: Html;
    readonly submit: string;
    readonly weight?: 'danger';
    readonly back?: string;
  },
): Html =>
  html`<section class="card">
    ${form({
      action,
      token: formToken,
      content: html`${content}
        <div class="choices">
          ${button(submit, options)} <a class="button secondary" href="${back}">Cancel</a>
        </div>`,
    })}
  </section>`;
