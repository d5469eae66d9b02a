import { hostOf } from '../../../commands/webhooks/subscription-address.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import {
  attemptsByHour,
  healthReport,
  type HealthReport,
  type HourOfAttempts,
  type PeriodHealth,
} from '../../../projections/webhooks/health-report.ts';
import type { SubscriptionDocument } from '../../../projections/webhooks/subscriptions.ts';
import { button, form, hidden, notice, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { barChart } from '../../pages/parts/chart.ts';
import { radioGroup, selectField } from '../../pages/parts/choices.ts';
import { doneNotice } from '../../pages/parts/notices.ts';
import { table } from '../../pages/parts/table.ts';
import { pathOf, webhookPaths } from './addresses.ts';
import { subscriptionIn } from './of-team.ts';
import { isPausedByUs, percent, stateOf, upTo } from './state.ts';
import { webhookTabs } from './tabs.ts';
import { en } from './texts.ts';

/** How far what waits is counted, and for how many hours attempts are drawn. */
const countedWaiting = 1_000;
const hoursShown = 48;

/** One webhook: its state, how its receiver does, and what can be done now. */
export function webhookPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change webhooks',
    path: webhookPaths.one,
    async get(pageContext) {
      const doc = await subscriptionIn(dependencies, pageContext);
      return webhookView(dependencies, pageContext, doc, doneNotice(pageContext, en.done));
    },
  };
}

/** `said`: what was done, or why it was refused. */
export async function webhookView(
  { documents, now }: PageDependencies,
  pageContext: TeamPageContext,
  doc: SubscriptionDocument,
  said: Html,
): Promise<View> {
  const at = now();
  const [report, hours] = await Promise.all([
    healthReport(documents, doc.subscription, at, countedWaiting),
    attemptsByHour(documents, doc.subscription, at, hoursShown),
  ]);
  return {
    title: hostOf(doc),
    content: html`${said} ${webhookTabs(pageContext.team.team, doc.subscription, 'overview')}
      <section class="card">
        <h2>${en.one.state}</h2>
        ${facts([
          [en.one.host, html`<code>${hostOf(doc)}</code>`],
          [en.new.events, doc.events.join(', ')],
          [en.one.state, stateOf(doc)],
        ])}
        ${doc.status === 'deleted' ? '' : whatNow(pageContext, doc, report)}
      </section>
      ${healthCard(report, hours)} ${doc.status === 'deleted' ? '' : testCard(pageContext, doc)}`,
  };
}

/** What the person can do in this state. */
function whatNow(pageContext: TeamPageContext, doc: SubscriptionDocument, report: HealthReport): Html {
  const { formToken: token, team } = pageContext;
  const values = { team: team.team };
  const of = hostOf(doc);
  const discard =
    report.backlog === 0 || doc.status === 'active'
      ? ''
      : ask({
          label: en.actions.discard,
          of,
          sentence: en.actions.discardAsks(upTo(report.backlog, countedWaiting)),
          action: pathOf(doc.subscription, 'discard'),
          token,
          values,
        });
  if (isPausedByUs(doc))
    return html`${notice(en.actions.confirmWhy, 'plain')}
      <div class="choices">
        ${form({
          action: pathOf(doc.subscription, 'confirm'),
          token,
          inline: true,
          content: html`${hidden('team', team.team)}${button(en.actions.confirm)}`,
        })}
        ${discard}
      </div>`;
  if (doc.status === 'paused')
    return html`<div class="choices">
      ${ask({
        label: en.actions.resume,
        of,
        sentence: en.actions.resumeAsks(upTo(report.backlog, countedWaiting)),
        action: pathOf(doc.subscription, 'resume'),
        token,
        values,
        weight: 'primary',
        fields: radioGroup({
          name: 'waiting',
          label: en.actions.waiting,
          value: 'send',
          options: [
            { value: 'send', label: en.actions.send },
            { value: 'discard', label: en.actions.discardThem, hint: en.actions.replayLater },
          ],
        }),
      })}
      ${discard}
    </div>`;
  return ask({
    label: en.actions.pause,
    of,
    sentence: en.actions.pauseAsks,
    action: pathOf(doc.subscription, 'pause'),
    token,
    values,
    weight: 'secondary',
  });
}

const healthCard = (report: HealthReport, hours: readonly HourOfAttempts[]): Html =>
  html`<section class="card">
    <h2>${en.health.heading}</h2>
    ${report.failing_since === null ? '' : notice(html`${en.health.failingSince} ${time(report.failing_since, 'minute')}.`, 'wrong')}
    <p>${waitingSentence(report)}</p>
    ${report.last_7_days.attempts === 0 ? html`<p class="quiet">${en.health.nothingSent}</p>` : attemptsOf(report, hours)}
  </section>`;

const attemptsOf = (report: HealthReport, hours: readonly HourOfAttempts[]): Html =>
  html`${table({
    caption: en.health.heading,
    columns: [
      { label: en.health.period },
      { label: en.health.attempts, numbers: true },
      { label: en.health.accepted, numbers: true },
      { label: en.health.givenUp, numbers: true },
      { label: en.health.half, numbers: true },
      { label: en.health.most, numbers: true },
    ],
    rows: [
      periodRow(en.health.hour, report.last_hour),
      periodRow(en.health.day, report.last_24_hours),
      periodRow(en.health.week, report.last_7_days),
    ],
  })}
  ${barChart({
    title: en.health.chart(hoursShown),
    by: en.health.hourColumn,
    labels: hours.map(({ at }) => hourFormat.format(new Date(at))),
    series: [
      { label: en.health.acceptedKey, kind: 'good', values: hours.map(({ succeeded }) => succeeded) },
      { label: en.health.failedKey, kind: 'bad', values: hours.map(({ failed }) => failed) },
    ],
  })}`;

const periodRow = (name: string, of: PeriodHealth) => [
  name,
  of.attempts.toLocaleString('en'),
  percent(of.success_rate),
  of.given_up.toLocaleString('en'),
  duration(of.p50_ms),
  duration(of.p95_ms),
];

const duration = (ms: number | null): string => (ms === null ? '–' : `${ms.toLocaleString('en')} ms`);

function waitingSentence({ backlog, oldest_pending_at: oldest }: HealthReport): Html {
  if (backlog === 0 || oldest === null) return html`${en.health.nothingWaits}`;
  const count = upTo(backlog, countedWaiting);
  return html`${en.health.waits(count, backlog === 1)} ${time(oldest, 'minute')}.`;
}

const hourFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
});

const testCard = ({ formToken: token, team }: TeamPageContext, doc: SubscriptionDocument): Html =>
  html`<section class="card">
    <h2>${en.test.heading}</h2>
    <p>${en.test.sentence}</p>
    ${form({
      action: pathOf(doc.subscription, 'test'),
      token,
      content: html`${hidden('team', team.team)}
      ${selectField({
        name: 'event',
        label: en.test.event,
        options: doc.events.map((event) => ({ value: event, label: event })),
      })}
      ${button(en.test.send, { weight: 'secondary' })}`,
    })}
  </section>`;
