import type { Command } from 'commander';
import { confirm, replayEvents, sendTest } from '../../actions/webhooks-deliveries.ts';
import { subscriptionList } from '../../actions/webhooks.ts';
import { loadNewest } from '../../commands/command-handler.ts';
import { subscription } from '../../commands/webhooks/subscription.ts';
import { counted } from '../../ground/counted.ts';
import { choosableEvents } from '../../events/webhooks/webhook-events.ts';
import { attemptHours } from '../../projections/webhooks/attempt-hours.ts';
import { deliveries } from '../../projections/webhooks/deliveries.ts';
import { healthReport, type PeriodHealth } from '../../projections/webhooks/health-report.ts';
import { subscriptionHealth } from '../../projections/webhooks/subscription-health.ts';
import { answer, table } from '../../ground/print.ts';
import { actionCommand } from '../action-command.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { count, option, UsageError } from '../options.ts';
import { pastTime } from './webhook-options.ts';

/** Adds `test` and `confirm`, which send a test delivery and wait for its outcome. */
export function addTests(line: CommandLine, parent: Command): void {
  parent.addCommand(
    actionCommand(line, sendTest, {
      name: 'test',
      description:
        'Send the example of an event, once, and say what the receiver answered. A server must be running.',
      options: {
        id: ['<id>'],
        event: ['--event <event>', `default: the first that is subscribed. ${choosableEvents.join(', ')}`],
      },
      print({ delivery, event, status }) {
        if (status !== 'delivered') line.exitCode = 1;
        return [
          { delivery, event, status },
          `Test delivery ${delivery} of ${event}: ${inWords[status]}. See "commonweal deliveries show ${delivery}".`,
        ];
      },
    }),
  );
  parent.addCommand(
    actionCommand(line, confirm, {
      name: 'confirm',
      description:
        'Make a webhook active again that the service had paused: sends a test delivery, which must be accepted.',
      options: {
        id: ['<id>'],
        delivery: ['--delivery <id>', 'use this test delivery, which was accepted already'],
      },
      print: (confirmed) => [
        confirmed,
        `The receiver accepted the test delivery. ${confirmed.subscription} is active; what was held is sent now.`,
      ],
    }),
  );
}

const inWords = {
  delivered: 'accepted',
  failed: 'not accepted',
  pending: 'not sent yet; is a server running that sends webhooks?',
  discarded: 'discarded, because the webhook is deleted',
  expired: 'expired',
  reversed: 'not sent, because the payment was reversed',
  parked: 'not sent, because of a fault in this service',
} as const;

export function addReplay(line: CommandLine, parent: Command): void {
  parent.addCommand(
    actionCommand(line, replayEvents, {
      name: 'replay',
      description:
        'Send the events again that this webhook would have got with its present choice of events. Each delivery keeps its id.',
      options: {
        id: ['<id>'],
        since: [
          '--since <time>',
          'from this time on',
          { schema: pastTime.transform((at) => ({ since: new Date(at) })), fills: 'from', optional: true },
        ],
        until: [
          '--until <time>',
          'up to this time; default: now',
          { schema: pastTime.transform((at) => new Date(at)), optional: true },
        ],
        after: [
          '--after <position>',
          'behind this position of the log',
          { find: placeIn, fills: 'from', optional: true },
        ],
        atMost: [
          '--limit <count>',
          'the most deliveries that are sent; says where to continue',
          { read: (text) => count('--limit', text) },
        ],
      },
      check({ since, after }) {
        if ((since === undefined) === (after === undefined))
          throw new UsageError('say from where on: either --since or --after');
      },
      print(done) {
        const position = done.position.toString();
        return [
          { ...done, position },
          [
            `${counted(done.scheduled, 'event is', 'events are')} sent for the first time, ${counted(done.reopened, 'is', 'are')} sent again, ${counted(done.waiting, 'was', 'were')} waiting already.`,
            ...(done.reversed > 0
              ? [
                  `${counted(done.reversed, 'is of a payment that was reversed, and is', 'are of payments that were reversed, and are')} not sent.`,
                ]
              : []),
            ...(done.more ? [`There are more. Continue with --after ${position}.`] : []),
          ],
        ];
      },
    }),
  );
}

/** @throws UsageError */
async function placeIn({ store }: CommandSystem, after: string): Promise<{ readonly after: bigint }> {
  if (!/^(-1|\d{1,19})$/.test(after)) throw new UsageError('--after: must be a position of the log');
  const position = BigInt(after);
  if (position > (await store.head()))
    throw new UsageError(`--after: there is nothing yet at position ${position}`);
  return { after: position };
}

export function addHealth(line: CommandLine, parent: Command): void {
  parent
    .command('health <id>')
    .description('Show how the receiver does: attempts, success rate and durations, and what waits.')
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const of = option('id', subscriptionList.id, id);
        const state = await loadNewest(at.store, subscription, of);
        if (!state) throw subscriptionList.none();
        await at.waitUntilCurrent(attemptHours, deliveries, subscriptionHealth);
        const report = await healthReport(at.documents, of, new Date());
        const row = (name: string, period: PeriodHealth) => [
          name,
          period.attempts,
          period.success_rate === null ? '-' : `${(period.success_rate * 100).toFixed(1)} %`,
          period.given_up,
          period.p50_ms === null ? '-' : `${period.p50_ms} ms`,
          period.p95_ms === null ? '-' : `${period.p95_ms} ms`,
        ];
        answer(json, { subscription: of, status: state.status, ...report }, [
          table(
            ['PERIOD', 'ATTEMPTS', 'SUCCESS', 'GIVEN UP', 'P50', 'P95'],
            [
              row('last hour', report.last_hour),
              row('last 24 hours', report.last_24_hours),
              row('last 7 days', report.last_7_days),
            ],
          ),
          `${counted(report.backlog, 'delivery waits', 'deliveries wait')}${report.oldest_pending_at === null ? '' : `, the oldest since ${report.oldest_pending_at}`}.`,
          ...(report.failing_since === null
            ? []
            : [`Every attempt has failed since ${report.failing_since}.`]),
        ]);
      }),
    );
}
