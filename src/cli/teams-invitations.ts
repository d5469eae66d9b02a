import type { Command } from 'commander';
import { copyLink, invite, openInvitations, withdraw } from '../actions/teams/invitations.ts';
import { memberRoles } from '../events/teams.ts';
import { invitations } from '../projections/teams-invitations.ts';
import { actionCommand, type InputOption } from './action-command.ts';
import { withSystem, type CommandLine } from './command-line.ts';
import { namedTeam } from './named-team.ts';
import { answer, table } from '../ground/print.ts';

const openInvitation: InputOption = [
  '<invitation>',
  '',
  {
    find: async (at, invitation) => {
      await at.waitUntilCurrent(invitations);
      return invitation;
    },
  },
];

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
            ? `The email waits in the outbox, because no mail server is set (SMTP_URL). To pass its link on: members invitation-link ${invited.invitation}`
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
    actionCommand(line, copyLink, {
      name: 'invitation-link',
      description:
        'Print the link of an invitation, to be passed on by hand. It confirms no address from then on.',
      options: { invitation: openInvitation },
      print: (shown) => [shown, shown.link],
    }),
  );
  members.addCommand(
    actionCommand(line, withdraw, {
      name: 'withdraw',
      description: 'Withdraw an invitation. Its link no longer works.',
      options: { invitation: openInvitation },
      print: (withdrawn) => [
        withdrawn,
        `The invitation ${withdrawn.invitation} to ${withdrawn.team} no longer works.`,
      ],
    }),
  );
}
