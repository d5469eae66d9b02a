import { inviteMember, type Invited, type NewInvitation } from '../../commands/teams/invitation.ts';
import { writeInvitationLink } from '../../commands/teams/invitation-link.ts';
import type { MemberParts } from '../../commands/teams/member.ts';
import type { Config } from '../../config.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { writtenAddress } from '../../events/accounts/email-address.ts';
import type { Limits } from '../../stores/limits/port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { linkedPages } from '../linked-pages.ts';
import { invitationMailKey, removeEndedInvitationMails } from './invitation-mails.ts';
import type { MemberRole } from '../../events/teams.ts';
import type { Mail } from '../../mail/port.ts';
import { mailTime } from '../../tables/shown-time.ts';
import { roleWords } from './role-words.ts';

export interface InviteParts extends MemberParts {
  readonly config: Pick<Config, 'invitationSeconds' | 'smtpUrl' | 'timeZone'>;
  readonly vault: Vault;
  readonly outbox: Outbox;
  readonly limits: Limits;
  /** Where people sign in. */
  readonly issuer: () => string;
}

/**
 * Invites somebody to a team and sends them the link. It is in the email alone: not in an event, not in the answer. A
 * repeat of the command sends no second email.
 * @throws CommandRefused as `inviteMember`
 */
export async function inviteByMail(
  parts: InviteParts,
  input: NewInvitation,
  context: CommandContext,
): Promise<Invited> {
  const { store, personal, config, outbox, limits } = parts;
  const lifeSeconds = config.invitationSeconds;
  const invited = await inviteMember({ store, personal, limits, lifeSeconds }, input, context);
  await removeEndedInvitationMails(outbox, invited.outcome);
  const { invitation, name, expiresAt } = invited;
  const link = await invitationAddress(parts, { team: input.team, invitation });
  const mail = invitationMail({
    team: name,
    role: input.role,
    link,
    until: mailTime(expiresAt, config.timeZone),
  });
  await outbox.putOnce(
    { to: writtenAddress(input.email), ...mail },
    {
      key: invitationMailKey(invitation),
      // When it was made: a repeat tells the same time.
      at: new Date(Date.parse(expiresAt) - lifeSeconds * 1_000),
      until: new Date(Date.now() + lifeSeconds * 1_000),
    },
  );
  return invited;
}

/** The address of the page of an invitation, with its link. */
export const invitationAddress = async (
  { vault, issuer }: Pick<InviteParts, 'vault' | 'issuer'>,
  of: { readonly team: string; readonly invitation: string },
): Promise<string> => `${issuer()}${joinPath(of.team, await writeInvitationLink(vault, of))}`;

/** The page of an invitation, with its link. */
export const joinPath = (team: string, link: string): string => `${linkedPages.join}/${team}?link=${link}`;

/**
 * The email of an invitation. It repeats the name of the team, which the operator of the installation has chosen, and
 * nothing that the person who invites has typed.
 */
const invitationMail = ({
  team,
  role,
  link,
  until,
}: {
  readonly team: string;
  readonly role: MemberRole;
  readonly link: string;
  /** As people read it. */
  readonly until: string;
}): Omit<Mail, 'to'> => ({
  subject: `Invitation to ${team}`,
  text: `Hello,

${team} invites you to join the team as ${roleWords[role]}. To accept, open this link:

${link}

The link works once, until ${until}. You join with an account that has this email
address. If you have none yet, the page makes it.

If you do not know why you got this, do nothing. Pass the link on to nobody.

Commonweal
`,
});
