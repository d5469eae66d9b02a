import { Command } from 'commander';
import { z } from 'zod';
import { changeClient, registerClient, type ClientChange } from '../../commands/oauth/client.ts';
import { slug } from '../../events/define.ts';
import { siteName } from '../../events/display-name.ts';
import { clientId, signInScope, siteScopes, firstPartyScopes } from '../../events/oauth/values.ts';
import { defined } from '../../ground/defined.ts';
import { clients } from '../../projections/oauth-clients.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { withSystem, type CommandSystem, type CommandLine } from '../command-line.ts';
import { listed, option, UsageError } from '../options.ts';
import { answer, table } from '../../ground/print.ts';

interface CreateOptions {
  readonly team: string;
  readonly name: string;
  readonly redirectUri: readonly string[];
  readonly postLogoutUri?: readonly string[];
  readonly logo?: string;
  readonly scopes?: string;
  readonly firstParty?: boolean;
  readonly json?: boolean;
}

interface UpdateOptions {
  readonly name?: string;
  readonly logo?: string;
  readonly redirectUri?: readonly string[];
  readonly postLogoutUri?: readonly string[];
  readonly scopes?: string;
  readonly firstParty?: string;
  readonly json?: boolean;
}

const scopesHelp = `separated by commas: ${siteScopes.join(', ')}; for first-party clients also ${firstPartyScopes.join(', ')}`;

export function clientsCommand(line: CommandLine): Command {
  const command = new Command('clients').description('Sites and apps that let people sign in with us.');
  command
    .command('create')
    .description('Register a client of a team. It is public: it has an id and no secret.')
    .requiredOption('--team <slug>', 'the team that owns it')
    .requiredOption('--name <name>', 'the name on the consent page')
    .requiredOption(
      '--redirect-uri <uri...>',
      'where people return after signing in: https, or http://localhost',
    )
    .option('--post-logout-uri <uri...>', 'where people may be sent after signing out')
    .option('--logo <uri>', 'an https address')
    .option('--scopes <scopes>', `${scopesHelp}. Default: openid,profile,email`)
    .option(
      '--first-party',
      'a client of our own: it may have the reserved scopes, and people are not asked for consent',
    )
    .action((given: CreateOptions) =>
      withSystem(line, async (at) => {
        const wish = {
          team: option('--team', slug, given.team),
          name: option('--name', siteName, given.name),
          redirectUris: given.redirectUri,
          ...defined({ postLogoutRedirectUris: given.postLogoutUri, logoUri: given.logo }),
          ...(given.scopes === undefined ? {} : { scopes: scopesOf(given.scopes) }),
          ...defined({ firstParty: given.firstParty }),
        };
        const { clientId: id, outcome } = await registerClient(at.store, wish, at.context());
        await at.waitUntilVisible(outcome);
        answer(given.json, outcome.state, [id, `Client ${id} of ${wish.team} (${wish.name}) is registered.`]);
      }),
    );
  command
    .command('list')
    .description('List all clients.')
    .option('--team <slug>', 'only those of this team')
    .action(({ team, json }: { team?: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        await at.waitUntilCurrent(clients);
        const all = await paginateAll(at.documents.collection(clients.collection), {
          ...(team === undefined ? {} : { where: { team: option('--team', slug, team) } }),
          orderBy: ['registered_at', 'client'],
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
  command
    .command('update <id>')
    .description('Change a client. Options that are left out change nothing.')
    .option('--name <name>', 'the name on the consent page')
    .option('--logo <uri>', 'an https address; an empty one removes the logo')
    .option('--redirect-uri <uri...>', 'the new list of addresses')
    .option('--post-logout-uri <uri...>', 'the new list of addresses; one empty address for none')
    .option('--scopes <scopes>', scopesHelp)
    .option('--first-party <yes|no>', 'yes: a client of our own; no: removes the reserved scopes')
    .action((id: string, given: UpdateOptions) =>
      withSystem(line, async (at) => {
        const state = await change(at, id, changesOf(given));
        answer(given.json, state, `Client ${id} is changed.`);
      }),
    );
  command
    .command('deactivate <id>')
    .description('Refuse a client and all its tokens, from the next request on.')
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const state = await change(at, id, [{ kind: 'deactivate' }]);
        answer(json, state, `Client ${id} is inactive.`);
      }),
    );
  command
    .command('reactivate <id>')
    .description('Serve a client again. Its earlier tokens stay invalid, so people sign in again.')
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const state = await change(at, id, [{ kind: 'reactivate' }]);
        answer(json, state, `Client ${id} is active.`);
      }),
    );
  return command;
}

/** Makes all changes or none. Returns the state of the client afterwards. */
async function change(at: CommandSystem, id: string, changes: readonly ClientChange[]) {
  const client = option('id', clientId, id);
  const outcome = await changeClient(at.store, client, changes, at.context());
  await at.waitUntilVisible(outcome);
  return outcome.state;
}

/** First-party first: reserved scopes are allowed only after it. */
function changesOf(given: UpdateOptions): ClientChange[] {
  const { name, logo, redirectUri, postLogoutUri, scopes, firstParty } = given;
  const yesOrNo = z.enum(['yes', 'no'], { message: 'must be yes or no' });
  const changes: ClientChange[] = [];
  if (firstParty !== undefined) {
    changes.push({
      kind: 'set-first-party',
      firstParty: option('--first-party', yesOrNo, firstParty) === 'yes',
    });
  }
  if (name !== undefined || logo !== undefined) {
    changes.push({
      kind: 'change-details',
      ...(name === undefined ? {} : { name: option('--name', siteName, name) }),
      ...(logo === undefined ? {} : { logoUri: logo === '' ? null : logo }),
    });
  }
  if (redirectUri !== undefined) changes.push({ kind: 'change-redirect-uris', uris: redirectUri });
  if (postLogoutUri !== undefined) {
    changes.push({ kind: 'change-post-logout-uris', uris: postLogoutUri.filter((uri) => uri !== '') });
  }
  if (scopes !== undefined) changes.push({ kind: 'change-scopes', scopes: scopesOf(scopes) });
  if (changes.length === 0) throw new UsageError('clients update: name something to change');
  return changes;
}

const scopesOf = (scopes: string) =>
  option('--scopes', z.array(signInScope).min(1, 'name at least one'), listed(scopes));
