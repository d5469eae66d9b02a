import { cancelRebuild, startRebuild } from '../../commands/rebuild.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { projections } from '../../projections/all.ts';
import { modelOf } from '../../projections/engine/define.ts';
import { rebuildsUnderWay, type RebuildProgress } from '../../projections/engine/rebuild/rebuild-progress.ts';
import { retryProjection } from '../../runtime/status/retry-projection.ts';
import { gatherStatus, isFailing, type Status } from '../../runtime/status/status.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { button, form, hidden, notice, time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { ask } from '../pages/parts/ask.ts';
import { badge } from '../pages/parts/badge.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { progressBar } from '../pages/parts/progress.ts';
import { table } from '../pages/parts/table.ts';
import type { Page, SignedInPageContext } from '../pages/page-context.ts';
import { paths } from '../pages/paths.ts';
import { en } from './texts.ts';

/** How the service is, and what an operator can do about its read models: what `status`, `projections` and `rebuild` do. */
export const operationsPage = (dependencies: PageDependencies): Page => ({
  audience: 'administrators',
  path: paths.operations,
  get: (pageContext) => view(dependencies, pageContext),
  async post(pageContext) {
    const { form: sent } = pageContext;
    const model = sent.get('model') ?? '';
    const { store } = dependencies;
    if (!projections.some((each) => modelOf(each) === model))
      return view(dependencies, pageContext, { status: 404, sentence: en.noModel });
    try {
      switch (sent.get('do') ?? '') {
        case 'retry': {
          const asked = await retryProjection(dependencies, model);
          return redirectDone(paths.operations, pageContext, asked ? 'retried' : 'well');
        }
        case 'rebuild':
          await startRebuild(store, model, {}, pageContext.context());
          return redirectDone(paths.operations, pageContext, 'rebuilding');
        case 'cancel':
          await cancelRebuild(store, model, pageContext.context());
          return redirectDone(paths.operations, pageContext, 'cancelled');
        default:
          return await view(dependencies, pageContext, { status: 400, sentence: en.noAction });
      }
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      return view(dependencies, pageContext, { status: error.status, sentence: error.message });
    }
  },
});

async function view(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  { status, sentence }: { readonly status?: number; readonly sentence?: string } = {},
) {
  const [now, rebuilds] = await Promise.all([
    gatherStatus(dependencies, dependencies.now()),
    rebuildsUnderWay(dependencies, projections),
  ]);
  return {
    title: en.title,
    ...(status === undefined ? {} : { status }),
    content: html`${doneNotice(pageContext, en.done)}
      ${sentence === undefined ? '' : notice(sentence, 'wrong')}
      <p class="lead">${isFailing(now) ? en.failing : en.well}</p>
      ${rebuildList(rebuilds, pageContext)} ${models(now, rebuilds, pageContext)} ${webhooks(now)}
      ${rest(now)}`,
  };
}

const rebuildList = (
  rebuilds: readonly RebuildProgress[],
  { formToken: token }: SignedInPageContext,
): Html | '' =>
  rebuilds.length === 0
    ? ''
    : html`<section class="card">
        <h2>${en.underWay}</h2>
        ${rebuilds.map(
          ({ projection, events: { done, total }, rate }) =>
            html`<h3>${projection}</h3>
              ${progressBar({
                label: `${en.rebuilding} ${projection}`,
                share: total === 0 ? undefined : done / total,
                sentence: en.progress(done, total, rate),
              })}
              ${ask({
                label: en.cancel,
                of: projection,
                sentence: en.cancelSentence,
                action: paths.operations,
                token,
                values: { do: 'cancel', model: projection },
              })}`,
        )}
        <p><a href="${paths.operations}">${en.lookAgain}</a></p>
      </section>`;

const models = (
  { projections: all }: Status,
  rebuilds: readonly RebuildProgress[],
  { formToken: token }: SignedInPageContext,
): Html =>
  html`<section class="card">
    <h2>${en.readModels}</h2>
    ${all
      .filter(({ failure }) => failure !== undefined)
      .map(
        ({ model, failure }) =>
          html`<div class="notice wrong">
            <p>
              <strong>${model}</strong> ${en.failedSince} ${time(failure?.since ?? '', 'minute')}:
              ${failure?.error ?? ''}
            </p>
            ${
              failure?.at
                ? html`<p><a href="${paths.auditEvent}/${failure.at.id}">${en.seeEvent}</a></p>`
                : ''
            }
            ${form({
              action: paths.operations,
              token,
              label: `${en.retry} ${model}`,
              content: html`${hidden('do', 'retry')}${hidden('model', model)}${button(en.retry, { weight: 'secondary', of: model })}`,
            })}
          </div>`,
      )}
    ${table({
      caption: en.readModels,
      columns: [
        { label: en.readModel },
        { label: en.state },
        { label: en.place, numbers: true },
        { label: en.behind, numbers: true },
        { label: en.rate, numbers: true },
        { label: '' },
      ],
      rows: all.map((each) => [
        each.model,
        each.failure
          ? badge(en.failed, 'bad')
          : rebuilds.some(({ projection }) => projection === each.model)
            ? badge(en.rebuilding)
            : badge(en.good, 'good'),
        each.checkpoint ?? '–',
        each.lag === 0
          ? '0'
          : `${each.lag.toLocaleString('en')}${each.lag_is_minimum ? '+' : ''}, ${each.lag_seconds} s`,
        each.events_per_second,
        ask({
          label: en.rebuild,
          of: each.model,
          sentence: en.rebuildSentence,
          action: paths.operations,
          token,
          values: { do: 'rebuild', model: each.model },
          weight: 'secondary',
        }),
      ]),
    })}
  </section>`;

const webhooks = ({ webhooks: each, consumer_groups: groups }: Status): Html =>
  html`<section class="card">
    <h2>${en.webhooks}</h2>
    <dl class="facts">
      <dt>${en.pending}</dt>
      <dd>${each.pending.toLocaleString('en')}</dd>
      <dt>${en.failedDeliveries}</dt>
      <dd>${each.failed.toLocaleString('en')}</dd>
      <dt>${en.parked}</dt>
      <dd>${each.parked_events} ${en.events}, ${each.parked_deliveries} ${en.deliveries}</dd>
      <dt>${en.inFlight}</dt>
      <dd>${groups.map(({ in_flight: count }) => count).join(', ')}</dd>
    </dl>
    ${each.parked === 0 ? '' : html`<p>${en.parkedNext}</p>`}
  </section>`;

const rest = ({ doctor, backup, storage, failing_jobs: jobs = [] }: Status): Html =>
  html`<section class="card">
    <h2>${en.checks}</h2>
    <dl class="facts">
      <dt>${en.doctor}</dt>
      <dd>
        ${doctor.newest_at === null ? en.notYet : html`${time(doctor.newest_at, 'minute')}: ${en.problems(doctor.problems ?? 0)}`}
      </dd>
      <dt>${en.backup}</dt>
      <dd>
        ${backup.newest_at === null ? en.notYet : time(backup.newest_at, 'minute')}${backup.late ? html` ${badge(en.late, 'bad')}` : ''}
      </dd>
      ${
        storage === null
          ? ''
          : html`<dt>${en.disk}</dt>
              <dd>${en.free(storage.disk_free, storage.disk_size)}</dd>`
      }
    </dl>
    ${jobs.map(({ job, since, error }) => html`<p>${job} ${en.failedSince} ${time(since, 'minute')}: ${error}</p>`)}
  </section>`;
