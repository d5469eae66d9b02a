import { projections } from '../../projections/all.ts';
import { modelOf } from '../../projections/engine/define.ts';
import { retryProjection } from '../../projections/retry-projection.ts';
import { gatherStatus, isFailing, type Status } from '../../status/status.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { notice } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { facts } from '../pages/parts/facts.ts';
import {
  redirectTo,
  type Page,
  type Redirect,
  type SignedInPageContext,
  type View,
} from '../pages/page-context.ts';
import { doneNotice } from '../pages/parts/notices.ts';
import { paths } from '../pages/paths.ts';
import { doctorCard, examineNow, machineCard } from './checks.ts';
import { changeParked, parkedCard } from './parked.ts';
import { readModelsCard } from './read-models.ts';
import { changeRebuilds, keptGenerations, rebuildCard, rebuildsOf, type Refused } from './rebuilds.ts';
import { en } from './texts.ts';

/**
 * How the service is, and what an operator can do about it without a terminal: what `status`, `projections`, `rebuild`
 * and `webhooks parked` do.
 */
export const operationsPage = (dependencies: PageDependencies): Page => ({
  audience: 'administrators',
  path: paths.operations,
  get: (pageContext) => view(dependencies, pageContext),
  async post(pageContext) {
    const answer = await change(dependencies, pageContext);
    return 'to' in answer ? answer : view(dependencies, pageContext, answer);
  },
});

function change(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
): Promise<Redirect | Refused> {
  const wish = pageContext.form.get('do') ?? '';
  switch (wish) {
    case 'retry':
      return retry(dependencies, pageContext.form.get('model') ?? '');
    case 'rebuild':
    case 'back':
    case 'cancel':
      return changeRebuilds(dependencies, pageContext, wish);
    case 'replay-parked':
      return changeParked(dependencies, pageContext, 'replay');
    case 'discard-parked':
      return changeParked(dependencies, pageContext, 'discard');
    case 'examine':
      return examineNow(dependencies);
    default:
      return Promise.resolve({ status: 400, sentence: en.noAction });
  }
}

async function retry(dependencies: PageDependencies, model: string): Promise<Redirect | Refused> {
  if (!projections.some((each) => modelOf(each) === model)) return { status: 404, sentence: en.noModel };
  const asked = await retryProjection(dependencies, model);
  return redirectTo(`${paths.operations}?done=${asked ? 'retried' : 'well'}`);
}

async function view(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  refused?: Refused,
): Promise<View> {
  const [now, rebuilds, kept, doctor] = await Promise.all([
    gatherStatus(dependencies, dependencies.now(), { lag: mostCounted, deliveries: mostCounted }),
    rebuildsOf(dependencies),
    keptGenerations(dependencies),
    doctorCard(dependencies, pageContext),
  ]);
  const rebuilding = new Set(rebuilds.map(({ model }) => model));
  return {
    title: en.title,
    ...(refused ? { status: refused.status } : {}),
    content: html`${doneNotice(pageContext, en.done)} ${refused ? notice(refused.sentence, 'wrong') : ''}
      <p class="lead">${isFailing(now) ? en.failing : en.well}</p>
      ${rebuildCard(rebuilds, pageContext)} ${await parkedCard(dependencies, now, pageContext)} ${doctor}
      ${readModelsCard(now.projections, { rebuilding, kept }, pageContext)} ${webhooksCard(now)}
      ${machineCard(now)}`,
  };
}

/** A page does not wait until more is counted. `status` counts further. */
const mostCounted = 1_000;

const counted = (count: number): string =>
  `${count.toLocaleString('en')}${count >= mostCounted ? en.orMore : ''}`;

const webhooksCard = ({ webhooks: each, consumer_groups: groups }: Status): Html =>
  html`<section class="card" aria-labelledby="webhooks">
    <h2 id="webhooks">${en.webhooks}</h2>
    ${facts([
      [en.pending, counted(each.pending)],
      [en.failedDeliveries, counted(each.failed)],
      [en.parked, `${each.parked_events} ${en.events}, ${each.parked_deliveries} ${en.deliveries}`],
      [en.inFlight, groups.map(({ in_flight: count }) => count).join(', ')],
    ])}
  </section>`;
