import { mainLocation } from '../../../events/directory/flat-members.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import { hidden, notice, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import { firstWrongFocused, focusable } from '../../pages/parts/first-wrong-focused.ts';
import { recordPath, suggestPath } from '../pages/record-view.ts';
import {
  longestNote,
  longestOf,
  namesOf,
  type FilledForm,
  type SuggestName,
  type SuggestProblems,
} from './suggest-values.ts';

/** The most characters of how to reach somebody. */
export const longestContact = 254;

/** `asksWhetherClosed`: false where a button beside the form says so. */
interface Elsewhere {
  readonly action: string;
  readonly fields: Html;
  readonly back: string;
  readonly asksWhetherClosed: boolean;
}

export interface SuggestView extends FilledForm {
  readonly svcId: string;
  readonly fields: UnsealedFields;
  readonly token: string;
  readonly problems: SuggestProblems;
  /** Of a form that is not that of the public page: where it leads, what it carries, and where it comes from. */
  readonly elsewhere?: Elsewhere | undefined;
}

/** Names of the entries that may have several lines. */
const long: readonly SuggestName[] = [
  'phones',
  'hours',
  'description',
  'how_to_apply',
  'cost',
  'eligibility',
];

/** The form. The browser does not check it: problems are shown beside the fields, of which the first has the focus. */
export function suggestForm(view: SuggestView, texts: Texts): Html {
  const { svcId, fields, token, problems, elsewhere } = view;
  const { suggest, report } = texts;
  return html`<p class="lead">${suggest.lead({ name: fields.name })}</p>
    ${problems.form === undefined ? '' : notice(problems.form, 'wrong')}
    <form method="post" action="${elsewhere?.action ?? suggestPath(svcId)}" novalidate>
      ${elsewhere?.fields ?? ''} ${hidden('token', token)} ${hidden('seen', view.seen)}
      ${firstWrongFocused(entries(view, texts))}
      <div class="trap" aria-hidden="true">
        <label for="more">${report.trap}</label>
        <input type="text" id="more" name="more" tabindex="-1" autocomplete="off" />
      </div>
      <button type="submit" class="primary">${suggest.send}</button>
    </form>
    <p><a href="${elsewhere?.back ?? recordPath(svcId)}">${report.back}</a></p>`;
}

const entries = (
  { fields, values, closed, note, contact, problems, elsewhere }: SuggestView,
  texts: Texts,
): Html =>
  html`${when(
    elsewhere?.asksWhetherClosed !== false,
    html`<div class="check">
      <input type="checkbox" id="closed" name="closed" value="yes" ${when(closed, html`checked`)} />
      <label for="closed">${texts.suggest.closed}</label>
    </div>`,
  )}
  ${namesOf(values).map((name) =>
    entry(
      {
        name,
        label: labelOf(name, texts),
        hint: hintOf(name, fields, texts),
        value: values[name] ?? '',
        most: longestOf[name],
        rows: rowsOf(name),
      },
      problems[name],
    ),
  )}
  ${entry(
    {
      name: 'note',
      label: texts.suggest.note,
      hint: texts.suggest.noteHint,
      value: note,
      most: longestNote,
      rows: 3,
    },
    problems.note,
    texts.report.optional,
  )}
  ${
    // Whoever has a link can be written to.
    elsewhere
      ? ''
      : entry(
          {
            name: 'contact',
            label: texts.report.contact,
            hint: texts.report.contactHint,
            value: contact,
            most: longestContact,
          },
          problems.contact,
          texts.report.optional,
        )
  }`;

function labelOf(name: SuggestName, { record, suggest }: Texts): string {
  const labels: Readonly<Record<SuggestName, string>> = {
    name: suggest.name,
    phone: record.phone,
    phones: suggest.phones,
    address: record.address,
    city: suggest.city,
    hours: record.hours,
    url: record.website,
    email: suggest.email,
    description: record.about,
    how_to_apply: record.howToApply,
    cost: record.cost,
    eligibility: record.eligibility,
    languages: record.languages,
  };
  return labels[name];
}

function hintOf(name: SuggestName, fields: UnsealedFields, { suggest }: Texts): string | undefined {
  const places = (fields.locations ?? []).filter(({ virtual }) => virtual !== true);
  if (name === 'address' && mainLocation(fields) && places.length > 1) return suggest.firstPlace;
  if (name === 'hours') return suggest.hoursHint;
  if (name === 'email') return suggest.emailHint;
  return name === 'languages' ? suggest.languagesHint : undefined;
}

const rowsOf = (name: SuggestName): number | undefined =>
  name === 'description' ? 8 : long.includes(name) ? 4 : undefined;

interface Entry {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly value: string;
  readonly most: number;
  /** Of several lines. */
  readonly rows?: number | undefined;
}

function entry(
  { name, label, hint, value, most, rows }: Entry,
  problem: string | undefined,
  optional?: string,
): Html {
  const described = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(problem === undefined ? [] : [`${name}-error`]),
  ].join(' ');
  const attributes = html`${when(described !== '', html`aria-describedby="${described}"`)}
  ${when(problem !== undefined, html`aria-invalid="true" ${focusable({ isWrong: true })}`)}`;
  return html`<div class="field">
    <label for="${name}"
      >${label} ${optional === undefined ? '' : html`<span class="optional">${optional}</span>`}</label
    >
    ${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${
      rows === undefined
        ? html`<input
            type="text"
            id="${name}"
            name="${name}"
            maxlength="${most}"
            value="${value}"
            ${attributes}
          />`
        : html`<textarea id="${name}" name="${name}" rows="${rows}" maxlength="${most}" ${attributes}>
${value}</textarea>`
    }
    ${problem === undefined ? '' : html`<p class="error" id="${name}-error">${problem}</p>`}
  </div>`;
}
