import { Command } from 'commander';
import { z } from 'zod';
import { changeSite, registerSite, setSiteStatus, siteList } from '../actions/oauth-sites.ts';
import { slug } from '../events/define.ts';
import { siteName } from '../events/display-name.ts';
import { firstPartyScopes, siteScopes } from '../events/oauth/values.ts';
import { answer, table } from '../ground/print.ts';
import { paginateAll } from '../projections/engine/paginate.ts';
import { clients } from '../projections/oauth-clients.ts';
import { actionCommand } from './action-command.ts';
import { withSystem, type CommandLine } from './command-line.ts';
import { namedTeam } from './named-team.ts';
import { listed, UsageError } from './options.ts';
import { showListed } from './show-command.ts';

const scopesHelp = `separated by commas: ${siteScopes.join(', ')}; for our own sites also ${firstPartyScopes.join(', ')}`;

export function clientsCommand(line: CommandLine): Command {
  const command = new Command('clients').description('Sites that let people sign in with us.');
  command.addCommand(
    actionCommand(line, registerSite, {
      name: 'create',
      description: 'Register a site of a team. It has an id (client_id) and no secret.',
      ofTeam: true,
      options: {
        team: ['--team <slug>', 'the team that owns it', { schema: slug }],
        name: ['--name <name>', 'the name on the consent page'],
        redirect_uris: [
          '--redirect-uri <uri...>',
          'where people return after signing in: https, or http://localhost',
        ],
        post_logout_redirect_uris: [
          '--post-logout-uri <uri...>',
          'where people may be sent after signing out',
        ],
        logo_uri: ['--logo <uri>', 'an https address'],
        scopes: ['--scopes <scopes>', `${scopesHelp}. Default: openid,profile,email`, { read: listed }],
        first_party: [
          '--first-party',
          'a site of our own: it may have the reserved scopes, and people are not asked for consent',
        ],
      },
      print: ({ id, site }, { team = '', name = '' }) => [
        site,
        [id, `Site ${id} of ${team} (${name}) is registered.`],
      ],
    }),
  );
  command
    .command('list')
    .description('List all sites.')
    .option('--team <slug>', 'only those of this team')
    .action(({ team, json }: { team?: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const of = await namedTeam(at, team);
        await at.waitUntilCurrent(clients);
        const all = await paginateAll(at.documents.collection(clients.collection), {
          ...(of === undefined ? {} : { where: { team: of } }),
          orderBy: siteList.orderBy,
        });
        const rows = all.map((each) => [
          each.client,
          each.team,
          each.status,
          each.first_party ? 'first-party' : '-',
          each.scopes.join(','),
          each.redirect_uris.join(' '),
          each.name,
        ]);
        answer(
          json,
          all,
          table(['CLIENT', 'TEAM', 'STATUS', 'KIND', 'SCOPES', 'REDIRECT URIS', 'NAME'], rows),
        );
      }),
    );
  command.addCommand(showListed(line, siteList, { description: 'Show a site.', argument: '<id>' }));
  command.addCommand(
    actionCommand(line, changeSite, {
      name: 'update',
      description: 'Change a site. Options that are left out change nothing.',
      options: {
        client: ['<id>'],
        name: ['--name <name>', 'the name on the consent page', { schema: siteName.optional() }],
        logo_uri: ['--logo <uri>', 'an https address; an empty one removes the logo', { read: textOrNull }],
        redirect_uris: ['--redirect-uri <uri...>', 'the new list of addresses'],
        post_logout_redirect_uris: [
          '--post-logout-uri <uri...>',
          'the new list of addresses; one empty address for none',
          {
            schema: z.array(z.string()).transform((uris) => uris.filter((uri) => uri !== '')),
            optional: true,
          },
        ],
        scopes: ['--scopes <scopes>', scopesHelp, { read: listed }],
        first_party: [
          '--first-party <yes|no>',
          'yes: a site of our own; no: removes the reserved scopes',
          { schema: yesOrNo, optional: true },
        ],
      },
      check: ({ client: _, ...changes }) => {
        if (Object.values(changes).every((each) => each === undefined))
          throw new UsageError('clients update: name what to change');
      },
      print: (site, { client = '' }) => [site, `Site ${client} is changed.`],
    }),
  );
  const statusCommand = (status: 'active' | 'inactive', name: string, description: string) =>
    actionCommand(
      line,
      {
        ...setSiteStatus,
        input: setSiteStatus.input.extend({ status: z.literal(status).default(status) }),
      },
      {
        name,
        description,
        options: { client: ['<id>'] },
        print: (site, { client = '' }) => [site, `Site ${client} is ${status}.`],
      },
    );
  command.addCommand(
    statusCommand('inactive', 'deactivate', 'Refuse a site and all its tokens, from the next request on.'),
  );
  command.addCommand(
    statusCommand(
      'active',
      'reactivate',
      'Serve a site again. Its earlier tokens stay invalid, so people sign in again.',
    ),
  );
  return command;
}

const textOrNull = (text: string): string | null => (text === '' ? null : text);

const yesOrNo = z
  .enum(['yes', 'no'], { message: 'must be yes or no' })
  .transform((answered) => answered === 'yes');
