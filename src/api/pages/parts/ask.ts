import { button, form, hidden, when } from '../controls.ts';
import { html, type Html } from '../html.ts';

interface Ask {
  /** What the button does, such as Revoke. */
  readonly label: string;
  /** To what, for a screen reader: there may be many such buttons. */
  readonly of: string;
  /** What will happen, and whether it can be undone. */
  readonly sentence: string | Html;
  readonly action: string;
  readonly token: string;
  /** Hidden fields by name. */
  readonly values?: Readonly<Record<string, string>>;
  /** Further fields of the form, such as a reason. */
  readonly fields?: Html;
  /** The words on the button that does it. Default: `label`. */
  readonly confirm?: string;
  readonly weight?: 'danger' | 'secondary' | 'primary';
  /** The key of the keyboard that opens it. */
  readonly key?: string;
  /** It is open at once, because what was typed was wrong. */
  readonly open?: boolean;
}

/** A button that asks in place before it does something. Works without a script. */
export const ask = ({
  label,
  of,
  sentence,
  action,
  token,
  values = {},
  fields,
  confirm = label,
  weight = 'danger',
  open = false,
  key,
}: Ask): Html =>
  html`<details class="ask" ${when(open, html`open`)}>
    <summary class="button ${weight}" ${when(key !== undefined, html`data-key="${key ?? ''}"`)}>
      ${label}<span class="unseen"> ${of}</span>
    </summary>
    <div class="asked">
      <p>${sentence}</p>
      ${form({
        action,
        token,
        label: `${label} ${of}`,
        content: html`${Object.entries(values).map(([name, value]) => hidden(name, value))}${fields ?? ''}
        ${button(confirm, { weight: weight === 'secondary' ? 'primary' : weight, of })}`,
      })}
    </div>
  </details>`;
