import type { Command } from 'commander';
import { linkedPages } from '../actions/linked-pages.ts';
import { invite, openInvitations, withdraw } from '../actions/teams/invitations.ts';
import { memberRoles } from '../events/teams.ts';
import { invitations } from '../projections/teams-invitations.ts';
import { actionCommand } from './action-command.ts';
import { withSystem, type CommandLine } from './command-line.ts';
import { namedTeam } from './named-team.ts';
import { answer, table } from '../ground/print.ts';

/** Adds the commands about invitations to `members`. */
export function invitationCommands(members: Command, line: CommandLine): void {
  members.addCommand(
    actionCommand(line, invite, {
      name: 'invite',
      description: 'Invite somebody by email. A former invitation to the address is replaced.',
      ofTeam: true,
      options: {
        email: ['--email <address>', 'where the link is sent'],
        role: ['--role <role>', memberRoles.join(', ')],
      },
      print: ({ waits, ...invited }) => [
        invited,
        [
          `${invited.email} is invited to ${invited.team}: ${invited.role}, until ${invited.expires_at}.`,
          waits
            ? `The email waits at ${linkedPages.outbox}, because no mail server is set (SMTP_URL).`
            : 'The email is on its way.',
        ],
      ],
    }),
  );
  members
    .command('invitations')
    .description('List the open invitations of a team.')
    .requiredOption('--team <slug>', 'the team')
    .action(({ team, json }: { readonly team: string; readonly json?: boolean }) =>
      withSystem(line, async (at) => {
        const of = await namedTeam(at, team);
        await at.waitUntilCurrent(invitations);
        const all = await openInvitations(at, of);
        const open = all.filter(({ expires_at }) => Date.parse(expires_at) > Date.now());
        const rows = open.map((each) => [each.invitation, each.email ?? '-', each.role, each.expires_at]);
        answer(json, open, table(['INVITATION', 'EMAIL', 'ROLE', 'UNTIL'], rows));
      }),
    );
  members.addCommand(
    actionCommand(line, withdraw, {
      name: 'withdraw',
      description: 'Withdraw an invitation. Its link no longer works.',
      options: {
        invitation: [
          '<invitation>',
          '',
          {
            find: async (at, invitation) => {
              await at.waitUntilCurrent(invitations);
              return invitation;
            },
          },
        ],
      },
      print: (withdrawn) => [
        withdrawn,
        `The invitation ${withdrawn.invitation} to ${withdrawn.team} no longer works.`,
      ],
    }),
  );
}
