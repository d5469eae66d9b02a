import { answerSource } from '../../../../actions/directory/imports.ts';
import type { ImportState } from '../../../../imports/import-state.ts';
import { inputFields, type InputField } from '../../../pages/action-form.ts';
import { button, form, hidden, notice, type Problems } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { TeamPageContext } from '../../../pages/page-context.ts';
import { importPath } from './import-paths.ts';
import { en } from './import-texts.ts';
import { ofTeam } from '../../../pages/paths.ts';

export const newSourceField: InputField = {
  name: 'name',
  label: en.question.name,
  hint: en.question.nameHint,
  maxlength: 200,
  wrong: en.question.badName,
};

/** What the form of a question says: that it is the source that was asked about, or the name of a new one. */
export const sourceAnswer = { action: answerSource, fields: () => [newSourceField] } as const;

/** The question of which source a file is, with its two answers. */
export function sourceQuestion(
  { id, question }: ImportState,
  { formToken: token, form: typed, team: { team } }: TeamPageContext,
  problems: Problems = {},
): Html {
  if (!question) return html``;
  const answering = (does: string, content: Html): Html =>
    form({
      action: ofTeam(importPath(id), team),
      token,
      label: does === 'same' ? en.question.same(question.name) : en.question.other,
      content: html`${hidden('team', team)}${hidden('do', does)}${content}`,
    });
  return html`${notice(question.sentence, 'plain')}
    <p>${en.question.why[question.doubt]}</p>
    <section class="card">
      <h2>${en.question.ifSame}</h2>
      ${answering('same', button(en.question.same(question.name)))}
    </section>
    <section class="card">
      <h2>${en.question.ifOther}</h2>
      ${answering(
        'other',
        html`${inputFields([newSourceField], typed, problems)}
        ${button(en.question.other, { weight: 'secondary' })}`,
      )}
    </section>`;
}
