import { discardParked, findDelivery, resend } from '../../actions/webhooks-deliveries.ts';
import type { DeliveryDetails, ShownAttempt } from '../../dispatch/operations/delivery-details.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { teamForm, teamView, type Again } from '../pages/action-form.ts';
import { button, form, hidden, notice, time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { facts } from '../pages/parts/facts.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { ask } from '../pages/parts/ask.ts';
import { badge } from '../pages/parts/badge.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { copyableLines } from '../pages/parts/show-once.ts';
import { addressOf, idIn, missing, pathOf, webhookPaths } from './addresses.ts';
import { deliveryBadge } from './deliveries-page.ts';
import { repeatRequest } from './repeat-request.ts';
import { headerLines, shownBody, webhookTabs } from './webhook-parts.ts';
import { en } from './texts.ts';

/** One delivery: what was sent, what came back, and what made it happen. */
export const deliveryPage = teamView('change webhooks', webhookPaths.delivery, deliveryView);

/** What a person does with one delivery. */
const deliveryForm = (name: string, done: keyof typeof en.deliveryDone) => ({
  path: webhookPaths.changeDelivery(name),
  view: deliveryView,
  done: (pageContext: TeamPageContext, of: { readonly subscription: string; readonly delivery: string }) =>
    redirectDone(pathOf(of.subscription, 'deliveries', of.delivery), pageContext, done),
});

export const resendForm = teamForm({ ...deliveryForm('resend', 'resent'), action: resend });
export const discardDeliveryForm = teamForm({
  ...deliveryForm('discard', 'discarded'),
  action: discardParked,
});

const testNotice = ({ status }: DeliveryDetails): Html =>
  status === 'delivered'
    ? notice(en.test.accepted)
    : status === 'pending'
      ? notice(en.test.notYet, 'plain')
      : notice(en.test.refused, 'wrong');

/** @throws EarlyAnswer when the team has none of this id */
async function deliveryView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { refused }: Partial<Again> = {},
): Promise<View> {
  const { team } = pageContext.team;
  const details = await findDelivery(dependencies, team, idIn(pageContext, 'delivery') ?? '');
  if (!details || details.subscription !== idIn(pageContext, 'id'))
    throw missing(pageContext, en.deliveryNotFound);
  const isTested = pageContext.query.get('done') === 'tested';
  const done = isTested ? testNotice(details) : doneNotice(pageContext, en.deliveryDone);
  return {
    title: details.event,
    content: html`${refused ? notice(refused.message, 'wrong') : done}
      ${webhookTabs(team, details.subscription, 'deliveries')}
      <section class="card">
        <h2>${en.delivered.heading}</h2>
        ${facts([
          [
            en.deliveries.status,
            html`${deliveryBadge(details.status)} ${details.test === true ? badge(en.deliveries.test) : ''}`,
          ],
          [en.delivered.id, html`<code>${details.delivery}</code>`],
          [en.delivered.happened, time(details.occurred_at, 'second')],
          [en.deliveries.scheduled, time(details.scheduled_at, 'second')],
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
            : shownBody(details.body, en.delivered.body)
        }
      </section>
      ${
        details.body === null
          ? ''
          : html`<section class="card">
              <h2>${en.repeat.heading}</h2>
              <details>
                <summary>${en.repeat.label}</summary>
                <p>${en.repeat.sentence}</p>
                ${copyableLines(repeatRequest(details, details.body), en.repeat.label)}
              </details>
            </section>`
      }
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
                      ${time(at, 'second')}: ${en.step[what]}
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
  const waits = status === 'pending';
  if (waits && details.attempts.at(-1)?.next_attempt_at === undefined)
    return html`<p class="quiet">${en.delivered.pending}</p>`;
  const action = (what: string) => addressOf(team.team, subscription, ['deliveries', delivery, what]);
  return html`<div class="choices">
    ${form({
      action: action('resend'),
      token,
      inline: true,
      content: html`${hidden('team', team.team)}${button(waits ? en.delivered.sendNow : en.delivered.resend, { weight: 'secondary' })}`,
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
      ${time(each.started_at, 'second')}. ${en.attempt.trigger[each.trigger]}
      ${each.under_way === true ? en.attempt.underWay : en.attempt.took(each.duration_ms)} ${each.error ?? ''}
    </p>
    ${
      each.next_attempt_at === undefined
        ? ''
        : html`<p class="quiet">${en.attempt.next} ${time(each.next_attempt_at, 'second')}.</p>`
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
