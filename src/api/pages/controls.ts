import { randomUUID } from 'node:crypto';
import { onceField } from './form-command.ts';
import { firstWrongFocused, focusable } from './parts/first-wrong-focused.ts';
import { html, type Html } from './html.ts';

import { withTimes } from './time.ts';

export { time } from './time.ts';

/** Error sentences by field name. */
export type Problems = Readonly<Record<string, string | undefined>>;

export interface Field {
  readonly name: string;
  readonly label: string;
  /** `lines`: one value a line. `prose`: a longer text. */
  readonly type?:
    'text' | 'email' | 'password' | 'tel' | 'url' | 'number' | 'date' | 'datetime-local' | 'lines' | 'prose';
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly autocomplete?: string;
  readonly optional?: boolean;
  readonly readonly?: boolean;
  readonly autofocus?: boolean;
  readonly maxlength?: number;
  /** A browser proposes these. Anything else can be typed too. */
  readonly proposed?: readonly string[];
}

/** A field with its label, hint and error. A screen reader reads them together. */
export function field(input: Field): Html {
  const { name, label, type = 'text', hint, error } = input;
  const notes = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
  ];
  const attributes = html`id="${name}" name="${name}"
  ${when(input.autocomplete !== undefined, html`autocomplete="${input.autocomplete ?? ''}"`)}
  ${when(input.maxlength !== undefined, html`maxlength="${input.maxlength ?? ''}"`)}
  ${when(notes.length > 0, html`aria-describedby="${notes.join(' ')}"`)}
  ${when(error !== undefined, html`aria-invalid="true"`)} ${when(!input.optional, html`required`)}
  ${when(input.readonly, html`readonly`)}
  ${focusable({ focused: input.autofocus, isWrong: error !== undefined })}`;
  const plain = type === 'email' || type === 'url' || type === 'tel';
  return html`<div class="field">
    <label for="${name}"
      >${label}${when(input.optional, html` <span class="optional">optional</span>`)}</label
    >
    ${when(hint !== undefined, html`<p class="hint" id="${name}-hint">${hint ?? ''}</p>`)}
    ${
      type === 'lines' || type === 'prose'
        ? html`<textarea
            rows="3"
            ${type === 'lines' ? html`class="lines" spellcheck="false"` : ''}
            ${attributes}
          >
${input.value ?? ''}</textarea>`
        : html`<input
            type="${type}"
            value="${input.value ?? ''}"
            ${when(input.proposed !== undefined, html`list="${name}-proposed"`)}
            ${when(plain, html`spellcheck="false" autocapitalize="none"`)}
            ${attributes}
          />`
    }
    ${when(
      input.proposed !== undefined,
      html`<datalist id="${name}-proposed">
        ${(input.proposed ?? []).map((each) => html`<option value="${each}"></option>`)}
      </datalist>`,
    )}
    ${when(error !== undefined, html`<p class="error" id="${name}-error">${withTimes(error ?? '')}</p>`)}
  </div>`;
}

/** A checkbox. `value` is sent only when it is ticked. */
export const checkbox = ({
  name,
  label,
  ticked,
}: {
  readonly name: string;
  readonly label: string;
  readonly ticked: boolean;
}): Html =>
  html`<div class="field check">
    <input type="checkbox" id="${name}" name="${name}" value="yes" ${when(ticked, html`checked`)} />
    <label for="${name}">${label}</label>
  </div>`;

/** Fields with the error beside each. */
export const fields = (all: readonly Field[], problems: Problems = {}): Html =>
  html`${all.map((each) => field({ error: problems[each.name], ...each }))}`;

export interface Form {
  readonly action: string;
  readonly token: string;
  readonly content: Html;
  /** Distinguishes several forms of one page for a screen reader. */
  readonly label?: string;
  readonly inline?: boolean;
  /** It has a file. Everything else stands before the file. */
  readonly file?: boolean;
}

/**
 * A form that posts to us. The browser does not validate it: we show the errors beside the fields. The first field with an
 * error gets the focus.
 */
export const form = ({ action, token, content, label, inline = false, file = false }: Form): Html =>
  // In one line: a page may have a form in each row.
  html`<form${when(inline, html` class="inline"`)}${when(file, html` enctype="multipart/form-data"`)}${when(label !== undefined, html` aria-label="${label ?? ''}"`)} method="post" action="${action}" novalidate>
    ${hidden('token', token)}${hidden(onceField, anOnce())}${firstWrongFocused(content)}
  </form>`;

/** A value that no other form has. Ids are drawn many at a time: a page with a form in each row needs hundreds of bytes. */
const anOnce = (): string => Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

type Weight = 'primary' | 'secondary' | 'danger' | 'quiet';

export function button(
  label: string,
  {
    weight = 'primary',
    name,
    value,
    of,
    key,
  }: { weight?: Weight; name?: string; value?: string; of?: string; key?: string } = {},
): Html {
  return html`<button${when(name !== undefined, html` name="${name ?? ''}" value="${value ?? ''}"`)}${when(key !== undefined, html` data-key="${key ?? ''}"`)} type="submit" class="${weight}">
    ${label}${when(of !== undefined, html`<span class="unseen"> ${of ?? ''}</span>`)}
  </button>`;
}

/** A message at the top of a page. A screen reader reads it at once. `beside`: what can be done about it. */
export const notice = (
  text: string | Html,
  kind: 'done' | 'wrong' | 'plain' = 'done',
  beside: Html | '' = '',
): Html =>
  html`<div class="notice ${kind}" role="${kind === 'wrong' ? 'alert' : 'status'}">
    <p>${typeof text === 'string' ? withTimes(text) : text}</p>
    ${beside}
  </div>`;

/** What the page before this one has done. It redirects with `?done=` and a key of `texts`. Other values show nothing. */
export const doneText = <Key extends string>(
  query: URLSearchParams,
  texts: Readonly<Record<Key, string>>,
): string | undefined => {
  const done = query.get('done');
  return done !== null && Object.hasOwn(texts, done) ? texts[done as Key] : undefined;
};

/** The content if the condition holds, else nothing. */
export const when = (condition: boolean | undefined, content: Html): Html | '' => (condition ? content : '');
