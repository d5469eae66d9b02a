import { Command } from 'commander';
import { changeDomains, createKey, findKey, keyList, revokeKey, rollKey } from '../actions/keys.ts';
import { hasExpired } from '../events/keys.ts';
import { withLabels } from '../commands/keys-label.ts';
import { keyScopes } from '../events/teams.ts';
import { apiKeys, type ApiKeyDocument } from '../projections/keys.ts';
import { paginateAll } from '../projections/engine/paginate.ts';
import { lastUses } from '../audit/key-usage.ts';
import { answer, table } from '../ground/print.ts';
import { requireAccount } from './account.ts';
import { actionCommand } from './action-command.ts';
import { withSystem, type CommandLine } from './command-line.ts';
import { namedTeam } from './named-team.ts';
import { listed } from './options.ts';
import { showCommand } from './show-command.ts';
import { printLegacyCallers, usageCommand } from './keys-usage.ts';

export function keysCommand(line: CommandLine): Command {
  const command = new Command('keys').description(
    'API keys: api_pk_… for developers, api_tk_… for teams, api_ik_… for auditors of the whole installation.',
  );
  command.addCommand(
    actionCommand(line, createKey, {
      name: 'create',
      description: 'Create a key. It is shown once.',
      options: {
        kind: ['--kind <kind>', 'developer, team or installation', { optional: false }],
        team: ['--team <slug>', 'the team that owns it; for team keys'],
        scopes: ['--scopes <scopes>', `separated by commas: ${keyScopes.join(', ')}`, { read: listed }],
        domains: [
          '--domains <domains>',
          'allow requests from these sites only: example.org, *.example.org',
          { read: listed },
        ],
        label: [
          '--label <text>',
          'a note about its purpose; with --for it is sealed for that person, else it stays for ever',
        ],
        for: [
          '--for <address>',
          'who gets it: a member of the team, or an administrator; members remove then shows it',
          { find: async (at, address) => (await requireAccount(at, address, { confirmed: true })).user },
        ],
        expires_at: [
          '--expires <day>',
          'refuse it after this day in UTC, or from this time',
          { read: endOf },
        ],
      },
      begins: true,
      secret: true,
      print: (made) => [
        made,
        [
          made.key ?? '',
          `Key ${made.key_id}, ${made.kind}, ${made.scopes.join(' ')}. It is shown only once: copy it now.`,
        ],
      ],
    }),
  );
  command
    .command('list')
    .description('List all keys, without their secrets.')
    .option('--team <slug>', 'only those of this team')
    .option('--legacy', 'only those that called the old address in the last 30 days, with how often')
    .action(({ team, legacy, json }: { team?: string; legacy?: boolean; json?: boolean }) =>
      withSystem(line, async (at) => {
        const of = await namedTeam(at, team);
        await at.waitUntilCurrent(apiKeys);
        const all = await withLabels(
          at.personal,
          await paginateAll(at.documents.collection(apiKeys.collection), {
            ...(of === undefined ? {} : { where: { team: of } }),
            orderBy: ['created_at', 'key_id'],
          }),
        );
        if (legacy === true) return printLegacyCallers(at, all, json);
        const used = await lastUses(
          at.side,
          all.map(({ key_id }) => key_id),
        );
        const shown = all.map((key) => ({ ...withoutHash(key), last_used: used.get(key.key_id) ?? null }));
        const now = new Date();
        const rows = shown.map((key) => [
          key.key_id,
          key.kind,
          key.team ?? '-',
          hasExpired(key, now) ? 'expired' : key.status,
          key.scopes.join(','),
          key.domains.join(',') || '-',
          key.created_at,
          key.expires_at ?? '-',
          key.last_used ?? '-',
          key.label ?? '',
        ]);
        answer(
          json,
          shown,
          table(
            ['KEY', 'KIND', 'TEAM', 'STATUS', 'SCOPES', 'DOMAINS', 'SINCE', 'EXPIRES', 'LAST USED', 'LABEL'],
            rows,
          ),
        );
      }),
    );
  command.addCommand(
    showCommand(line, {
      description: 'Show a key, without its secret.',
      argument: '<id>',
      needs: [apiKeys],
      async find(at, id) {
        const key = await findKey(at, { kind: 'operator' }, id);
        if (!key) throw keyList.none();
        return { ...withoutHash(key), last_used: (await lastUses(at.side, [id])).get(id) ?? null };
      },
    }),
  );
  command.addCommand(usageCommand(line));
  command.addCommand(
    actionCommand(line, revokeKey, {
      name: 'revoke',
      description: 'Revoke a key. It is refused from the next request on.',
      options: {
        id: ['<id>'],
        reason: ['--reason <text>', 'recorded in the log, in clear and for ever: do not name a person'],
      },
      print: (_, { id }) => [{ key_id: id, status: 'revoked' }, `Key ${id ?? ''} is revoked.`],
    }),
  );
  command.addCommand(
    actionCommand(line, rollKey, {
      name: 'roll',
      description:
        'Create a key in the place of one. It is shown once. Both are valid until the old one is revoked or expires.',
      options: {
        id: ['<id>'],
        expires_at: ['--expires <day>', 'when the new key ends, as for create', { read: endOf }],
        old_expires_at: ['--old-until <day>', 'when the old key ends. Default: as before', { read: endOf }],
      },
      needs: [apiKeys],
      secret: true,
      print: (made, { id = '' }) => [
        made,
        [
          made.key ?? '',
          `Key ${made.key_id}, ${made.kind}, ${made.scopes.join(' ')}. It is shown only once: copy it now.`,
          made.until === undefined
            ? `Key ${id} is valid too, until you revoke it: keys revoke ${id}`
            : `Key ${id} is valid too, until ${made.until}.`,
        ],
      ],
    }),
  );
  command.addCommand(
    actionCommand(line, changeDomains, {
      name: 'domains',
      description: 'Restrict a key to sites. Without --set, the restriction ends.',
      options: {
        id: ['<id>'],
        domains: ['--set <domains>', 'separated by commas', { read: listed, standard: '' }],
      },
      print: (domains, { id }) => [
        { key_id: id, domains },
        `Key ${id ?? ''}: ${domains.join(', ') || 'usable from everywhere'}.`,
      ],
    }),
  );
  return command;
}

/** A day stands for its end in UTC. */
const endOf = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text);

function withoutHash<Of extends Pick<ApiKeyDocument, 'secret_sha256'>>({
  secret_sha256: _,
  ...key
}: Of): Omit<Of, 'secret_sha256'> {
  return key;
}
