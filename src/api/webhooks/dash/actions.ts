import { CommandRefused } from '../../../commands/errors.ts';
import { activateSecret, commandSubscription } from '../../../commands/webhooks/subscription.ts';
import { hostOf } from '../../../commands/webhooks/subscription-address.ts';
import { discardHeld } from '../../../dispatch/operations/discard-held.ts';
import { prepareNextSecret, renewSecret } from '../../../dispatch/operations/signing-secrets.ts';
import {
  confirmWithTest,
  scheduleTest,
  settledDelivery,
} from '../../../dispatch/operations/test-delivery.ts';
import { webhookEvent } from '../../../events/webhooks/webhook.ts';
import type { SubscriptionDocument } from '../../../projections/webhooks/subscriptions.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { refusedChoiceView } from '../../pages/frame/common-views.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { notice } from '../../pages/controls.ts';
import { html } from '../../pages/html.ts';
import { EarlyAnswer, type Answer, type Page, type TeamPageContext } from '../../pages/page-context.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { secretOnce } from '../../pages/parts/show-once.ts';
import { addressOf, pathOf, webhookPaths } from './addresses.ts';
import { withinReason } from './long-work.ts';
import { subscriptionIn } from './of-team.ts';
import { isPausedByUs } from './state.ts';
import { en } from './texts.ts';
import { webhookView } from './webhook-page.ts';

/** How long a person waits for the outcome of a test. An attempt ends after ten seconds. */
const testWaitMs = 12_000;

type Act = (
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  doc: SubscriptionDocument,
) => Promise<Answer>;

/** A form of the page of one webhook. A refusal is said on that page. */
const action =
  (name: string, act: Act) =>
  (dependencies: PageDependencies): Page => ({
    audience: 'team',
    right: 'change webhooks',
    path: webhookPaths.change(name),
    async post(pageContext) {
      const doc = await subscriptionIn(dependencies, pageContext);
      try {
        return await act(dependencies, pageContext, doc);
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        const now = await subscriptionIn(dependencies, pageContext);
        const refused = notice(error.message, 'wrong');
        return { ...(await webhookView(dependencies, pageContext, now, refused)), status: error.status };
      }
    },
  });

async function pause(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  doc: SubscriptionDocument,
): Promise<Answer> {
  await change(dependencies, pageContext, doc, 'pause');
  return redirectDone(pathOf(doc.subscription), pageContext, 'paused');
}

async function discard(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { subscription }: SubscriptionDocument,
): Promise<Answer> {
  const work = discardHeld(dependencies, subscription, pageContext.context());
  const ended = await withinReason(pageContext, work);
  return redirectDone(pathOf(subscription), pageContext, ended === undefined ? 'discarding' : 'discarded');
}

async function remove(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { subscription }: SubscriptionDocument,
): Promise<Answer> {
  const [toDelete, toDiscard] = [pageContext.context(), pageContext.context()];
  await untilShown(
    dependencies.documents,
    await commandSubscription(dependencies, subscription, { kind: 'delete' }, toDelete),
  );
  // What the read model does not show yet is discarded by the job that ends held deliveries.
  await withinReason(pageContext, discardHeld(dependencies, subscription, toDiscard));
  return redirectDone(paths.webhooks, pageContext, 'deleted');
}

async function change(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { subscription }: SubscriptionDocument,
  kind: 'pause' | 'resume',
): Promise<void> {
  const outcome = await commandSubscription(dependencies, subscription, { kind }, pageContext.context());
  await untilShown(dependencies.documents, outcome);
}

