import { Command } from 'commander';
import { removeEndedInvitationMails } from '../../actions/teams/invitation-mails.ts';
import { removeMember, type KeyOfMember } from '../../actions/teams/remove-member.ts';
import { changeMemberRole, joinTeam } from '../../commands/teams/member.ts';
import { requireTeam } from '../../commands/teams/team.ts';
import { slug } from '../../events/define.ts';
import { memberRole, memberRoles } from '../../events/teams/team.ts';
import { userId } from '../../events/oauth/values.ts';
import { Outbox } from '../../mail/outbox.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { members, type MemberDocument } from '../../projections/teams/members.ts';
import { people, type PersonDocument } from '../../projections/accounts/people.ts';
import { namesOf, requireAccount } from '../account.ts';
import { withSystem, type CommandSystem, type CommandLine } from '../command-line.ts';
import { option, UsageError } from '../options.ts';
import { answer, table } from '../../ground/print.ts';
import { invitationCommands } from './invitations.ts';

interface Whom {
  readonly team: string;
  readonly email: string;
  readonly json?: boolean;
}
type WhomAndRole = Whom & { readonly role: string };
type WhomToRemove = Pick<Whom, 'team' | 'json'> & {
  readonly email?: string;
  readonly person?: string;
  readonly revokeKeys?: boolean;
};

const roles = memberRoles.join(', ');

export function membersCommand(line: CommandLine): Command {
  const command = new Command('members').description('The members of a team, their roles, and invitations.');
  const about = (name: string, description: string) =>
    command.command(name).description(description).requiredOption('--team <slug>', 'the team');
  const address = ['--email <address>', 'the email address of the account'] as const;
  about('add', 'Add a member. The person must have an account with a confirmed address.')
    .requiredOption(...address)
    .requiredOption('--role <role>', roles)
    .action(({ team, email, role, json }: WhomAndRole) =>
      withSystem(line, async (at) => {
        const wish = { team: option('--team', slug, team), role: option('--role', memberRole, role) };
        await requireTeam(at.store, wish.team);
        // An unconfirmed address may belong to somebody else.
        const { user } = await requireAccount(at, email, { confirmed: true });
        const outcome = await joinTeam(at, { ...wish, user }, at.context());
        await removeEndedInvitationMails(new Outbox(at), outcome);
        await at.waitUntilVisible(outcome);
        answer(json, { ...wish, user }, `${email.trim()} belongs to ${wish.team}: ${wish.role}.`);
      }),
    );
  invitationCommands(command, line);
  about('role', 'Change the role of a member. A team keeps at least one admin.')
    .requiredOption(...address)
    .requiredOption('--role <role>', roles)
    .action(({ team, email, role, json }: WhomAndRole) =>
      withSystem(line, async (at) => {
        const wish = { team: option('--team', slug, team), role: option('--role', memberRole, role) };
        await requireTeam(at.store, wish.team);
        const { user } = await requireAccount(at, email);
        await at.waitUntilVisible(await changeMemberRole(at, { ...wish, user }, at.context()));
        answer(json, { ...wish, user }, `${email.trim()} is in ${wish.team}: ${wish.role}.`);
      }),
    );
  about('remove', 'End a membership, and show the keys that the person made for the team. The account stays.')
    .option(...address)
    .option('--person <id>', 'the id in members list, such as that of an erased person')
    .option('--revoke-keys', 'also revoke the keys that the person made for the team')
    .action(({ json, revokeKeys = false, ...whom }: WhomToRemove) =>
      withSystem(line, async (at) => {
        const team = option('--team', slug, whom.team);
        await requireTeam(at.store, team);
        const user = await personIn(at, whom);
        const parts = {
          store: at.store,
          personal: at.personal,
          documents: at.documents,
          untilShown: (changes: Parameters<typeof at.waitUntilVisible>[0]) => at.waitUntilVisible(changes),
        };
        const keys = await removeMember(parts, { team, user, revokeKeys }, at.context());
        const said = `${whom.email?.trim() ?? user} does not belong to ${team}.`;
        const shown = { team, user, status: 'left', keys, keys_revoked: revokeKeys };
        answer(json, shown, [said, ...keysShown(keys, { revokeKeys })]);
      }),
    );
  about('list', 'List the members of a team, with their current names and addresses.').action(
    ({ team, json }: Pick<Whom, 'team' | 'json'>) =>
      withSystem(line, async (at) => {
        const of = option('--team', slug, team);
        await requireTeam(at.store, of);
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
  return command;
}

/** Who is to be removed: by address, or by id. @throws UsageError, CommandRefused not_found */
async function personIn(at: CommandSystem, { email, person }: WhomToRemove): Promise<string> {
  if ((email === undefined) === (person === undefined)) {
    throw new UsageError('Give either --email <address> or --person <id>.');
  }
  return email === undefined ? option('--person', userId, person) : (await requireAccount(at, email)).user;
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
  const known = await at.documents.collection(people.collection).getMany(found.map(({ user }) => user));
  return Promise.all(found.map((member) => shown(at, member, known.get(member.user))));
}

async function shown(
  at: CommandSystem,
  { team, user, role, joined_at }: MemberDocument,
  person: PersonDocument | undefined,
) {
  return { team, user, role, joined_at, ...(await namesOf(at, person)) };
}
