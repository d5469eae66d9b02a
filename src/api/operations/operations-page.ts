import type { z } from 'zod';
import type { Action } from '../../actions/action.ts';
import {
  cancelRebuilds,
  decideParkedWork,
  examine,
  goBack,
  rebuildModels,
  retryModel,
} from '../../actions/operations.ts';
import { gatherStatus, type Status } from '../../status/status.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { personForm, type ActionForm, type Again } from '../pages/action-form.ts';
import { notice } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { facts } from '../pages/parts/facts.ts';
import { redirectTo, type Page, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { paths } from '../pages/paths.ts';
import { doctorCard, doctorRuns, machineCard } from './checks.ts';
import { parkedCard } from './parked.ts';
import { readModelsCard } from './read-models.ts';
import { keptGenerations, rebuildCard, rebuildFields, rebuildsOf } from './rebuilds.ts';
import { en } from './texts.ts';
import { figureStrip, warningsCard, warningsOf } from './warnings.ts';

type Done = keyof typeof en.done;
type Form<Input extends z.ZodObject, Value> = ActionForm<Input, Value, SignedInPageContext>;

/** Leads back to the page, which says what was done. */
const back = (done: Done) => redirectTo(`${paths.operations}?done=${done}`);

/** The same, with a link to what was recorded. */
const recorded = (pageContext: SignedInPageContext, done: Done) =>
  redirectDone(paths.operations, pageContext, done);

const formOf = <Input extends z.ZodObject, Value>(
  action: Action<Input, Value, PageDependencies>,
  done: Form<Input, Value>['done'],
  also: NonNullable<Form<Input, Value>['also']> = ({ form }) => ({ model: form.get('model') ?? '' }),
  fields: NonNullable<Form<Input, Value>['fields']> = () => [],
) => personForm({ path: paths.operations, action, view, done, also, fields });

const decisionForm = (decision: 'replay' | 'discard', done: Done) =>
  formOf(
    decideParkedWork,
    // Decisions on parked events are no events, so there may be nothing to lead to.
    (pageContext, { deliveries }) => (deliveries > 0 ? recorded(pageContext, done) : back(done)),
    ({ form }) => ({ id: form.get('id') ?? '', decision }),
  );

/** What the buttons of the page do, by the field `do`. */
const forms = new Map([
  ['retry', formOf(retryModel, (_, failed) => back(failed ? 'retried' : 'well'))],
  [
    'rebuild',
    formOf(
      rebuildModels,
      (pageContext, models) => recorded(pageContext, models > 1 ? 'rebuildingAll' : 'rebuilding'),
      ({ form }) => ({ full: form.get('full') === 'yes' }),
      () => rebuildFields,
    ),
  ],
  ['back', formOf(goBack, (pageContext) => recorded(pageContext, 'goingBack'))],
  ['cancel', formOf(cancelRebuilds, (pageContext) => recorded(pageContext, 'cancelled'))],
  ['replay-parked', decisionForm('replay', 'replayed')],
  ['discard-parked', decisionForm('discard', 'discarded')],
  ['examine', formOf(examine, () => back('examining'))],
]);

/**
 * How the service is, and what an operator can do about it without a terminal: what `status`, `projections`, `rebuild`
 * and `webhooks parked` do.
 */
export const operationsPage = (dependencies: PageDependencies): Page => ({
  audience: 'administrators',
  path: paths.operations,
  get: (pageContext) => view(dependencies, pageContext),
  post: async (pageContext) =>
    (await forms
      .get(pageContext.form.get('do') ?? '')?.(dependencies)
      .post(pageContext)) ?? {
      status: 400,
      ...(await view(dependencies, pageContext, { problems: { do: en.noAction } })),
    },
});

async function view(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const [now, rebuilds, kept, doctor] = await Promise.all([
    gatherStatus(dependencies, dependencies.now(), { lag: mostCounted, deliveries: mostCounted, due: 0 }),
    rebuildsOf(dependencies),
    keptGenerations(dependencies),
    doctorRuns(dependencies),
  ]);
  const rebuilding = new Set(rebuilds.map(({ model }) => model));
  const wrong = refused?.message ?? Object.values(problems)[0];
  return {
    title: en.title,
    content: html`${doneNotice(pageContext, en.done)} ${wrong === undefined ? '' : notice(wrong, 'wrong')}
    ${figureStrip(now)}
    ${warningsCard(warningsOf(now, dependencies.problems?.() ?? [], doctor.newest, doctor.verified))}
    ${rebuildCard(rebuilds, pageContext)} ${await parkedCard(dependencies, now, pageContext)}
    ${doctorCard(doctor, pageContext)} ${readModelsCard(now, { rebuilding, kept }, pageContext)}
    ${webhooksCard(now)} ${machineCard(now)}`,
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
