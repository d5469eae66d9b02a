import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { z } from 'zod';
import { CommandRefused } from '../../commands/errors.ts';
import { commandApiKey, createApiKey } from '../../commands/keys/api-key.ts';
import { withLabels } from '../../commands/keys/key-label.ts';
import { requireTeam } from '../../commands/teams/team.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { domain, keyKind, type KeyKind } from '../../events/keys/api-key.ts';
import { line as textLine, slug } from '../../events/define.ts';
import { keyScope, keyScopes } from '../../events/teams/team.ts';
import { apiKeys, type ApiKeyDocument } from '../../projections/keys/api-keys.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { lastUses } from '../../audit/key-usage.ts';
import { requireAccount } from '../account.ts';
import {
  withSystem,
  withNewOrExistingSystem,
  type CommandLine,
  type CommandSystem,
} from '../command-line.ts';
import { listed, option } from '../options.ts';
import { answer, table } from '../../ground/print.ts';
import { printLegacyCallers, usageCommand } from './usage.ts';

interface CreateOptions {
  readonly kind: string;
  readonly team?: string;
  readonly scopes: string;
  readonly domains?: string;
  readonly label?: string;
  readonly for?: string;
  readonly json?: boolean;
}

export function keysCommand(line: CommandLine): Command {
  const command = new Command('keys').description(
    'API keys: api_pk_… for developers, api_tk_… for teams, api_ik_… for auditors of the whole installation.',
  );
  command
    .command('create')
    .description('Create a key. It is shown once.')
    .requiredOption('--kind <kind>', 'developer, team or installation')
    .option('--team <slug>', 'the team that owns it; for team keys')
    .requiredOption('--scopes <scopes>', `separated by commas: ${keyScopes.join(', ')}`)
    .option('--domains <domains>', 'allow requests from these sites only: example.org, *.example.org')
    .option(
      '--label <text>',
      'a note about its purpose; with --for it is sealed for that person, else it stays for ever',
    )
    .option(
      '--for <address>',
      'who gets it: a member of the team, or an administrator; members remove then shows it',
    )
    .action((given: CreateOptions) =>
      withNewOrExistingSystem(line, async (at) => {
        const wish = {
          kind: option('--kind', keyKind, given.kind),
          scopes: option('--scopes', z.array(keyScope).min(1, 'name at least one'), listed(given.scopes)),
          domains: option('--domains', z.array(domain), listed(given.domains ?? '')),
          ...(given.team === undefined ? {} : { team: option('--team', slug, given.team) }),
          ...(given.label === undefined ? {} : { label: option('--label', textLine(200), given.label) }),
        };
        const context = await madeFor(at, given.for, wish);
        const { keyId, key, outcome } = await createApiKey(at, wish, randomBytes(32), context);
        answer(given.json, { key_id: keyId, key, ...wish }, [
          key ?? '',
          `Key ${keyId}, ${wish.kind}, ${wish.scopes.join(' ')}. It is shown only once: copy it now.`,
        ]);
        await at.waitOrWarn(outcome);
      }),
    );
  command
    .command('list')
    .description('List all keys, without their secrets.')
    .option('--team <slug>', 'only those of this team')
    .option('--legacy', 'only those that called the legacy endpoint in the last 30 days, with how often')
    .action(({ team, legacy, json }: { team?: string; legacy?: boolean; json?: boolean }) =>
      withSystem(line, async (at) => {
        await at.waitUntilCurrent(apiKeys);
        const all = await withLabels(
          at.personal,
          await paginateAll(at.documents.collection(apiKeys.collection), {
            ...(team === undefined ? {} : { where: { team: option('--team', slug, team) } }),
            orderBy: ['created_at', 'key_id'],
          }),
        );
        if (legacy === true) return printLegacyCallers(at, all, json);
        const used = await lastUses(
          at.side,
          all.map(({ key_id }) => key_id),
        );
        const shown = all.map((key) => ({ ...withoutHash(key), last_used: used.get(key.key_id) ?? null }));
        const rows = shown.map((key) => [
          key.key_id,
          key.kind,
          key.team ?? '-',
          key.status,
          key.scopes.join(','),
          key.domains.join(',') || '-',
          key.created_at,
          key.last_used ?? '-',
          key.label ?? '',
        ]);
        answer(
          json,
          shown,
          table(['KEY', 'KIND', 'TEAM', 'STATUS', 'SCOPES', 'DOMAINS', 'SINCE', 'LAST USED', 'LABEL'], rows),
        );
      }),
    );
  command.addCommand(usageCommand(line));
  command
    .command('revoke <id>')
    .description('Revoke a key. It is refused from the next request on.')
    .option('--reason <text>', 'recorded in the log, in clear and for ever: name no person')
    .action((keyId: string, { reason, json }: { reason?: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const change = { kind: 'revoke', ...(reason === undefined ? {} : { reason }) } as const;
        const outcome = await commandApiKey(at.store, keyId, change, at.context());
        await at.waitUntilVisible(outcome);
        answer(json, { key_id: keyId, status: 'revoked' }, `Key ${keyId} is revoked.`);
      }),
    );
  command
    .command('domains <id>')
    .description('Restrict a key to sites. Without --set, the restriction ends.')
    .option('--set <domains>', 'separated by commas', '')
    .action((keyId: string, { set, json }: { set: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const domains = option('--set', z.array(domain), listed(set));
        const outcome = await commandApiKey(
          at.store,
          keyId,
          { kind: 'change-domains', domains },
          at.context(),
        );
        await at.waitUntilVisible(outcome);
        answer(
          json,
          { key_id: keyId, domains },
          `Key ${keyId}: ${domains.join(', ') || 'usable from everywhere'}.`,
        );
      }),
    );
  return command;
}

/**
 * The context of a new key: in the name of the member, or for an installation key of the administrator, who gets it.
 * @throws CommandRefused
 */
async function madeFor(
  at: CommandSystem,
  address: string | undefined,
  { kind, team }: { readonly kind: KeyKind; readonly team?: string },
): Promise<CommandContext> {
  const context = at.context();
  if (address === undefined) return context;
  const { user, role } = await requireAccount(at, address, { confirmed: true });
  if (kind === 'installation') {
    if (role === 'administrator') return onBehalfOf(context, user);
    throw new CommandRefused(
      'invalid',
      'An installation key is made for an administrator: this person is none.',
    );
  }
  const { members } = team === undefined ? {} : await requireTeam(at.store, team);
  if (!members?.has(user)) {
    throw new CommandRefused('invalid', 'A key is made for a member of its team: this person is none.');
  }
  return onBehalfOf(context, user);
}

/** Whoever claims to be the person for whom it is made does it for that person all the same. */
function onBehalfOf(context: CommandContext, user: string): CommandContext {
  const { claims_to_be: claimed, ...actor } = context.actor;
  const claim = claimed === undefined || claimed === user ? {} : { claims_to_be: claimed };
  return { ...context, actor: { ...actor, ...claim, on_behalf_of: user } };
}

function withoutHash({ secret_sha256: _, ...key }: ApiKeyDocument): Omit<ApiKeyDocument, 'secret_sha256'> {
  return key;
}
