import { CommandRefused } from '../../../commands/errors.ts';
import {
  deliveryDetails,
  type DeliveryDetails,
  type ShownAttempt,
} from '../../../dispatch/operations/delivery-details.ts';
import {
  discardParkedDelivery,
  replayParkedDelivery,
} from '../../../dispatch/operations/parked-deliveries.ts';
import { resendDelivery } from '../../../dispatch/operations/resend.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, form, hidden, notice, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { ask } from '../../pages/parts/ask.ts';
import { badge } from '../../pages/parts/badge.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { copyableLines } from '../../pages/parts/show-once.ts';
import { pathOf, webhookPaths } from './addresses.ts';
import { deliveryBadge } from './deliveries-page.ts';
import { idIn, missing } from './of-team.ts';
import { webhookTabs } from './tabs.ts';
import { en } from './texts.ts';

/** One delivery: what was sent, what came back, and what made it happen. */
export function deliveryPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change webhooks',
    path: webhookPaths.delivery,
    async get(pageContext) {
      const details = await detailsIn(dependencies, pageContext);
      const said =
        pageContext.query.get('done') === 'tested'
          ? testNotice(details)
          : doneNotice(pageContext, en.deliveryDone);
      return detailsView(pageContext, details, said);
    },
  };
}

/** What a person does with one delivery. */
export const deliveryActions = [
  deliveryAction('resend', 'resent', async (dependencies, pageContext, { delivery, status }) => {
    const { store } = dependencies;
    const context = pageContext.onceContext();
    if (status === 'parked') await replayParkedDelivery(store, delivery, context);
    else await resendDelivery(store, delivery, context);
  }),
  deliveryAction('discard', 'discarded', async ({ store }, pageContext, { delivery }) => {
    await discardParkedDelivery(store, delivery, pageContext.context());
  }),
];

function deliveryAction(
  name: string,
  done: keyof typeof en.deliveryDone,
  act: (
    dependencies: PageDependencies,
    pageContext: TeamPageContext,
    details: DeliveryDetails,
  ) => Promise<void>,
) {
  return (dependencies: PageDependencies): Page => ({
    audience: 'team',
    right: 'change webhooks',
    path: webhookPaths.changeDelivery(name),
    async post(pageContext) {
      const details = await detailsIn(dependencies, pageContext);
      try {
        await act(dependencies, pageContext, details);
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        const refused = notice(error.message, 'wrong');
        return { ...detailsView(pageContext, details, refused), status: error.status };
      }
      return redirectDone(pathOf(details.subscription, 'deliveries', details.delivery), pageContext, done);
    },
  });
}

/** The delivery in the address, from its stream. @throws EarlyAnswer when the team has none of this id */
async function detailsIn(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
): Promise<DeliveryDetails> {
  const id = idIn(pageContext, 'delivery');
  try {
    const details = id === undefined ? undefined : await deliveryDetails(dependencies, id);
    if (details?.team === pageContext.team.team && details.subscription === idIn(pageContext, 'id'))
      return details;
  } catch (error) {
    if (!(error instanceof CommandRefused && error.code === 'not_found')) throw error;
  }
  throw missing(pageContext, en.deliveryNotFound);
}

const testNotice = ({ status }: DeliveryDetails): Html =>
  status === 'delivered'
    ? notice(en.test.accepted)
    : status === 'pending'
      ? notice(en.test.notYet, 'plain')
      : notice(en.test.refused, 'wrong');

