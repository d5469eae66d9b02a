import { Command } from 'commander';
import { z } from 'zod';
import {
  deliveryList,
  resend,
  resendFailed,
  searchDeliveries,
  sendWaiting,
} from '../../actions/webhooks-deliveries.ts';
import { subscriptionList } from '../../actions/webhooks.ts';
import { counted } from '../../ground/counted.ts';
import { deliveryStatuses } from '../../events/webhooks/webhook.ts';
import { choosableEvents, webhookEvent } from '../../events/webhooks/webhook-events.ts';
import { deliveryDetails, type DeliveryDetails } from '../../dispatch/operations/delivery-details.ts';
import { deliveries } from '../../projections/webhooks/deliveries.ts';
import { subscriptionsOfTeam } from '../../projections/webhooks/delivery-list.ts';
import { subscriptions } from '../../projections/webhooks/subscriptions.ts';
import { actionCommand } from '../action-command.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { namedTeam } from '../named-team.ts';
import { count, option, UsageError } from '../options.ts';
import { defined } from '../../ground/defined.ts';
import { answer, table } from '../../ground/print.ts';
import { pastTime } from './webhook-options.ts';

/** Deliveries of one list. There is another page after it. */
const listedAtMost = 1_000;

const status = z.enum(deliveryStatuses, { message: `must be one of ${deliveryStatuses.join(', ')}` });

interface ListOptions {
  readonly subscription?: string;
  readonly team?: string;
  readonly status?: string;
  readonly event?: string;
  readonly words?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: string;
  readonly after?: string;
  readonly json?: boolean;
}

export function deliveriesCommand(line: CommandLine): Command {
  const command = new Command('deliveries').description(
    'Webhook deliveries: what was sent, and what became of it.',
  );
  command
    .command('list')
    .description(
      'List deliveries, newest first. With --status, in the order in which their newest attempts were due.',
    )
    .option('--subscription <id>', 'those of one webhook')
    .option('--team <slug>', 'those of all webhooks of one team')
    .option('--status <status>', deliveryStatuses.join(', '))
    .option('--event <event>', choosableEvents.join(', '))
    .option('--words <words>', 'that stand in the body, the id or the newest answer')
    .option('--since <time>', 'from this time on')
    .option('--until <time>', 'up to this time')
    .option('--limit <count>', 'the most deliveries', '50')
    .option('--after <place>', 'continue behind the last delivery of the list before')
    .action((options: ListOptions) => withSystem(line, (at) => list(at, options)));
  command
    .command('show <id>')
    .description('Show a delivery: its body, and every attempt with request, response, timing and cause.')
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const details = await deliveryDetails(at, option('id', deliveryList.id, id));
        answer(json, details, linesOf(details));
      }),
    );
  command.addCommand(
    actionCommand(line, resend, {
      name: 'resend',
      description:
        'Send a delivery again, with the same id and body, also one that waits for its next attempt.',
      options: { delivery: ['<id>'] },
      print: ({ delivery, resent }) => [
        { delivery, status: 'pending', resent },
        resent ? `${delivery} is sent again.` : `${delivery} is due already.`,
      ],
    }),
  );
  command.addCommand(
    actionCommand(line, sendWaiting, {
      name: 'send-waiting',
      description: 'Send now what waits for its next attempt, such as when a receiver works again.',
      options: { id: ['--subscription <id>', 'the webhook'] },
      needs: [deliveries],
      print: (done) => [
        done,
        `${counted(done.resent ?? 0, 'delivery that waited is', 'deliveries that waited are')} sent now.`,
      ],
    }),
  );
  command.addCommand(
    actionCommand(line, resendFailed, {
      name: 'resend-failed',
      description: 'Send all deliveries of a webhook again that failed since a time.',
      options: {
        id: ['--subscription <id>', 'the webhook'],
        since: ['--since <time>', 'the last attempt was due at this time or later', { schema: pastTime }],
      },
      needs: [deliveries],
      print: (done) => [
        done,
        `${counted(done.resent ?? 0, 'failed delivery is', 'failed deliveries are')} sent again.`,
      ],
    }),
  );
  return command;
}

