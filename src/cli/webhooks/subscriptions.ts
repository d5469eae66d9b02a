import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { z } from 'zod';
import {
  commandSubscription,
  createSubscription,
  rotateSecret,
  type SubscriptionCommand,
} from '../../commands/webhooks/subscription.ts';
import { checkUrl } from '../../dispatch/sending/destination-guard.ts';
import { newSigningSecret } from '../../dispatch/signature.ts';
import { slug } from '../../events/define.ts';
import { webhookEvent, webhookEvents } from '../../events/webhooks/webhook.ts';
import { subscriptions } from '../../projections/webhooks/subscriptions.ts';
import { destinationPolicy } from '../../runtime/threads/destination-policy.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { withSystem, type CommandSystem, type CommandLine } from '../command-line.ts';
import { listed, option, UsageError } from '../options.ts';
import { answer, table } from '../print.ts';

const subscriptionId = z.uuid({ message: 'must be the id of a subscription' });

export function subscriptionsCommand(line: CommandLine): Command {
  const command = new Command('subscriptions').description(
    'Webhook subscriptions: which events are sent to which URL.',
  );
  command
    .command('create')
    .description('Subscribe a URL to events. Its signing secret is shown once.')
    .requiredOption('--team <slug>', 'the team whose events are sent')
    .requiredOption('--url <url>', 'the URL that receives them')
    .requiredOption('--events <events>', `separated by commas: ${webhookEvents.join(', ')}`)
    .action((given: { team: string; url: string; events: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const checked = checkUrl(given.url, destinationPolicy(at.config));
        if (!checked.ok) throw new UsageError(`--url: ${checked.message}`);
        const wish = {
          team: option('--team', slug, given.team),
          url: checked.url.href,
          events: option('--events', z.array(webhookEvent).min(1, 'name at least one'), listed(given.events)),
        };
        const made = await createSubscription(at, wish, newSigningSecret(randomBytes), at.context());
        answer(given.json, { subscription: made.subscriptionId, secret: made.secret, ...wish }, [
          made.secret ?? '',
          `Subscription ${made.subscriptionId}. The signing secret is shown only once: copy it now.`,
        ]);
        await at.waitOrWarn(made.outcome);
      }),
    );
  command
    .command('list')
    .description('List all subscriptions, without their secrets.')
    .action(({ json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        await at.waitUntilCurrent(subscriptions);
        const all = await paginateAll(at.documents.collection(subscriptions.collection), {
          orderBy: ['subscription'],
        });
        const shown = all.map(({ choices: _, ...rest }) => rest);
        const rows = shown.map((each) => [
          each.subscription,
          each.team,
          each.status,
          each.events.join(','),
          each.url,
        ]);
        answer(json, shown, table(['SUBSCRIPTION', 'TEAM', 'STATUS', 'EVENTS', 'URL'], rows));
      }),
    );
  change(line, command, 'pause', 'Pause deliveries; they are held until resumed.', { kind: 'pause' });
  change(line, command, 'resume', 'Resume deliveries, the held ones first.', { kind: 'resume' });
  change(line, command, 'delete', 'Delete a subscription for good.', { kind: 'delete' });
  command
    .command('rotate <id>')
    .description('Replace the signing secret at once. The new one is shown once.')
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = option('id', subscriptionId, id);
        const made = await rotateSecret(at, wish, newSigningSecret(randomBytes), at.context());
        answer(json, { subscription: wish, secret: made.secret }, [
          made.secret ?? '',
          `The previous secret of ${wish} is invalid from now on. The new one is shown only once: copy it now.`,
        ]);
        await at.waitOrWarn(made.outcome);
      }),
    );
  return command;
}

function change(
  line: CommandLine,
  parent: Command,
  name: string,
  description: string,
  wish: Exclude<SubscriptionCommand, { kind: 'create' | 'rotate-secret' }>,
): void {
  parent
    .command(`${name} <id>`)
    .description(description)
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at: CommandSystem) => {
        const outcome = await commandSubscription(at, option('id', subscriptionId, id), wish, at.context());
        await at.waitUntilVisible(outcome);
        answer(
          json,
          { subscription: id, status: outcome.state?.status },
          `${id} is ${outcome.state?.status ?? 'unknown'}.`,
        );
      }),
    );
}
