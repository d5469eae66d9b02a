import { button, checkbox, field, form, hidden, notice, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { selectField } from '../../pages/parts/choices.ts';
import type { TeamPageContext } from '../../pages/page-context.ts';
import { ofTeam } from '../../pages/paths.ts';
import { choiceKeyName, choiceName, draftKinds, nameOf, type Draft, type DraftField } from './form-draft.ts';
import { previewOf } from './preview.ts';
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
    <div class="choices">
      ${button(texts.add, { weight: 'secondary', name: 'do', value: 'add' })}
      ${button(texts.keep, { weight: 'quiet', name: 'do', value: 'keep' })}
    </div>
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
  const typed = form({ action: ofTeam(action, team.team), token: formToken, content });
  return html`<div class="with-preview">${typed} ${previewOf(draft)}</div>`;
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
        // Each is shown for the kinds that have it, by the style sheet: the kind is chosen in the same form.
        html`<div class="of-choice">
            ${typed.choices.map((each, nth) => choiceRow(each, place, nth, problems))}
            ${field({
              ...at('options'),
              label: typed.choices.length > 0 ? texts.moreOptions : texts.options,
              hint: texts.optionsHint,
              type: 'lines',
              value: typed.options,
              optional: typed.choices.length > 0 || (typed.kind !== 'choice' && typed.kind !== 'choices'),
            })}
          </div>
          <div class="of-number">
            ${(['minimum', 'maximum'] as const).map((what) =>
              field({
                ...at(what),
                label: texts[what],
                value: typed[what],
                optional: true,
                maxlength: 30,
              }),
            )}
          </div>`
      }
      ${field({ ...at('help'), label: texts.help, value: typed.help, optional: true, maxlength: 500 })}
      ${checkbox({ name: nameOf(place, 'required'), label: texts.required, ticked: typed.required })}
    </div>
  </fieldset>`;
}

/** A choice that was published, with its key: called otherwise, it stays the same choice. */
function choiceRow(
  { key, label }: DraftField['choices'][number],
  place: number,
  nth: number,
  problems: Readonly<Record<string, string>>,
): Html {
  const name = choiceName(place, nth);
  const of = `${texts.choice(nth + 1)}, ${texts.field(place + 1)}`.toLowerCase();
  const act = (shown: string, what: string) =>
    button(shown, { weight: 'quiet', name: 'do', value: `${what}-${place}-${nth}`, of });
  return html`<div class="choice-row">
    ${hidden(choiceKeyName(place, nth), key)}
    ${field({ name, label: texts.choice(nth + 1), value: label, maxlength: 200, error: problems[name] })}
    ${nth > 0 ? act(texts.up, 'up') : ''} ${act(texts.remove, 'remove')}
  </div>`;
}