async function list(at: CommandSystem, options: ListOptions): Promise<void> {
  const query = {
    status: options.status === undefined ? undefined : option('--status', status, options.status),
    event: option('--event', webhookEvent.optional(), options.event),
    words: options.words,
    limit: Math.min(count('--limit', options.limit), listedAtMost),
    after: options.after === undefined ? undefined : placeIn(options.after),
    ...periodIn(options),
  };
  await at.waitUntilCurrent(deliveries, subscriptions);
  const { found, next: place } = await searchDeliveries(at, {
    ...query,
    subscriptions: await chosen(at, options),
  });
  const next = place?.join('/');
  answer(options.json, { deliveries: found, next: next ?? null }, [
    table(
      ['DELIVERY', 'EVENT', 'STATUS', 'ATTEMPTS', 'SCHEDULED', 'NEWEST ANSWER'],
      found.map((each) => [
        each.delivery,
        each.test ? `${each.event} (test)` : each.event,
        each.status,
        each.attempts,
        each.scheduled_at,
        each.last_error ?? each.last_status ?? '-',
      ]),
    ),
    ...(next === undefined ? [] : [`Continue with --after ${next}`]),
  ]);
}

/** @throws UsageError when --since and --until are the wrong way round */
function periodIn({ since, until }: ListOptions): { readonly since?: string; readonly until?: string } {
  const times = {
    since: option('--since', pastTime.optional(), since),
    until: option('--until', pastTime.optional(), until),
  };
  if (times.since && times.until && times.since > times.until)
    throw new UsageError('--until: is before --since');
  return defined(times);
}

/** The subscriptions whose deliveries are listed. */
async function chosen(at: CommandSystem, { subscription, team }: ListOptions): Promise<readonly string[]> {
  if ((subscription === undefined) === (team === undefined))
    throw new UsageError('say whose deliveries: either --subscription or --team');
  if (subscription !== undefined) {
    const id = option('--subscription', subscriptionList.id, subscription);
    if (!(await at.documents.collection(subscriptions.collection).get(id)))
      throw new UsageError('--subscription: there is no such webhook');
    return [id];
  }
  const of = (await namedTeam(at, team)) as string;
  return (await subscriptionsOfTeam(at.documents, of)).map((each) => each.subscription);
}

const place = z.tuple([z.iso.datetime(), z.uuid()]);

function placeIn(text: string): readonly [string, string] {
  const read = place.safeParse(text.split('/'));
  if (!read.success) throw new UsageError('--after: must be what the list before ended with');
  return read.data;
}

function linesOf(details: DeliveryDetails): string[] {
  const { delivery, subscription, event, test, status: is, scheduled_at, body, attempts, steps } = details;
  return [
    `Delivery ${delivery} of ${event}${test ? ' (test)' : ''} to webhook ${subscription}: ${is}.`,
    `Scheduled at ${scheduled_at}.`,
    `Body: ${body ?? `cannot be shown. ${details.no_body_because ?? ''}`}`,
    ...steps.map(({ at, what, by }) => `${at} ${what}, by ${by.kind} ${by.id}`),
    ...attempts.flatMap((each) => [
      `Attempt ${each.attempt} (${each.trigger}) at ${each.started_at}, ${each.duration_ms} ms: ${each.under_way ? 'under way' : `${each.status ?? ''} ${each.error ?? ''}`}`.trimEnd(),
      ...(each.next_attempt_at === undefined ? [] : [`  The next one was due at ${each.next_attempt_at}.`]),
      ...fields('  > ', each.request?.headers),
      ...fields('  < ', each.response?.headers),
      ...(each.response?.text ? [`  ${each.response.text}${each.response.truncated ? ' …' : ''}`] : []),
    ]),
  ];
}

const fields = (mark: string, headers: Readonly<Record<string, unknown>> | undefined): string[] =>
  Object.entries(headers ?? {}).map(([name, value]) => `${mark}${name}: ${String(value)}`);
