import { numberIn } from '../../../events/forms/answers.ts';
import { fieldKinds, type FormField } from '../../../events/forms/definition.ts';
import { defined } from '../../../ground/defined.ts';
import { html, type Html } from '../../pages/html.ts';
import { textsIn } from '../../pages/frame/texts.ts';
import { fieldControl, TeamTexts } from '../field-controls.ts';
import type { Draft, DraftField } from './form-draft.ts';
import { en } from './texts.ts';

const texts = en.preview;

/** The form as people will see it, from what is typed so far. Nothing in it can be filled in or sent. */
export function previewOf({ title, intro, fields }: Draft): Html {
  const frame = textsIn('en');
  const team = new TeamTexts(['en'], ['en'], 'en');
  return html`<section class="card preview" tabindex="0" aria-label="${texts.title}">
    <p class="quiet">${texts.lead}</p>
    <h2>${title.trim() === '' ? texts.untitled : title}</h2>
    ${intro.trim() === '' ? '' : team.paragraphs({ en: intro.trim() })}
    <fieldset disabled class="plain">
      <legend class="unseen">${texts.title}</legend>
      ${fields.map((typed, place) =>
        fieldControl({ field: fieldOf(typed, place), values: [], error: undefined }, team, frame),
      )}
      <button type="button" class="primary">${frame.form.send}</button>
    </fieldset>
  </section>`;
}

/** Keys of fields that are not published yet come later: here a field is named by its place. */
function fieldOf(typed: DraftField, place: number): FormField {
  const { label, help, required, choices, options, minimum, maximum } = typed;
  const several = typed.kind === 'choices';
  const kind = several ? 'choice' : (fieldKinds.find((each) => each === typed.kind) ?? 'text');
  const all = [...choices.map((each) => each.label), ...options.split('\n')].filter(
    (each) => each.trim() !== '',
  );
  const ofNumber = kind === 'number' ? { minimum: numberOf(minimum), maximum: numberOf(maximum) } : {};
  return defined({
    key: `preview-${place}`,
    kind,
    label: { en: label.trim() === '' ? en.builder.field(place + 1) : label },
    help: help.trim() === '' ? undefined : { en: help },
    required,
    ...(kind === 'choice' && {
      several,
      options: all.map((each, nth) => ({ key: `c${nth}`, label: { en: each.trim() } })),
    }),
    ...ofNumber,
  });
}

const numberOf = (typed: string): number | undefined => (typed === '' ? undefined : numberIn(typed));