function detailsView(pageContext: TeamPageContext, details: DeliveryDetails, said: Html): View {
  const { team } = pageContext.team;
  return {
    title: details.event,
    content: html`${said} ${webhookTabs(team, details.subscription, 'deliveries')}
      <section class="card">
        <h2>${en.delivered.heading}</h2>
        ${facts([
          [
            en.deliveries.status,
            html`${deliveryBadge(details.status)} ${details.test === true ? badge(en.deliveries.test) : ''}`,
          ],
          [en.delivered.id, html`<code>${details.delivery}</code>`],
          [en.delivered.happened, time(details.occurred_at, 'minute')],
          [en.deliveries.scheduled, time(details.scheduled_at, 'minute')],
          [
            en.delivered.because,
            html`<a href="${ofTeam(`${paths.auditWalk}/${details.correlation_id}`, team)}"
              >${details.test === true ? en.delivered.becauseTest : en.delivered.becauseEvent}</a
            >`,
          ],
        ])}
        ${again(pageContext, details)}
      </section>
      <section class="card">
        <h2>${en.delivered.body}</h2>
        ${
          details.body === null
            ? html`<p>${details.no_body_because ?? en.delivered.noBody}</p>`
            : copyableLines(details.body, en.delivered.body)
        }
      </section>
      ${
        details.attempts.length === 0
          ? html`<section class="card">
              <h2>${en.delivered.attempts}</h2>
              <p>${en.delivered.noAttempt}</p>
            </section>`
          : [...details.attempts].reverse().map(attemptCard)
      }
      ${
        details.steps.length === 0
          ? ''
          : html`<section class="card">
              <h2>${en.delivered.steps}</h2>
              <ul class="points">
                ${details.steps.map(
                  ({ at, what, by }) =>
                    html`<li>
                      ${time(at, 'minute')}: ${en.step[what]}
                      ${by.kind === 'system' ? en.step.byUs : en.step.byPerson}
                    </li>`,
                )}
              </ul>
            </section>`
      }`,
  };
}

/** What can be done with the delivery in its state. */
function again({ formToken: token, team }: TeamPageContext, details: DeliveryDetails): Html {
  const { status, subscription, delivery } = details;
  if (status === 'pending') return html`<p class="quiet">${en.delivered.pending}</p>`;
  const action = (what: string) => pathOf(subscription, 'deliveries', delivery, what);
  return html`<div class="choices">
    ${form({
      action: action('resend'),
      token,
      inline: true,
      content: html`${hidden('team', team.team)}${button(en.delivered.resend, { weight: 'secondary' })}`,
    })}
    ${
      status === 'parked'
        ? ask({
            label: en.parked.discardOne,
            of: details.event,
            sentence: en.parked.discardAsks,
            action: action('discard'),
            token,
            values: { team: team.team },
          })
        : ''
    }
  </div>`;
}

const attemptCard = (each: ShownAttempt): Html =>
  html`<section class="card">
    <h2>${en.attempt.title(each.attempt)} ${outcomeBadge(each)}</h2>
    <p>
      ${time(each.started_at, 'minute')}. ${en.attempt.trigger[each.trigger]}
      ${each.under_way === true ? en.attempt.underWay : en.attempt.took(each.duration_ms)} ${each.error ?? ''}
    </p>
    ${
      each.next_attempt_at === undefined
        ? ''
        : html`<p class="quiet">${en.attempt.next} ${time(each.next_attempt_at, 'minute')}.</p>`
    }
    ${each.request === undefined ? html`<p class="quiet small">${en.attempt.notKept}</p>` : ''}
    ${each.request === undefined ? '' : lines(en.attempt.request, each.attempt, headerLines(each.request.headers))}
    ${
      each.response === undefined
        ? ''
        : html`${lines(en.attempt.response, each.attempt, headerLines(each.response.headers))}
          ${
            each.response.text === ''
              ? html`<p class="quiet small">${en.attempt.emptyText}</p>`
              : lines(en.attempt.text, each.attempt, each.response.text)
          }
          ${each.response.truncated ? html`<p class="quiet small">${en.attempt.cut}</p>` : ''}`
    }
  </section>`;

const outcomeBadge = ({ status, error, under_way }: ShownAttempt): Html =>
  under_way === true
    ? badge(en.attempt.begun)
    : badge(
        status === undefined ? en.attempt.noAnswer : String(status),
        error === undefined ? 'good' : 'bad',
      );

const lines = (label: string, attempt: number, text: string): Html =>
  html`<details>
    <summary>${label}<span class="unseen"> ${en.attempt.title(attempt)}</span></summary>
    ${copyableLines(text, `${label}, ${en.attempt.title(attempt)}`)}
  </details>`;

const headerLines = (headers: Readonly<Record<string, unknown>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');
