import { mistakeKinds, type MistakeKind } from '../../../events/directory/upkeep/mistake.ts';
import { firstWrongFocused, focusable } from '../../pages/parts/first-wrong-focused.ts';
import { html, type Html } from '../../pages/html.ts';
import { hidden, notice, when } from '../../pages/controls.ts';
import { recordPath, reportPath } from '../pages/record-view.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import { typedText } from './suggest-values.ts';

/** The fields of the form, as they were filled in. */
export interface ReportFields {
  readonly what: string;
  readonly text: string;
  readonly contact: string;
}

export interface CheckedReport {
  readonly kind: MistakeKind;
  readonly texts: { readonly text?: string; readonly contact?: string };
}

export type ReportProblems = Partial<Readonly<Record<keyof ReportFields | 'form', string>>>;

/** The most characters of the text. */
const longestText = 2_000;
const longestContact = 254;

export const fieldsOfForm = (form: URLSearchParams): ReportFields => ({
  what: form.get('what') ?? '',
  text: typedText(form.get('text')),
  contact: typedText(form.get('contact')),
});

/** What was reported, or what is wrong with the fields. */
export function checked(
  { what, text, contact }: ReportFields,
  { report }: Texts,
): CheckedReport | ReportProblems {
  const kind = mistakeKinds.find((each) => each === what);
  const problems: ReportProblems = {
    ...(kind === undefined ? { what: report.problems.what } : {}),
    ...(Array.from(text).length > longestText
      ? { text: report.problems.textTooLong }
      : kind === 'other' && text === ''
        ? { text: report.problems.textMissing }
        : {}),
    ...(contact === '' || isContact(contact) ? {} : { contact: report.problems.contact }),
  };
  if (kind === undefined || Object.keys(problems).length > 0) return problems;
  return { kind, texts: { ...(text === '' ? {} : { text }), ...(contact === '' ? {} : { contact }) } };
}

/** An email address, or something with the digits of a phone number. */
export const isContact = (contact: string): boolean =>
  contact.length <= longestContact &&
  (/^[^\s@]+@[^\s@]+$/.test(contact) ||
    (/^[+\d][\d ().\-/x]*$/i.test(contact) && /(\d\D*){7}/.test(contact)));

interface FormView {
  readonly svcId: string;
  readonly name: string;
  readonly token: string;
  readonly fields: ReportFields;
  readonly problems: ReportProblems;
}

/** The form. The browser does not check it: problems are shown beside the fields, of which the first has the focus. */
export function reportForm({ svcId, name, token, fields, problems }: FormView, { report }: Texts): Html {
  return html`<p class="lead">${report.lead({ name })}</p>
    ${problems.form === undefined ? '' : notice(problems.form, 'wrong')}
    <form method="post" action="${reportPath(svcId)}" novalidate>
      ${hidden('token', token)} ${firstWrongFocused(reportFields(fields, problems, report))}
      <div class="trap" aria-hidden="true">
        <label for="more">${report.trap}</label>
        <input type="text" id="more" name="more" tabindex="-1" autocomplete="off" />
      </div>
      <button type="submit" class="primary">${report.send}</button>
    </form>
    <p><a href="${recordPath(svcId)}">${report.back}</a></p>`;
}

const reportFields = (fields: ReportFields, problems: ReportProblems, report: Texts['report']): Html =>
  html`<fieldset
      ${when(problems.what !== undefined, html`aria-describedby="what-error" aria-invalid="true"`)}
    >
      <legend>${report.what}</legend>
      ${mistakeKinds.map(
        (kind, index) =>
          html`<div class="check">
            <input
              type="radio"
              id="what-${kind}"
              name="what"
              value="${kind}"
              required
              ${when(kind === fields.what, html`checked`)}
              ${focusable({ isWrong: index === 0 && problems.what !== undefined })}
            />
            <label for="what-${kind}">${report.choices[kind]}</label>
          </div>`,
      )}
      ${error('what', problems)}
    </fieldset>
    <div class="field">
      <label for="text">${report.text} <span class="optional">${report.optional}</span></label>
      <p class="hint" id="text-hint">${report.textHint}</p>
      <textarea id="text" name="text" rows="4" maxlength="${longestText}" ${described('text', problems)}>
${fields.text}</textarea>
      ${error('text', problems)}
    </div>
    <div class="field">
      <label for="contact">${report.contact} <span class="optional">${report.optional}</span></label>
      <p class="hint" id="contact-hint">${report.contactHint}</p>
      <input
        type="text"
        id="contact"
        name="contact"
        maxlength="${longestContact}"
        value="${fields.contact}"
        spellcheck="false"
        autocapitalize="none"
        ${described('contact', problems)}
      />
      ${error('contact', problems)}
    </div>`;

const error = (name: keyof ReportFields, problems: ReportProblems): Html | '' =>
  problems[name] === undefined ? '' : html`<p class="error" id="${name}-error">${problems[name]}</p>`;

const described = (name: keyof ReportFields, problems: ReportProblems): Html =>
  problems[name] === undefined
    ? html`aria-describedby="${name}-hint"`
    : html`aria-describedby="${name}-hint ${name}-error" aria-invalid="true" ${focusable({ isWrong: true })}`;
