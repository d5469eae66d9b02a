import type { Command } from 'commander';
import { counted } from '../../ground/counted.ts';
import { loadNewest } from '../../commands/command-handler.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { confirmHealth } from '../../commands/webhooks/confirmation.ts';
import { subscription } from '../../commands/webhooks/subscription.ts';
import { eventsToReplay, replay, type ReplayStart } from '../../dispatch/operations/replay.ts';
import { confirmWithTest, scheduleTest, settledDelivery } from '../../dispatch/operations/test-delivery.ts';
import { choosableEvents, webhookEvent } from '../../events/webhooks/webhook.ts';
import { attemptHours } from '../../projections/webhooks/attempt-hours.ts';
import { deliveries } from '../../projections/webhooks/deliveries.ts';
import { healthReport, type PeriodHealth } from '../../projections/webhooks/health-report.ts';
import { subscriptionHealth } from '../../projections/webhooks/subscription-health.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { count, option, UsageError } from '../options.ts';
import { answer, table } from '../../ground/print.ts';
import { deliveryId, pastTime, subscriptionId } from './given.ts';
import { withBar } from './held.ts';

/** Adds `test` and `confirm`, which send a test delivery and wait for its outcome. */
export function addTests(line: CommandLine, parent: Command): void {
  parent
    .command('test <id>')
    .description(
      'Send the example of an event, once, and say what the receiver answered. A server must be running.',
    )
    .option('--event <event>', `default: the first that is subscribed. ${choosableEvents.join(', ')}`)
    .action((id: string, given: { event?: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = option('id', subscriptionId, id);
        const event = given.event === undefined ? undefined : option('--event', webhookEvent, given.event);
        const test = await scheduleTest(at, { subscriptionId: wish, event }, at.context());
        const state = await settledDelivery(at, test.delivery, test.outcome.position);
        const status = state?.status ?? 'pending';
        if (status !== 'delivered') line.exitCode = 1;
        answer(
          given.json,
          { delivery: test.delivery, event: test.event, status },
          `Test delivery ${test.delivery} of ${test.event}: ${inWords[status]}. See "commonweal deliveries show ${test.delivery}".`,
        );
      }),
    );
  parent
    .command('confirm <id>')
    .description(
      'Make a subscription active again that the service had paused: sends a test delivery, which must be accepted.',
    )
    .option('--delivery <id>', 'use this test delivery, which was accepted already')
    .action((id: string, given: { delivery?: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = option('id', subscriptionId, id);
        const { delivery, outcome } = await confirm(at, wish, given.delivery);
        await at.waitUntilVisible(outcome);
        answer(
          given.json,
          { subscription: wish, status: outcome.state?.status, delivery },
          `The receiver accepted the test delivery. ${wish} is active; what was held is sent now.`,
        );
      }),
    );
}

async function confirm(at: CommandSystem, id: string, tested: string | undefined) {
  if (tested === undefined) return confirmWithTest(at, id, { test: at.context(), confirm: at.context() });
  const delivery = option('--delivery', deliveryId, tested);
  return { delivery, outcome: await confirmHealth(at.store, id, delivery, at.context()) };
}

const inWords = {
  delivered: 'accepted',
  failed: 'not accepted',
  pending: 'not sent yet; is a server running that sends webhooks?',
  discarded: 'discarded, because the subscription is deleted',
  expired: 'expired',
  reversed: 'not sent, because the payment was reversed',
  parked: 'not sent, for reasons of our own',
} as const;

export function addReplay(line: CommandLine, parent: Command): void {
  parent
    .command('replay <id>')
    .description(
      'Send the events again that this subscription would have got with its present choice of events. Each delivery keeps its id.',
    )
    .option('--since <time>', 'from this time on')
    .option('--after <position>', 'behind this position of the log')
    .option('--limit <count>', 'the most deliveries that are sent; says where to continue')
    .action((id: string, given: { since?: string; after?: string; limit?: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = option('id', subscriptionId, id);
        const from = await startOf(at, given);
        const atMost = given.limit === undefined ? undefined : count('--limit', given.limit);
        const stop = new AbortController();
        const onInterrupt = () => stop.abort();
        process.once('SIGINT', onInterrupt);
        try {
          const done = await withBar('Replaying', await eventsToReplay(at.store, from), (onProgress) =>
            replay(
              { store: at.store, personal: at.personal, now: () => new Date() },
              { subscription: wish, from, ...(atMost === undefined ? {} : { atMost }) },
              at.context(),
              {
                onProgress,
                signal: stop.signal,
              },
            ),
          );
          const position = done.position.toString();
          if (stop.signal.aborted) line.exitCode = 1;
          answer(given.json, { subscription: wish, ...done, position }, [
            `${counted(done.scheduled, 'event is', 'events are')} sent for the first time, ${counted(done.reopened, 'is', 'are')} sent again, ${counted(done.waiting, 'was', 'were')} waiting already.`,
            ...(done.reversed > 0
              ? [
                  `${counted(done.reversed, 'is of a payment that was reversed, and is', 'are of payments that were reversed, and are')} not sent.`,
                ]
              : []),
            ...(done.more ? [`There are more. Continue with --after ${position}.`] : []),
          ]);
        } finally {
          process.off('SIGINT', onInterrupt);
        }
      }),
    );
}

async function startOf(
  at: CommandSystem,
  { since, after }: { readonly since?: string; readonly after?: string },
): Promise<ReplayStart> {
  if ((since === undefined) === (after === undefined))
    throw new UsageError('say from where on: either --since or --after');
  if (since !== undefined) return { since: pastTime('--since', since, new Date()) };
  if (!/^(-1|\d{1,19})$/.test(after ?? '')) throw new UsageError('--after: must be a position of the log');
  const position = BigInt(after ?? '');
  if (position > (await at.store.head()))
    throw new UsageError(`--after: there is nothing yet at position ${position}`);
  return { after: position };
}

export function addHealth(line: CommandLine, parent: Command): void {
  parent
    .command('health <id>')
    .description('Show how the receiver does: attempts, success rate and durations, and what waits.')
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = option('id', subscriptionId, id);
        const standing = await loadNewest(at.store, subscription, wish);
        if (!standing) throw new CommandRefused('not_found', 'There is no such subscription.');
        await at.waitUntilCurrent(attemptHours, deliveries, subscriptionHealth);
        const report = await healthReport(at.documents, wish, new Date());
        const row = (name: string, of: PeriodHealth) => [
          name,
          of.attempts,
          of.success_rate === null ? '-' : `${(of.success_rate * 100).toFixed(1)} %`,
          of.given_up,
          of.p50_ms === null ? '-' : `${of.p50_ms} ms`,
          of.p95_ms === null ? '-' : `${of.p95_ms} ms`,
        ];
        answer(json, { subscription: wish, status: standing.status, ...report }, [
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
