import {
  discardParkedDelivery,
  replayParkedDelivery,
  untilDecisionsShown,
} from '../../../dispatch/operations/parked-deliveries.ts';
import { partOf } from '../../../dispatch/operations/resend.ts';
import { listDeliveries, subscriptionsOfTeam } from '../../../projections/webhooks/delivery-list.ts';
import type { SubscriptionDocument } from '../../../projections/webhooks/subscriptions.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Answer, Page, TeamPageContext } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { webhookPaths } from './addresses.ts';
import { withNumbers } from './send-again.ts';
import { en } from './texts.ts';

/** Parked deliveries that one press of the button decides on. */
const decidedAtOnce = 500;

/** What could not be sent for reasons of ours, and what to do with it. Nothing where there is none. */
export async function parkedCard(
  { documents }: PageDependencies,
  { formToken: token, team }: TeamPageContext,
  all: readonly SubscriptionDocument[],
): Promise<Html> {
  const [any] = await listDeliveries(documents, {
    subscriptions: all.map(({ subscription }) => subscription),
    status: 'parked',
    limit: 1,
  });
  if (!any) return html``;
  const decide = (decision: 'replay' | 'discard') =>
    ask({
      label: en.parked[decision],
      of: en.parked.of,
      sentence: en.parked[`${decision}Asks`],
      action: `${webhookPaths.allDeliveries}/parked`,
      token,
      values: { team: team.team, decision },
      weight: decision === 'replay' ? 'secondary' : 'danger',
    });
  return html`<section class="card">
    <h2>${en.parked.heading}</h2>
    <p>${en.parked.sentence}</p>
    <div class="choices">${decide('replay')}${decide('discard')}</div>
  </section>`;
}

/** Decides on the parked deliveries of a team. */
export function decideParked(dependencies: PageDependencies): Page {
  const { store, documents } = dependencies;
  return {
    audience: 'team',
    right: 'change webhooks',
    path: `${webhookPaths.allDeliveries}/parked`,
    async post(pageContext): Promise<Answer> {
      const replayed = chosen(pageContext.form, 'decision', ['replay', 'discard']) === 'replay';
      const decide = replayed ? replayParkedDelivery : discardParkedDelivery;
      const all = await subscriptionsOfTeam(documents, pageContext.team.team);
      const parked = await listDeliveries(documents, {
        subscriptions: all.map(({ subscription }) => subscription),
        status: 'parked',
        limit: decidedAtOnce,
      });
      const context = pageContext.context();
      const decided = await Promise.all(
        parked.map(({ delivery }) => decide(store, delivery, partOf(context, delivery))),
      );
      await untilDecisionsShown(dependencies);
      const key = replayed ? 'parked-replayed' : 'parked-discarded';
      return withNumbers(redirectDone(webhookPaths.allDeliveries, pageContext, key), {
        again: decided.filter(Boolean).length,
      });
    },
  };
}
