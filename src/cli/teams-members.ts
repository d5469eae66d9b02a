import { Command } from 'commander';
import { add, changeRole, memberList, remove, type KeyOfMember } from '../actions/teams/members.ts';
import { memberRoles } from '../events/teams.ts';
import { userId } from '../events/oauth/values.ts';
import { paginateAll } from '../projections/engine/paginate.ts';
import { members, type MemberDocument } from '../projections/teams-members.ts';
import { people, type PersonDocument } from '../projections/accounts-people.ts';
import { accountNamed, namesOf } from './account.ts';
import { actionCommand, emailOption, type InputOption } from './action-command.ts';
import { withSystem, type CommandSystem, type CommandLine } from './command-line.ts';
import { namedTeam } from './named-team.ts';
import { UsageError } from './options.ts';
import { showCommand } from './show-command.ts';
import { answer, table } from '../ground/print.ts';
import { invitationCommands } from './teams-invitations.ts';

const address = 'the email address of the account';
const role: InputOption = ['--role <role>', memberRoles.join(', ')];

export function membersCommand(line: CommandLine): Command {
  const command = new Command('members').description('The members of a team, their roles, and invitations.');
  command.addCommand(
    actionCommand(line, add, {
      name: 'add',
      description: 'Add a member. The person must have an account with a confirmed address.',
      ofTeam: true,
      options: {
        // An unconfirmed address may belong to somebody else.
        user: emailOption(address, { confirmed: true }),
        role,
      },
      print: (added, { user: email = '' }) => [
        added,
        `${email.trim()} belongs to ${added.team}: ${added.role}.`,
      ],
    }),
  );
  invitationCommands(command, line);
  command.addCommand(
    actionCommand(line, changeRole, {
      name: 'role',
      description: 'Change the role of a member. A team keeps at least one admin.',
      ofTeam: true,
      options: { user: emailOption(address), role },
      print: (changed, { user: email = '' }) => [
        changed,
        `${email.trim()} is in ${changed.team}: ${changed.role}.`,
      ],
    }),
  );
  command.addCommand(
    actionCommand(line, remove, {
      name: 'remove',
      description:
        'End a membership, and show the keys that the person made for the team. The account stays.',
      ofTeam: true,
      options: {
        email: emailOption(address, { optional: true, fills: 'user' }),
        user: [
          '--person <id>',
          'the id in members list, such as that of an erased person',
          { schema: userId, optional: true },
        ],
        revoke_keys: ['--revoke-keys', 'also revoke the keys that the person made for the team'],
      },
      check({ email, user }) {
        if ((email === undefined) === (user === undefined))
          throw new UsageError('Give either --email <address> or --person <id>.');
      },
      print: ({ team, user, keys, keys_revoked }, { email }) => [
        { team, user, status: 'left', keys, keys_revoked },
        [
          `${email?.trim() ?? user} does not belong to ${team}.`,
          ...keysShown(keys, { revokeKeys: keys_revoked }),
        ],
      ],
    }),
  );
  command
    .command('list')
    .description('List the members of a team, with their current names and addresses.')
    .requiredOption('--team <slug>', 'the team')
    .action(({ team, json }: { readonly team: string; readonly json?: boolean }) =>
      withSystem(line, async (at) => {
        const of = await namedTeam(at, team);
        await at.waitUntilCurrent(members, people);
        const found = await membersOf(at, of);
        const rows = found.map((each) => [
          each.user,
          each.role,
          each.joined_at,
          each.email ?? '-',
          each.name ?? 'erased',
        ]);
        answer(json, found, table(['PERSON', 'ROLE', 'SINCE', 'EMAIL', 'NAME'], rows));
      }),
    );
  command.addCommand(
    showCommand(line, {
      description: 'Show a member of a team.',
      argument: '<person>',
      about: 'the email address of the account, or the id in members list',
      ofTeam: true,
      needs: [members, people],
      async find(at, whom, team) {
        const { user } = await accountNamed(at, whom);
        const found = (await membersOf(at, team)).find((each) => each.user === user);
        if (!found) throw memberList.none();
        return found;
      },
    }),
  );
  return command;
}

function keysShown(keys: readonly KeyOfMember[], { revokeKeys }: { readonly revokeKeys: boolean }): string[] {
  if (keys.length === 0) return [];
  const rows = keys.map(({ key_id, scopes, created_at, label = '' }) => [
    key_id,
    scopes.join(','),
    created_at,
    label,
  ]);
  const what = revokeKeys
    ? 'These keys of the team, which the person made, are revoked:'
    : 'The person made these keys for the team. They work on. Revoke those that nobody else needs (keys revoke <id>), or repeat this with --revoke-keys:';
  return [what, table(['KEY', 'SCOPES', 'SINCE', 'LABEL'], rows)];
}

async function membersOf(at: CommandSystem, team: string) {
  const found = await paginateAll(at.documents.collection(members.collection), {
    where: { team, status: 'member' },
    orderBy: ['joined_at', 'user'],
  });
  const accounts = await at.documents.collection(people.collection).getMany(found.map(({ user }) => user));
  return Promise.all(found.map((member) => shown(at, member, accounts.get(member.user))));
}

async function shown(
  at: CommandSystem,
  { team, user, role, joined_at }: MemberDocument,
  person: PersonDocument | undefined,
) {
  return { team, user, role, joined_at, ...(await namesOf(at, person)) };
}
