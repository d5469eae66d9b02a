import type { Status } from '../../status/status.ts';
import { button, form, hidden, time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { SignedInPageContext } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { badge } from '../pages/parts/badge.ts';
import { table } from '../pages/parts/table.ts';
import { paths } from '../pages/paths.ts';
import { rebuildForm, type Kept } from './rebuilds.ts';
import { en } from './texts.ts';

type ReadModel = Status['projections'][number];

interface Beside {
  /** The read models that are being rebuilt. */
  readonly rebuilding: ReadonlySet<string>;
  readonly kept: Kept;
  /** How many events the log has, where the store counts them. */
  readonly events: number | null;
}

/** The read models: what stopped one, how far each is, and the ways to another generation. Those up to date are folded. */
export const readModelsCard = (
  { projections: all, log_size: { events } }: Pick<Status, 'projections' | 'log_size'>,
  also: Omit<Beside, 'events'>,
  pageContext: SignedInPageContext,
): Html => {
  const beside = { ...also, events };
  const isUpToDate = ({ model, failure, lag }: ReadModel) =>
    !failure && lag === 0 && !beside.rebuilding.has(model) && !beside.kept.has(model);
  const upToDate = all.filter(isUpToDate);
  const busy = all.filter((each) => !isUpToDate(each));
  return html`<section class="card" aria-labelledby="read-models">
    <h2 id="read-models">${en.readModels}</h2>
    <p>${en.readModelsLead}</p>
    ${all.map((each) => failureOf(each, pageContext))}
    ${busy.length === 0 ? '' : busyTable(busy, beside, pageContext)}
    ${
      upToDate.length === 0
        ? ''
        : html`<details>
            <summary>${en.upToDate(upToDate.length)}</summary>
            ${upToDateTable(upToDate)}
          </details>`
    }
    ${rebuildForm(events, pageContext)}
  </section>`;
};

const busyTable = (models: readonly ReadModel[], beside: Beside, pageContext: SignedInPageContext): Html =>
  table({
    caption: en.readModels,
    columns: [
      { label: en.readModel },
      { label: en.state },
      { label: en.behind },
      { label: en.rate, numbers: true },
      { label: '' },
    ],
    rows: models.map((each) => [
      nameOf(each),
      stateOf(each, beside),
      each.lag === 0
        ? html`<span class="whole">${en.notBehind}</span>`
        : en.behindBy(each.lag_seconds, each.lag, each.lag_is_minimum),
      each.events_per_second,
      actionsOf(each, beside, pageContext),
    ]),
  });

/** There are some forty: what is the same of all of them, and a button of each, would be most of the page. */
const upToDateTable = (models: readonly ReadModel[]): Html =>
  table({
    caption: en.upToDate(models.length),
    columns: [{ label: en.readModel }, { label: en.rate, numbers: true }],
    rows: models.map((each) => [nameOf(each), each.events_per_second]),
  });

const nameOf = ({ shows, model }: ReadModel): Html =>
  html`${shows}<span class="hint"><code>${model}</code></span>`;

function failureOf(
  { model, shows, failure }: ReadModel,
  { formToken: token }: SignedInPageContext,
): Html | '' {
  if (!failure) return '';
  return html`<div class="notice wrong">
    <p>
      <strong>${shows}</strong> (<code>${model}</code>) ${en.failedSince} ${time(failure.since, 'minute')}:
      ${failure.error}
    </p>
    ${failure.at ? html`<p><a href="${paths.auditEvent}/${failure.at.id}">${en.seeEvent}</a></p>` : ''}
    ${form({
      action: paths.operations,
      token,
      label: `${en.retry} ${model}`,
      content: html`${hidden('do', 'retry')}${hidden('model', model)}${button(en.retry, { weight: 'secondary', of: model })}`,
    })}
  </div>`;
}

function stateOf({ model, failure }: ReadModel, { rebuilding, kept }: Beside): Html {
  const until = kept.get(model);
  const state = failure
    ? badge(en.failed, 'bad')
    : rebuilding.has(model)
      ? badge(en.rebuilding)
      : badge(en.good, 'good');
  return until === undefined
    ? state
    : html`${state} <span class="quiet small">${en.keptUntil} ${time(until, 'minute')}</span>`;
}

function actionsOf(
  { model }: ReadModel,
  { kept, rebuilding, events }: Beside,
  { formToken: token }: SignedInPageContext,
): Html | '' {
  if (rebuilding.has(model)) return '';
  const common = { of: model, action: paths.operations, token, weight: 'secondary' } as const;
  const rebuild = ask({
    ...common,
    label: en.rebuild,
    sentence: en.rebuildSentence(events),
    values: { do: 'rebuild', model },
  });
  // One button needs no row of its own.
  if (!kept.has(model)) return rebuild;
  return html`<div class="choices">
    ${rebuild}
    ${ask({ ...common, label: en.goBack, sentence: en.goBackSentence, values: { do: 'back', model } })}
  </div>`;
}