/** Resumes what the team had paused. What waits is sent, or discarded first. */
async function resume(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  doc: SubscriptionDocument,
): Promise<Answer> {
  if (isPausedByUs(doc)) throw new CommandRefused('conflict', en.actions.onlyConfirmed);
  const page = pathOf(doc.subscription);
  const waiting = chosen(pageContext.form, 'waiting', ['send', 'discard']);
  if (waiting === 'send' || doc.status === 'active') {
    await change(dependencies, pageContext, doc, 'resume');
    return redirectDone(page, pageContext, 'resumed');
  }
  const toDiscard = pageContext.context();
  const ended = await withinReason(
    pageContext,
    (async () => {
      await discardHeld(dependencies, doc.subscription, toDiscard);
      await change(dependencies, pageContext, doc, 'resume');
      return 'resumedEmpty' as const;
    })(),
  );
  return redirectDone(page, pageContext, ended ?? 'discarding');
}

async function confirm(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  doc: SubscriptionDocument,
): Promise<Answer> {
  const page = pathOf(doc.subscription);
  // The form was sent before, or somebody else was faster.
  if (doc.status === 'active') return redirectDone(page, pageContext, 'confirmed');
  const contexts = { test: pageContext.context(), confirm: pageContext.context() };
  const { outcome } = await confirmWithTest(dependencies, doc.subscription, contexts);
  await untilShown(dependencies.documents, outcome);
  return redirectDone(page, pageContext, 'confirmed');
}

/** Sends the example of an event, and shows what became of it. */
async function test(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { subscription }: SubscriptionDocument,
): Promise<Answer> {
  const event = chosen(pageContext.form, 'event', webhookEvent.options);
  const sent = await scheduleTest(
    dependencies,
    { subscriptionId: subscription, event },
    pageContext.onceContext(),
  );
  await settledDelivery(dependencies, sent.delivery, sent.outcome.position, testWaitMs);
  return redirectDone(pathOf(subscription, 'deliveries', sent.delivery), pageContext, 'tested');
}

async function rotate(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { subscription, origin }: SubscriptionDocument,
): Promise<Answer> {
  const made = await renewSecret(dependencies, subscription, pageContext.onceContext());
  await untilShown(dependencies.documents, made.outcome);
  return {
    title: en.rotate.title,
    content: html`${
        made.secret === undefined
          ? notice(en.rotate.again, 'plain')
          : html`${notice(en.rotate.done(hostOf({ origin })))}
            ${secretOnce({ label: en.secret.label, value: made.secret, sentence: en.secret.sentence })}`
      }
      <p>
        <a class="button primary" href="${addressOf(pageContext.team.team, subscription)}">${en.new.open}</a>
      </p>`,
  };
}

/** The next secret is in the answer to the form, and nowhere else. */
async function prepare(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  doc: SubscriptionDocument,
): Promise<Answer> {
  const { subscription } = doc;
  const made = await prepareNextSecret(dependencies, subscription, pageContext.onceContext());
  await untilShown(dependencies.documents, made.outcome);
  return {
    title: en.prepare.title,
    content: html`${
        made.secret === undefined
          ? notice(en.prepare.again, 'plain')
          : html`${notice(en.prepare.done(hostOf(doc)))}
              ${secretOnce({ label: en.prepare.label, value: made.secret, sentence: en.secret.sentence })}
              <p>${en.prepare.next}</p>`
      }
      <p>
        <a class="button primary" href="${ofTeam(pathOf(subscription, 'settings'), pageContext.team.team)}"
          >${en.prepare.open}</a
        >
      </p>`,
  };
}

async function activate(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { subscription }: SubscriptionDocument,
): Promise<Answer> {
  const [meant, ...others] = pageContext.form.getAll('secret');
  if (meant === undefined || others.length > 0) throw new EarlyAnswer(refusedChoiceView);
  const outcome = await activateSecret(dependencies, subscription, meant, pageContext.onceContext());
  await untilShown(dependencies.documents, outcome);
  return redirectDone(pathOf(subscription), pageContext, 'activated');
}

/** What a person does with one webhook. */
export const webhookActions = [
  action('pause', pause),
  action('resume', resume),
  action('confirm', confirm),
  action('test', test),
  action('discard', discard),
  action('rotate', rotate),
  action('prepare', prepare),
  action('activate', activate),
  action('delete', remove),
];
