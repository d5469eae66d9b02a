import { Command } from 'commander';
import { joinTeam } from '../../commands/teams/member.ts';
import { commandTeam, requireTeam, type TeamCommand } from '../../commands/teams/team.ts';
import { slug } from '../../events/define.ts';
import { memberRole, memberRoles } from '../../events/teams/team.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { members, type MemberDocument } from '../../projections/teams/members.ts';
import { people, type PersonDocument } from '../../projections/accounts/people.ts';
import { namesOf, requireAccount } from '../account.ts';
import { withSystem, type CommandSystem, type CommandLine } from '../command-line.ts';
import { option } from '../options.ts';
import { answer, table } from '../print.ts';

interface Whom {
  readonly team: string;
  readonly email: string;
  readonly json?: boolean;
}
type WhomAndRole = Whom & { readonly role: string };

const roles = memberRoles.join(', ');

export function membersCommand(line: CommandLine): Command {
  const command = new Command('members').description('The members of a team and their roles.');
  const about = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .requiredOption('--team <slug>', 'the team')
      .requiredOption('--email <address>', 'the email address of the account');
  about('add', 'Add a member. The person must have an account with a confirmed address.')
    .requiredOption('--role <role>', roles)
    .action(({ team, email, role, json }: WhomAndRole) =>
      withSystem(line, async (at) => {
        const wish = { team: option('--team', slug, team), role: option('--role', memberRole, role) };
        await requireTeam(at.store, wish.team);
        // An unconfirmed address may belong to somebody else.
        const { user } = await requireAccount(at, email, { confirmed: true });
        const outcome = await joinTeam(at, { ...wish, user }, at.context());
        await at.waitUntilVisible(outcome);
        answer(json, { ...wish, user }, `${email.trim()} belongs to ${wish.team}: ${wish.role}.`);
      }),
    );
  about('role', 'Change the role of a member.')
    .requiredOption('--role <role>', roles)
    .action(({ team, email, role, json }: WhomAndRole) =>
      withSystem(line, async (at) => {
        const wish = { team: option('--team', slug, team), role: option('--role', memberRole, role) };
        const user = await change(at, email, wish.team, (user) => ({ kind: 'change-role', ...wish, user }));
        answer(json, { ...wish, user }, `${email.trim()} is in ${wish.team}: ${wish.role}.`);
      }),
    );
  about('remove', 'End a membership. The account stays.').action(({ team, email, json }: Whom) =>
    withSystem(line, async (at) => {
      const wish = { team: option('--team', slug, team) };
      const user = await change(at, email, wish.team, (user) => ({ kind: 'leave', ...wish, user }));
      answer(json, { ...wish, user, status: 'left' }, `${email.trim()} does not belong to ${wish.team}.`);
    }),
  );
  command
    .command('list')
    .description('List the members of a team, with their current names and addresses.')
    .requiredOption('--team <slug>', 'the team')
    .action(({ team, json }: Pick<Whom, 'team' | 'json'>) =>
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

type MemberCommand = Extract<TeamCommand, { kind: 'change-role' | 'leave' }>;

async function change(
  at: CommandSystem,
  email: string,
  team: string,
  wish: (user: string) => MemberCommand,
): Promise<string> {
  await requireTeam(at.store, team);
  const { user } = await requireAccount(at, email);
  const outcome = await commandTeam(at.store, wish(user), at.context());
  await at.waitUntilVisible(outcome);
  return user;
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
