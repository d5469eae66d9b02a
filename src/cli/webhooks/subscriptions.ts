import { Command } from 'commander';
import type { z } from 'zod';
import type { Action } from '../../actions/action.ts';
import {
  activate,
  create,
  discard,
  edit,
  pause,
  prepareSecret,
  remove,
  rename,
  resume,
  rotateSecret,
  subscriptionList,
} from '../../actions/webhooks.ts';
import { openAddresses } from '../../commands/webhooks/subscription-address.ts';
import { counted } from '../../ground/counted.ts';
import { slug } from '../../events/define.ts';
import { hostOf } from '../../events/webhooks/webhook.ts';
import { choosableEvents } from '../../events/webhooks/webhook-events.ts';
import { deliveries } from '../../projections/webhooks/deliveries.ts';
import type { SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import { actionCommand, listCommand } from '../action-command.ts';
import type { CommandLine, CommandSystem } from '../command-line.ts';
import { listed, UsageError } from '../options.ts';
import { showListed } from '../show-command.ts';
import { addHealth, addReplay, addTests } from './receivers.ts';
import { findUrl } from './webhook-options.ts';

export function subscriptionsCommand(line: CommandLine): Command {
  const command = new Command('subscriptions').description('Webhooks: which events are sent to which URL.');
  command.addCommand(
    actionCommand(line, create, {
      name: 'create',
      description: 'Add a webhook: send events to a URL. Its signing secret is shown once.',
      ofTeam: true,
      options: {
        team: ['--team <slug>', 'the team whose events are sent', { schema: slug }],
        url: ['--url <url>', 'the URL that receives them', { find: findUrl }],
        test_receiver: [
          '--test-receiver',
          'in place of a URL: the test receiver of this installation, see "webhooks listen"',
          { read: () => true },
        ],
        name: ['--name <name>', 'what you call it'],
        events: ['--events <events>', `separated by commas: ${choosableEvents.join(', ')}`, { read: listed }],
      },
      check({ url, test_receiver }) {
        if ((url === undefined) === (test_receiver === undefined))
          throw new UsageError('say where to: either --url or --test-receiver');
      },
      secret: true,
      print: (made) => [
        made,
        [
          made.secret ?? '',
          `Webhook ${made.subscription}. The signing secret is shown only once: copy it now.`,
        ],
      ],
    }),
  );
  command.addCommand(
    listCommand(
      line,
      { ...subscriptionList, open: withAddresses },
      {
        description:
          'List webhooks without their secrets: their status, and since when and why one is paused.',
        noun: 'webhooks',
        all: true,
        columns: {
          SUBSCRIPTION: (each) => each.subscription,
          TEAM: (each) => each.team,
          NAME: (each) => each.name ?? '-',
          STATUS: (each) => each.status,
          EVENTS: (each) => each.events.join(','),
          URL: (each) => each.url,
          PAUSED: ({ status, paused_at, paused_because }) =>
            status === 'paused' ? `since ${paused_at}: ${paused_because ?? 'paused by its owner.'}` : '-',
        },
      },
    ),
  );
  command.addCommand(
    showListed(
      line,
      { ...subscriptionList, open: withAddresses },
      { description: 'Show a webhook, without its secrets.', argument: '<id>' },
    ),
  );
  command.addCommand(
    actionCommand(line, edit, {
      name: 'edit',
      description: 'Change the URL or the events of a webhook. Deliveries that wait go to the new URL.',
      options: {
        id: ['<id>'],
        url: ['--url <url>', 'the new URL', { find: findUrl }],
        events: [
          '--events <events>',
          `the new list, separated by commas: ${choosableEvents.join(', ')}`,
          { read: listed },
        ],
      },
      check({ url, events }) {
        if (url === undefined && events === undefined)
          throw new UsageError('name what to change: --url, --events or both');
      },
      print: (now) => [
        now,
        `${now.subscription} gets ${now.events.join(', ')} at ${now.url}.${now.status === 'paused' ? ' It is still paused.' : ''}`,
      ],
    }),
  );
  command.addCommand(
    actionCommand(line, rename, {
      name: 'rename',
      description: 'Give a webhook a name, or take it away with an empty one.',
      options: { id: ['<id>'], name: ['--name <name>', 'what you call it'] },
      print: ({ subscription, name }) => [
        { subscription, name: name ?? null },
        name === undefined ? `${subscription} has no name.` : `${subscription} is called ${name}.`,
      ],
    }),
  );
  const toStatus = <Input extends z.ZodObject>(
    action: Action<Input, { readonly subscription: string; readonly status: string | undefined }>,
    name: string,
    description: string,
    needs: readonly (typeof deliveries)[] = [],
  ) =>
    command.addCommand(
      actionCommand(line, action, {
        name,
        description,
        options: { id: ['<id>'] },
        needs,
        print: ({ subscription, status }) => [
          { subscription, status },
          `${subscription} is ${status ?? 'unknown'}.`,
        ],
      }),
    );
  toStatus(pause, 'pause', 'Pause a webhook. Deliveries wait until it is resumed.');
  toStatus(resume, 'resume', 'Resume a webhook. Deliveries that waited are sent first, slowly.');
  addTests(line, command);
  command.addCommand(
    actionCommand(line, discard, {
      name: 'discard-held',
      description: 'Discard what waits for a paused webhook, instead of sending it when it is resumed.',
      options: { id: ['<id>'] },
      needs: [deliveries],
      print: ({ subscription, discarded = 0 }) => [
        { subscription, discarded },
        `${counted(discarded, 'waiting delivery', 'waiting deliveries')} of ${subscription} ${discarded === 1 ? 'is' : 'are'} discarded.`,
      ],
    }),
  );
  toStatus(remove, 'delete', 'Delete a webhook for good, and discard what waits for it.');
  const withSecret = (
    action: typeof rotateSecret,
    name: string,
    description: string,
    sentence: (id: string) => string,
  ) =>
    command.addCommand(
      actionCommand(line, action, {
        name,
        description,
        options: { id: ['<id>'] },
        secret: true,
        print: ({ subscription, secret }) => [
          { subscription, secret },
          [secret ?? '', sentence(subscription)],
        ],
      }),
    );
  withSecret(
    prepareSecret,
    'prepare-secret',
    'Prepare the next signing secret, which is shown once. Until it is activated, both are valid.',
    (id) =>
      `The next secret of ${id}, shown only once: copy it now. webhook-signature is valid for it too from now on; X-Service-Signature once you run "commonweal subscriptions activate-secret ${id}".`,
  );
  command.addCommand(
    actionCommand(line, activate, {
      name: 'activate-secret',
      description: 'Replace the signing secret by the prepared one. The previous one is invalid at once.',
      options: { id: ['<id>'] },
      print: (now) => [
        now,
        `The prepared secret of ${now.subscription} signs now. The previous one is invalid.`,
      ],
    }),
  );
  withSecret(
    rotateSecret,
    'rotate',
    'Replace the signing secret at once, such as after a leak. The new one is shown once.',
    (id) =>
      `The previous secret of ${id} is invalid from now on. The new one is shown only once: copy it now.`,
  );
  addReplay(line, command);
  addHealth(line, command);
  return command;
}

/** Operators see whole addresses. */
async function withAddresses(
  { personal }: Pick<CommandSystem, 'personal'>,
  docs: readonly SubscriptionDocument[],
) {
  const urls = await openAddresses(personal, docs);
  return docs.map(({ choices: _, origin, url_sealed: _sealed, ...rest }, place) => ({
    ...rest,
    url: urls[place] ?? hostOf({ origin }),
  }));
}
