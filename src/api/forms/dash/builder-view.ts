import { button, checkbox, field, form, hidden, notice, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { selectField } from '../../pages/parts/choices.ts';
import type { TeamPageContext } from '../../pages/page-context.ts';
import { ofTeam } from '../../pages/paths.ts';
import { draftKinds, nameOf, type Draft, type DraftField } from './form-draft.ts';
import { en } from './texts.ts';

const texts = en.builder;

interface Built {
  readonly action: string;
  /** Where Cancel leads. */
  readonly back: string;
  readonly draft: Draft;
  /** By the names of the controls. */
  readonly problems: Readonly<Record<string, string>>;
  /** The version that is changed. Undefined: a form that is not published yet. */
  readonly version?: number;
}

/**
 * The form with which forms are made. Each button sends all that was typed: those that add, remove and move fields show
 * it again, changed so.
 */
export function builderForm(
  { formToken, team }: TeamPageContext,
  { action, back, draft, problems, version }: Built,
): Html {
  const content = html`${hidden('team', team.team)}
    ${version === undefined ? '' : hidden('version', String(version))}
    ${
      // The first button of a form is what the Enter key presses. It must publish and remove nothing.
      html`<button type="submit" name="do" value="keep" class="unseen" tabindex="-1">${texts.keep}</button>`
    }
    <section class="card">
      ${field({
        name: 'title',
        label: texts.title,
        value: draft.title,
        error: problems['title'],
        maxlength: 150,
      })}
      ${
        version === undefined
          ? field({
              name: 'slug',
              label: texts.slug,
              hint: texts.slugHint,
              value: draft.slug,
              error: problems['slug'],
              maxlength: 48,
            })
          : ''
      }
      ${field({
        name: 'intro',
        label: texts.intro,
        type: 'prose',
        value: draft.intro,
        optional: true,
        error: problems['intro'],
      })}
    </section>
    ${when(problems['fields'] !== undefined, notice(problems['fields'] ?? '', 'wrong'))}
    ${draft.fields.map((each, place) => fieldCard(each, place, draft.fields.length, problems))}
    <div class="choices">${button(texts.add, { weight: 'secondary', name: 'do', value: 'add' })}</div>
    <section class="card">
      ${field({
        name: 'thanks',
        label: texts.thanks,
        type: 'prose',
        value: draft.thanks,
        optional: true,
        error: problems['thanks'],
      })}
      ${field({
        name: 'origins',
        label: texts.origins,
        hint: texts.originsHint,
        type: 'lines',
        value: draft.origins,
        optional: true,
        error: problems['origins'],
      })}
      ${field({
        name: 'cap',
        label: texts.cap,
        hint: texts.capHint,
        value: draft.cap,
        optional: true,
        maxlength: 6,
        error: problems['cap'],
      })}
    </section>
    <div class="choices">
      ${button(version === undefined ? texts.publish : texts.save, { name: 'do', value: 'save' })}
      <a class="button secondary" href="${ofTeam(back, team.team)}">${texts.cancel}</a>
    </div>`;
  return form({ action, token: formToken, content });
}

const kindOptions = draftKinds.map((value) => ({ value, label: texts.kinds[value] }));

function fieldCard(
  typed: DraftField,
  place: number,
  count: number,
  problems: Readonly<Record<string, string>>,
): Html {
  const at = (what: keyof DraftField) => ({
    name: nameOf(place, what),
    error: problems[nameOf(place, what)],
  });
  const of = texts.field(place + 1).toLowerCase();
  const move = (label: string, what: string) =>
    button(label, { weight: 'quiet', name: 'do', value: `${what}-${place}`, of });
  return html`<fieldset class="card">
    <legend class="unseen">${texts.field(place + 1)}</legend>
    <div class="parts">
      <div class="team-head">
        <strong aria-hidden="true">${texts.field(place + 1)}</strong>
        <div class="choices">
          ${place > 0 ? move(texts.up, 'up') : ''} ${place < count - 1 ? move(texts.down, 'down') : ''}
          ${move(texts.remove, 'remove')}
        </div>
      </div>
      ${hidden(nameOf(place, 'key'), typed.key)}
      ${field({ ...at('label'), label: texts.label, value: typed.label, maxlength: 200 })}
      ${selectField({ ...at('kind'), label: texts.kind, options: kindOptions, value: typed.kind })}
      ${
        // Shown for the kinds that have choices, by the style sheet: the kind is chosen in the same form.
        html`<div class="of-choice">
          ${field({
            ...at('options'),
            label: texts.options,
            hint: texts.optionsHint,
            type: 'lines',
            value: typed.options,
            optional: typed.kind !== 'choice' && typed.kind !== 'choices',
          })}
        </div>`
      }
      ${field({ ...at('help'), label: texts.help, value: typed.help, optional: true, maxlength: 500 })}
      ${checkbox({ name: nameOf(place, 'required'), label: texts.required, ticked: typed.required })}
    </div>
  </fieldset>`;
}
