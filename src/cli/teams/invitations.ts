import type { Command } from 'commander';
import { invitationMailKey } from '../../actions/teams/invitation-mails.ts';
import { inviteByMail } from '../../actions/teams/invite.ts';
import { linkedPages } from '../../actions/linked-pages.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { withdrawInvitation } from '../../commands/teams/invitation.ts';
import { invitationOf } from '../../commands/teams/invitation-keys.ts';
import { requireTeam } from '../../commands/teams/team.ts';
import { slug } from '../../events/define.ts';
import { memberRole, memberRoles } from '../../events/teams/team.ts';
import { Outbox } from '../../mail/outbox.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { invitations } from '../../projections/teams/invitations.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { issuerOf } from '../mail-parts.ts';
import { option } from '../options.ts';
import { answer, table } from '../../ground/print.ts';

interface Whom {
  readonly team: string;
  readonly email: string;
  readonly role: string;
  readonly json?: boolean;
}

/** Adds the commands about invitations to `members`. */
export function invitationCommands(members: Command, line: CommandLine): void {
  members
    .command('invite')
    .description('Invite somebody by email. A former invitation to the address is replaced.')
    .requiredOption('--team <slug>', 'the team')
    .requiredOption('--email <address>', 'where the link is sent')
    .requiredOption('--role <role>', memberRoles.join(', '))
    .action(({ team, email, role, json }: Whom) =>
      withSystem(line, async (at) => {
        const wish = { team: option('--team', slug, team), role: option('--role', memberRole, role) };
        const { invitation, expiresAt, outcome } = await invite(at, { ...wish, email });
        await at.waitUntilVisible(outcome);
        const address = email.trim();
        answer(json, { ...wish, invitation, email: address, expires_at: expiresAt }, [
          `${address} is invited to ${wish.team}: ${wish.role}, until ${expiresAt}.`,
          at.config.smtpUrl === undefined
            ? `The email waits at ${linkedPages.outbox}, because no mail server is set (SMTP_URL).`
            : 'The email is on its way.',
        ]);
      }),
    );
  members
    .command('invitations')
    .description('List the open invitations of a team.')
    .requiredOption('--team <slug>', 'the team')
    .action(({ team, json }: Pick<Whom, 'team' | 'json'>) =>
      withSystem(line, async (at) => {
        const of = option('--team', slug, team);
        await requireTeam(at.store, of);
        const found = await openInvitations(at, of);
        const rows = found.map((each) => [each.invitation, each.email ?? '-', each.role, each.expires_at]);
        answer(json, found, table(['INVITATION', 'EMAIL', 'ROLE', 'UNTIL'], rows));
      }),
    );
  members
    .command('withdraw <invitation>')
    .description('Withdraw an invitation. Its link no longer works.')
    .action((invitation: string, { json }: Pick<Whom, 'json'>) =>
      withSystem(line, async (at) => {
        await at.waitUntilCurrent(invitations);
        const found = await at.documents.collection(invitations.collection).get(invitation);
        if (!found) throw new CommandRefused('not_found', 'There is no such invitation.');
        const { team } = found;
        const outcome = await withdrawInvitation(at, { team, invitation }, at.context());
        await new Outbox(at).withdraw([invitationMailKey(invitation)]);
        await at.waitUntilVisible(outcome);
        answer(
          json,
          { team, invitation, status: outcome.state?.closed.get(invitation) },
          `The invitation ${invitation} to ${team} no longer works.`,
        );
      }),
    );
}

function invite(at: CommandSystem, wish: Parameters<typeof inviteByMail>[1]) {
  const { config, store, vault, personal, side, masterKey, limits } = at;
  const issuer = issuerOf(config);
  const outbox = new Outbox({ side, masterKey });
  const parts = { config, store, vault, personal, limits, outbox, issuer };
  return inviteByMail(parts, wish, at.context());
}

/** The invitations that can be used now, the oldest first, with their addresses. */
async function openInvitations(at: CommandSystem, team: string) {
  await at.waitUntilCurrent(invitations);
  const found = await paginateAll(at.documents.collection(invitations.collection), {
    where: { team, status: 'open' },
    orderBy: ['invited_at', 'invitation'],
  });
  const now = Date.now();
  const open = found.filter(({ expires_at }) => Date.parse(expires_at) > now);
  const addresses = await at.personal.openMany(
    open.map(({ invitation, email_sealed = '' }) => ({
      holder: invitationOf(invitation),
      sealed: email_sealed,
    })),
  );
  return open.map(({ invitation, role, invited_at, expires_at }, place) => {
    const email = addresses[place] as string | undefined;
    return { team, invitation, email, role, invited_at, expires_at };
  });
}
