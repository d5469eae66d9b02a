import { PausedByService } from '../../commands/webhooks/subscription.ts';
import { hostOf, webhookTitle } from '../../events/webhooks/webhook.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import {
  attemptsByHour,
  healthReport,
  type HealthReport,
  type HourOfAttempts,
  type PeriodHealth,
} from '../../projections/webhooks/health-report.ts';
import type { SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import { teamView, type Again } from '../pages/action-form.ts';
import { button, notice, time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { timeText } from '../pages/time.ts';
import { pauseOutlook } from '../../dispatch/operations/pause-outlook.ts';
import { timeLeft } from '../../ground/counted.ts';
import { facts } from '../pages/parts/facts.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { ofTeam } from '../pages/paths.ts';
import { barChart } from '../pages/parts/chart.ts';
import { radioGroup, selectField } from '../pages/parts/choices.ts';
import { doneNotice } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { subscriptionIn, webhookPaths } from './addresses.ts';
import {
  isPausedByUs,
  percent,
  stateOf,
  upTo,
  webhookAsk,
  webhookForm,
  webhookTabs,
} from './webhook-parts.ts';
import { en } from './texts.ts';

/** How far what waits is counted, and for how many hours attempts are drawn. */
const countedWaiting = 1_000;
const hoursShown = 48;
const dayMs = 86_400_000;

/** One webhook: its state, how its receiver does, and what can be done now. */
export const webhookPage = teamView('change webhooks', webhookPaths.one, webhookView);

/** The same after something was refused. */
export async function webhookView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { refused }: Partial<Again> = {},
): Promise<View> {
  const { documents, now, config } = dependencies;
  const doc = await subscriptionIn(dependencies, pageContext);
  const at = now();
  const [report, hours] = await Promise.all([
    healthReport(documents, doc.subscription, at, countedWaiting),
    attemptsByHour(documents, doc.subscription, at, hoursShown),
  ]);
  const sentence = refused instanceof PausedByService ? en.actions.onlyConfirmed : refused?.message;
  return {
    title: webhookTitle(doc),
    content: html`${sentence === undefined ? doneNotice(pageContext, en.done) : notice(sentence, 'wrong')}
      ${webhookTabs(pageContext.team.team, doc.subscription, 'overview')}
      <section class="card">
        <h2>${en.one.state}</h2>
        ${facts([
          [
            en.one.host,
            doc.test_receiver
              ? html`<a href="${ofTeam(webhookPaths.received, pageContext.team.team)}">${hostOf(doc)}</a>`
              : html`<code>${hostOf(doc)}</code>`,
          ],
          [en.new.events, doc.events.join(', ')],
          [en.one.state, stateOf(doc)],
        ])}
        ${doc.status === 'deleted' ? '' : whatNow(pageContext, doc, { report, heldDays: config.webhookHeldMs / dayMs })}
      </section>
      ${healthCard(doc, report, hours, at)} ${doc.status === 'deleted' ? '' : testCard(pageContext, doc)}`,
  };
}

/** What the person can do in this state. */
function whatNow(
  pageContext: TeamPageContext,
  doc: SubscriptionDocument,
  { report, heldDays }: { readonly report: HealthReport; readonly heldDays: number },
): Html {
  const waits = upTo(report.backlog, countedWaiting);
  const discard =
    report.backlog === 0 || doc.status === 'active'
      ? ''
      : webhookAsk(pageContext, doc, 'discard', {
          label: en.actions.discard,
          sentence: en.actions.discardAsks(waits),
        });
  if (isPausedByUs(doc))
    return html`${notice(en.actions.confirmWhy, 'plain')}
      <div class="choices">
        ${webhookForm(pageContext, doc.subscription, 'confirm', button(en.actions.confirm), true)}${discard}
      </div>`;
  if (doc.status === 'paused')
    return html`<div class="choices">
      ${webhookAsk(pageContext, doc, 'resume', {
        label: en.actions.resume,
        sentence: en.actions.resumeAsks(waits),
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
  return webhookAsk(pageContext, doc, 'pause', {
    label: en.actions.pause,
    sentence: en.actions.pauseAsks(heldDays),
    weight: 'secondary',
  });
}

/** When a webhook that fails is paused. */
function pausesWhen(report: HealthReport, now: Date): string {
  const outlook = pauseOutlook({ ...report, failing: report.failing_deliveries });
  if (!outlook) return '';
  const rest = timeLeft(outlook.pauses_at, now);
  if (outlook.more_deliveries > 0) return en.health.pausesAfter(outlook.more_deliveries, rest);
  return rest === undefined ? en.health.pausesSoon : en.health.pausesIn(rest);
}

const healthCard = (
  doc: SubscriptionDocument,
  report: HealthReport,
  hours: readonly HourOfAttempts[],
  at: Date,
): Html =>
  html`<section class="card">
    <h2>${en.health.heading}</h2>
    ${report.failing_since === null ? '' : notice(html`${en.health.failingSince} ${time(report.failing_since, 'minute')}. ${doc.status === 'active' ? pausesWhen(report, at) : ''}`, 'wrong')}
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
      { label: en.health.failed, numbers: true },
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
    labels: hours.map(({ at }) => timeText(at, 'chart hour')),
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

const testCard = (pageContext: TeamPageContext, doc: SubscriptionDocument): Html =>
  html`<section class="card">
    <h2>${en.test.heading}</h2>
    <p>${en.test.sentence}</p>
    ${webhookForm(
      pageContext,
      doc.subscription,
      'test',
      html`${selectField({
        name: 'event',
        label: en.test.event,
        options: doc.events.map((event) => ({ value: event, label: event })),
      })}
      ${button(en.test.send, { weight: 'secondary' })}`,
    )}
  </section>`;
