import type { MemberRole } from '../../events/teams/team.ts';
import type { Mail } from '../../mail/port.ts';
import { roleWords } from './role-words.ts';

const until = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/**
 * The email of an invitation. It repeats the name of the team, which the operator of the installation has chosen, and
 * nothing that the person who invites has typed.
 */
export const invitationMail = ({
  team,
  role,
  link,
  expiresAt,
}: {
  readonly team: string;
  readonly role: MemberRole;
  readonly link: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}): Omit<Mail, 'to'> => ({
  subject: `Invitation to ${team}`,
  text: `Hello,

${team} invites you to join the team as ${roleWords[role]}. To accept, open this link:

${link}

The link works once, until ${until.format(new Date(expiresAt))} UTC. You join with an account that has this email
address. If you have none yet, you can create it on the way.

If you do not know why you got this, do nothing. Pass the link on to nobody.

Commonweal
`,
});
