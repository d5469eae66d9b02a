import type { AnswerProblem } from '../../events/forms/answers.ts';
import type { FormDocument } from '../../projections/forms.ts';
import { hidden, notice, when } from '../pages/controls.ts';
import { firstWrongFocused } from '../pages/parts/first-wrong-focused.ts';
import { html, type Html } from '../pages/html.ts';
import { inLanguage } from '../pages/frame/public-frame.ts';
import { languages } from '../pages/frame/language.ts';
import type { PublicContext, PublicView } from '../pages/frame/public-page.ts';
import { formPath } from './form-path.ts';
import { ownNames } from './form-input.ts';
import type { Texts } from '../pages/frame/texts.ts';
import { fieldControl, fieldId, TeamTexts } from './field-controls.ts';

export type FormContext = PublicContext;

/** What is wrong with what was sent. */
export interface SentProblems {
  readonly answers: ReadonlyMap<string, AnswerProblem>;
  /** About the whole form. */
  readonly form?: string;
}

export interface FormPageView {
  readonly form: FormDocument;
  readonly teamName: string;
  readonly token: string;
  /** What was typed before, by the keys of the fields. */
  readonly answers: ReadonlyMap<string, unknown>;
  /** Whether a receipt is wanted. Undefined: none is offered. */
  readonly receipt: boolean | undefined;
  readonly problems: SentProblems | undefined;
}

/** The language that the address names comes first, also where the page around the form has no such language. */
export const teamTexts = ({ definition }: FormDocument, { language, query }: FormContext): TeamTexts =>
  new TeamTexts(definition.languages, [query.get('lang') ?? '', language], language);

/**
 * The form. The browser does not check it: problems are shown in a summary and beside the fields, of which the first has
 * the focus.
 */
export function formView(view: FormPageView, context: FormContext): PublicView {
  const { form, problems } = view;
  const { texts } = context;
  const team = teamTexts(form, context);
  const { definition } = form;
  const fields = definition.fields.map((field) => {
    const problem = problems?.answers.get(field.key);
    return {
      field,
      values: shown(view.answers.get(field.key)),
      error: problem === undefined ? undefined : texts.form.answers[problem],
    };
  });
  const language = context.query.get('lang');
  const path = formPath(form.team, form.slug);
  return {
    title: team.plain(definition.title),
    status: problems === undefined ? 200 : 422,
    noStore: true,
    content: html`${otherLanguages(view, context, team)}
      ${definition.intro === undefined ? '' : team.paragraphs(definition.intro)}
      <p class="quiet">${texts.form.by({ team: view.teamName })}</p>
      ${problems?.form === undefined ? '' : notice(problems.form, 'wrong')} ${summary(fields, team, texts)}
      <form
        method="post"
        action="${language === null ? path : `${path}?${new URLSearchParams({ lang: language }).toString()}`}"
        novalidate
      >
        ${hidden(ownNames.token, view.token)} ${hidden(ownNames.version, String(form.version))}
        ${firstWrongFocused(html`${fields.map((each) => fieldControl(each, team, texts))}`)}
        ${
          view.receipt === undefined
            ? ''
            : html`<div class="field">
                <div class="check">
                  <input
                    type="checkbox"
                    id="${ownNames.receipt}"
                    name="${ownNames.receipt}"
                    value="yes"
                    ${when(view.receipt, html`checked`)}
                  />
                  <label for="${ownNames.receipt}">${texts.form.receipt}</label>
                </div>
              </div>`
        }
        <div class="trap" aria-hidden="true">
          <label for="more">${texts.form.trap}</label>
          <input type="text" id="more" name="${ownNames.trap}" tabindex="-1" autocomplete="off" />
        </div>
        ${
          form.kept_days === undefined
            ? ''
            : html`<p class="quiet">${texts.form.erasedAfter({ count: form.kept_days })}</p>`
        }
        <button type="submit" class="primary">${texts.form.send}</button>
      </form>`,
  };
}

/** What was typed, as text for the fields. A JSON value is shown only where it is text. */
const shown = (answer: unknown): readonly string[] =>
  (Array.isArray(answer) ? answer : [answer]).filter(
    (each): each is string => typeof each === 'string' && each !== '',
  );

interface ShownField {
  readonly field: FormDocument['definition']['fields'][number];
  readonly error: string | undefined;
}

/** The fields with errors, each as a link to its field. */
function summary(fields: readonly ShownField[], team: TeamTexts, texts: Texts): Html | '' {
  const wrong = fields.filter(({ error }) => error !== undefined);
  if (wrong.length === 0) return '';
  return html`<div class="notice wrong" role="alert">
    <p>${texts.form.summary({ count: wrong.length })}</p>
    <ul>
      ${wrong.map(
        ({ field, error }) =>
          html`<li><a href="#${fieldId(field)}">${team.html(field.label)}</a>: ${error ?? ''}</li>`,
      )}
    </ul>
  </div>`;
}

/** The languages of the form that the frame of the page cannot offer. Names are in the language itself. */
function otherLanguages({ form }: FormPageView, { texts }: FormContext, team: TeamTexts): Html | '' {
  const others = form.definition.languages.filter(
    (each) => !languages.includes(each) && each !== team.language,
  );
  if (others.length === 0) return '';
  const path = formPath(form.team, form.slug);
  return html`<nav aria-label="${texts.form.otherLanguages}">
    <ul class="languages">
      ${others.map(
        (each) =>
          html`<li>
            <a
              href="${path}?${new URLSearchParams({ lang: each }).toString()}"
              lang="${each}"
              hreflang="${each}"
              >${nameOfLanguage(each)}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

const nameOfLanguage = (language: string): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;

export function doneView(form: FormDocument, context: FormContext): PublicView {
  const { texts } = context;
  const { thanks, title } = form.definition;
  const team = teamTexts(form, context);
  const path = formPath(form.team, form.slug);
  return {
    title: texts.form.doneTitle,
    noStore: true,
    content: html`<div role="status">
        <p>${texts.form.done}</p>
        ${thanks === undefined ? '' : team.paragraphs(thanks)}
      </div>
      <p>
        <a href="${context.query.has('lang') ? inLanguage(path, context.language) : path}"
          >${texts.form.back}: ${team.html(title)}</a
        >
      </p>`,
  };
}

export const closedView = (
  form: FormDocument,
  teamName: string,
  status: 200 | 410,
  context: FormContext,
): PublicView => ({
  title: context.texts.form.closedTitle,
  status,
  noStore: true,
  content: html`<p>${teamTexts(form, context).html(form.definition.title)}</p>
    <p>${context.texts.form.closed({ team: teamName })}</p>`,
});

export const missingView = ({ texts }: FormContext): PublicView => ({
  title: texts.form.missingTitle,
  status: 404,
  noStore: true,
  content: html`<p>${texts.form.missing}</p>
    <p><a class="button primary" href="/">${texts.errors.home}</a></p>`,
});
