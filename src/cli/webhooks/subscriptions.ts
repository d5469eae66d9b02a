import { Command } from 'commander';
import { z } from 'zod';
import {
  activateSecret,
  commandSubscription,
  type SubscriptionChange,
} from '../../commands/webhooks/subscription.ts';
import { openAddress, openAddresses } from '../../commands/webhooks/subscription-address.ts';
import { prepareNextSecret, renewSecret, subscribe } from '../../dispatch/operations/signing-secrets.ts';
import { slug } from '../../events/define.ts';
import { choosableEvents, webhookEvent } from '../../events/webhooks/webhook.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { subscriptions, type SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import { withSystem, type CommandSystem, type CommandLine } from '../command-line.ts';
import { listed, option, UsageError } from '../options.ts';
import { answer, table } from '../../ground/print.ts';
import { subscriptionId, urlOption } from './given.ts';
import { addHealth, addReplay, addTests } from './receivers.ts';
import { addDiscardHeld, discardWaiting } from './held.ts';

const chosenEvents = z.array(webhookEvent).min(1, 'name at least one');

export function subscriptionsCommand(line: CommandLine): Command {
  const command = new Command('subscriptions').description(
    'Webhook subscriptions: which events are sent to which URL.',
  );
  command
    .command('create')
    .description('Subscribe a URL to events. Its signing secret is shown once.')
    .requiredOption('--team <slug>', 'the team whose events are sent')
    .requiredOption('--url <url>', 'the URL that receives them')
    .requiredOption('--events <events>', `separated by commas: ${choosableEvents.join(', ')}`)
    .action((given: { team: string; url: string; events: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = {
          team: option('--team', slug, given.team),
          events: option('--events', chosenEvents, listed(given.events)),
          url: await urlOption(at.config, given.url),
        };
        const made = await subscribe(at, wish, at.context(), at.config.webhookSubscriptionsPerTeam);
        answer(given.json, { subscription: made.subscriptionId, secret: made.secret, ...wish }, [
          made.secret ?? '',
          `Subscription ${made.subscriptionId}. The signing secret is shown only once: copy it now.`,
        ]);
        await at.waitOrWarn(made.outcome);
      }),
    );
  command
    .command('list')
    .description(
      'List subscriptions without their secrets: their status, and since when and why one is paused.',
    )
    .option('--team <slug>', 'those of one team')
    .action(({ team, json }: { team?: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const where = team === undefined ? {} : { where: { team: option('--team', slug, team) } };
        await at.waitUntilCurrent(subscriptions);
        const all = await paginateAll(at.documents.collection(subscriptions.collection), {
          ...where,
          orderBy: ['subscription'],
        });
        const urls = await openAddresses(at.personal, all);
        const shown = all.map(({ choices: _, origin, url_sealed: _sealed, ...rest }, place) => ({
          ...rest,
          url: urls[place] ?? origin,
        }));
        const rows = shown.map((each) => [
          each.subscription,
          each.team,
          each.status,
          each.events.join(','),
          each.url,
          whyPaused(each),
        ]);
        answer(json, shown, [table(['SUBSCRIPTION', 'TEAM', 'STATUS', 'EVENTS', 'URL', 'PAUSED'], rows)]);
      }),
    );
  command
    .command('edit <id>')
    .description('Change the URL or the events of a subscription. Deliveries that wait go to the new URL.')
    .option('--url <url>', 'the new URL')
    .option('--events <events>', `the new list, separated by commas: ${choosableEvents.join(', ')}`)
    .action((id: string, given: { url?: string; events?: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = option('id', subscriptionId, id);
        if (given.url === undefined && given.events === undefined)
          throw new UsageError('name what to change: --url, --events or both');
        const events =
          given.events === undefined ? undefined : option('--events', chosenEvents, listed(given.events));
        const url = given.url === undefined ? undefined : await urlOption(at.config, given.url);
        const changes: SubscriptionChange[] = [
          ...(url === undefined ? [] : [{ kind: 'change-url', url } as const]),
          ...(events === undefined ? [] : [{ kind: 'choose-events', events } as const]),
        ];
        let state;
        for (const change of changes) {
          const outcome = await commandSubscription(at, wish, change, at.context());
          await at.waitUntilVisible(outcome);
          state = outcome.state;
        }
        const to = state && ((await openAddress(at.personal, state)) ?? state.origin);
        const shown = { subscription: wish, url: to, events: state?.events, status: state?.status };
        const paused = state?.status === 'paused' ? ' It is still paused.' : '';
        answer(given.json, shown, `${wish} gets ${state?.events.join(', ')} at ${to}.${paused}`);
      }),
    );
  changeStatus(line, command, 'pause', 'Pause deliveries; they are held until resumed.', { kind: 'pause' });
  changeStatus(line, command, 'resume', 'Resume deliveries, the held ones first, slowly.', {
    kind: 'resume',
  });
  addTests(line, command);
  addDiscardHeld(line, command);
  command
    .command('delete <id>')
    .description('Delete a subscription for good, and discard what waits for it.')
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = option('id', subscriptionId, id);
        const outcome = await commandSubscription(at, wish, { kind: 'delete' }, at.context());
        await at.waitUntilVisible(outcome);
        // What the read model does not show yet is discarded by the job that ends held deliveries.
        await discardWaiting(at, wish);
        answer(json, { subscription: wish, status: outcome.state?.status }, `${wish} is deleted.`);
      }),
    );
  command
    .command('prepare-secret <id>')
    .description(
      'Prepare the next signing secret, which is shown once. Until it is activated, both are valid.',
    )
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = option('id', subscriptionId, id);
        const made = await prepareNextSecret(at, wish, at.context());
        answer(json, { subscription: wish, secret: made.secret }, [
          made.secret ?? '',
          `The next secret of ${wish}, shown only once: copy it now. webhook-signature is valid for it too from now on; X-Service-Signature once you run "commonweal subscriptions activate-secret ${wish}".`,
        ]);
        await at.waitOrWarn(made.outcome);
      }),
    );
  command
    .command('activate-secret <id>')
    .description('Replace the signing secret by the prepared one. The previous one is invalid at once.')
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = option('id', subscriptionId, id);
        const outcome = await activateSecret(at, wish, undefined, at.context());
        await at.waitUntilVisible(outcome);
        answer(
          json,
          { subscription: wish, secret_version: outcome.state?.secret_version },
          `The prepared secret of ${wish} signs now. The previous one is invalid.`,
        );
      }),
    );
  command
    .command('rotate <id>')
    .description('Replace the signing secret at once, such as after a leak. The new one is shown once.')
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = option('id', subscriptionId, id);
        const made = await renewSecret(at, wish, at.context());
        answer(json, { subscription: wish, secret: made.secret }, [
          made.secret ?? '',
          `The previous secret of ${wish} is invalid from now on. The new one is shown only once: copy it now.`,
        ]);
        await at.waitOrWarn(made.outcome);
      }),
    );
  addReplay(line, command);
  addHealth(line, command);
  return command;
}

function whyPaused({
  status,
  paused_at,
  paused_because,
}: Pick<SubscriptionDocument, 'status' | 'paused_at' | 'paused_because'>): string {
  if (status !== 'paused') return '-';
  return `since ${paused_at}: ${paused_because ?? 'paused by its owner.'}`;
}

function changeStatus(
  line: CommandLine,
  parent: Command,
  name: string,
  description: string,
  wish: SubscriptionChange,
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
